// Statements as JSON, page by page.
import { shown } from '../platform/http/shown.ts'
import { StatementHead, StatementLine } from './statements.schemas.ts'
import type { Statement } from './statements.ts'

export async function* jsonOf({ head, pages }: Statement): AsyncIterable<string> {
  yield `${JSON.stringify(shown(StatementHead, head)).slice(0, -1)},"lines":[`
  let separator = ''
  for await (const lines of pages()) {
    yield separator + lines.map((line) => JSON.stringify(shown(StatementLine, line))).join(',')
    separator = ','
  }
  yield ']}'
}
