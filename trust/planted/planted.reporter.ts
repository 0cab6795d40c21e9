// A reporter for the test runner that prints the result of each test as one line of JSON.
import type { TestEvent } from 'node:test/reporters'

/** `asserted`: the test failed by an assertion, and not by any other error. `hung`: it was ended, because it did not end by itself. */
export type Ending = { name: string; passed: boolean; asserted: boolean; hung: boolean; message: string }

/** The prefix of a result line, since tests may print lines too. */
export const mark = 'planted:'

// biome-ignore lint/style/noDefaultExport: the test runner finds a reporter by its default export.
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    // A skipped test has not shown anything.
    if (data.skip !== undefined || data.todo !== undefined) continue
    const errors = type === 'test:fail' ? [...chain(data.details.error)] : []
    const asserted = errors.some(({ code }) => code === 'ERR_ASSERTION')
    const ending: Ending = {
      name: data.name,
      passed: type === 'test:pass',
      asserted,
      hung: false,
      message: (errors.at(-1)?.message ?? '').split('\n', 1)[0] ?? '',
    }
    yield `${mark}${JSON.stringify(ending)}\n`
  }
}

/** The runner wraps what a test throws, and libraries wrap their causes. */
function* chain(error: unknown): Generator<Error & { code?: unknown }> {
  for (let each = error; each instanceof Error; each = each.cause) yield each
}
