// Finds product code that names a transfer method by hand. All rules that depend on the method are in its record in transfers.methods.ts and, if its
// payments leave as messages, in the profile of its scheme. A method named elsewhere would be a rule that a new method misses.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { transferMethods } from '../../transfers/life/transfers.status.ts'

/** The files that may name a method, by their path from the root of the project. */
export const mayName: Readonly<Record<string, string>> = {
  'server/src/transfers/life/transfers.status.ts': 'The list of methods.',
  'server/src/transfers/life/transfers.methods.ts': 'Their records.',
  'server/src/schemes/profiles/schemes.sct.ts': 'The profile of a scheme.',
  'server/src/schemes/profiles/schemes.inst.ts': 'The profile of a scheme.',
  'server/src/schemes/profiles/schemes.sdd.ts': 'The profile of a scheme.',
  'server/src/transfers/life/transfers.design.ts': 'The tables of the specification, which tests compare the records with.',
  'server/src/platform/http/examples.ts': 'Examples of requests.',
  'server/src/accounts/accounts.operator.routes.ts': 'An example of an internal account.',
  'server/src/transfers/orders/transfers.orders.schemas.ts': 'An example of an internal account.',
  'server/src/iso20022/definitions/iso20022.shared.ts': 'SEPA is also the name of a scheme in messages.',
  'server/src/sandbox/demo/sandbox.demo.plan.ts': 'What the customers of the demo bank order.',
}

const productFolders = ['server/src', 'console/src', 'cli/src', 'sdk/src']
const isProduct = (file: string): boolean => /\.tsx?$/.test(file) && !/\.(test|testing|made)\.tsx?$|src\/(guards|testing)\//.test(file)

const names = `(?:${transferMethods.join('|')})`
/** As a text, in a list of PostgreSQL, behind a colon of an account of the books, as a key, or as a property. */
const named = new RegExp(`(['"\`])${names}\\1|['{,]${names}[,}]|settlement:${names}\\b|(?:^|[{,])\\s*${names}:|\\.${names}\\b`, 'gm')

const withoutComments = (code: string): string => code.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

export const namesIn = (code: string): string[] => withoutComments(code).match(named) ?? []

/** The files of the product below a root that name a method, by their path from there. */
export async function filesThatName(root: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of productFolders) {
    const files = (await readdir(join(root, folder), { recursive: true })).map((file) => `${folder}/${file}`).filter(isProduct)
    for (const file of files) if (namesIn(await readFile(join(root, file), 'utf8')).length > 0) found.push(file)
  }
  return found.sort()
}
