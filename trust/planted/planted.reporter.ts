// A reporter for the test runner that says of each test in one line of JSON how it ended.
import type { TestEvent } from 'node:test/reporters'

/** `asserted`: it was an assertion that failed, and not something else that went wrong. */
export type Ending = { name: string; passed: boolean; asserted: boolean; message: string }

/** What a line begins with, since tests may print lines too. */
export const mark = 'planted:'

// biome-ignore lint/style/noDefaultExport: the test runner finds a reporter by its default export.
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    // One that was left out has not shown anything.
    if (data.skip !== undefined || data.todo !== undefined) continue
    const errors = type === 'test:fail' ? [...chain(data.details.error)] : []
    const asserted = errors.some(({ code }) => code === 'ERR_ASSERTION')
    const ending: Ending = {
      name: data.name,
      passed: type === 'test:pass',
      asserted,
      message: (errors.at(-1)?.message ?? '').split('\n', 1)[0] ?? '',
    }
    yield `${mark}${JSON.stringify(ending)}\n`
  }
}

/** The runner wraps what a test throws, and libraries wrap what they called. */
function* chain(error: unknown): Generator<Error & { code?: unknown }> {
  for (let each = error; each instanceof Error; each = each.cause) yield each
}
