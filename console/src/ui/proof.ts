// Some operations want to know again who is there. The shell shows the dialog; whoever needs the proof waits for it here.

type Asked = { resolve(): void; reject(error: Error): void }

let asked: Asked | undefined
const watchers = new Set<() => void>()

function change(next: Asked | undefined): void {
  asked = next
  for (const watch of watchers) watch()
}

/** Ends when the person has proved who they are, and fails if they do not want to. */
export function askForProof(): Promise<void> {
  return new Promise((resolve, reject) => change({ resolve, reject }))
}

export const proof = {
  subscribe(watch: () => void): () => void {
    watchers.add(watch)
    return () => watchers.delete(watch)
  },
  isAsked: (): boolean => asked !== undefined,
  given(): void {
    asked?.resolve()
    change(undefined)
  },
  refused(): void {
    asked?.reject(new Error('You did not confirm that it is you, so nothing was changed.'))
    change(undefined)
  },
}
