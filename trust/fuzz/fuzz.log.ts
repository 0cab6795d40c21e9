// Finds failures of background work in the service's log.

/** Expected here: this attack also changes orders directly at the sandbox's gateway. */
const expected = [
  'a request could not be carried out',
  'the card gateway gave no clear answer',
  'the gateway took another amount or currency than ours',
  'a job failed: the gateway has not given the money back yet',
  'a job failed: the gateway has not canceled yet',
]

/** Each kind of error once, with the number of its log lines. */
export function troublesIn(lines: readonly string[]): string[] {
  const found = new Map<string, { line: string; count: number }>()
  for (const line of lines) {
    const { level, msg, err } = entryOf(line)
    const kind = `${msg}: ${err?.message ?? ''}`
    if (level < 40 || expected.some((begin) => kind.startsWith(begin))) continue
    found.set(kind, { line, count: (found.get(kind)?.count ?? 0) + 1 })
  }
  return [...found.values()].map(({ line, count }) => `${count} times: ${line.trim()}`)
}

type Entry = { level: number; msg: string; err?: { message?: string } }

function entryOf(line: string): Entry {
  if (!line.startsWith('{')) return { level: 0, msg: '' }
  return JSON.parse(line) as Entry
}
