// Sensitive operations require a fresh proof of identity. The shell shows the dialog; callers wait here.

type Asked = { resolve(): void; reject(error: Error): void }

let asked: Asked | undefined
const watchers = new Set<() => void>()

function change(next: Asked | undefined): void {
  asked = next
  for (const watch of watchers) watch()
}

/** Resolves when the person has confirmed their identity, and rejects if they decline. */
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
    asked?.reject(new Error('You did not confirm your identity, so nothing was changed.'))
    change(undefined)
  },
}
