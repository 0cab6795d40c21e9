// Mutants that no test can kill, each with the reason. White space is ignored, so they are still found after the code is reformatted or moved.
import { type Mutant, withoutSpace } from './mutation.mutants.ts'

type Explained = Pick<Mutant, 'within' | 'was' | 'replace'> & { why: string }

export const explained: readonly Explained[] = [
  {
    within: 'debtOf',
    was: 'reserved > current',
    replace: 'reserved >= current',
    why: 'if both are the same, their difference is the 0n that is returned otherwise',
  },
]

export function explanationOf({ within, was, replace }: Pick<Mutant, 'within' | 'was' | 'replace'>): string | undefined {
  const isSame = (left: string, right: string) => withoutSpace(left) === withoutSpace(right)
  return explained.find((each) => each.within === within && isSame(each.was, was) && isSame(each.replace, replace))?.why
}
