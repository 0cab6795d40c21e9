import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { reads } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { listing } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { camtOf } from './statements.camt.ts'
import { csvOf } from './statements.csv.ts'
import { jsonOf } from './statements.json.ts'
import { PdfWriter } from './statements.pdf.ts'
import { BalanceStep, BalancesQuery, type Format, StatementDocument, StatementQuery } from './statements.schemas.ts'
import { linesPerPage, listBalances, mostLines, readStatement, type Statement, type Statements } from './statements.ts'

const params = PathId('account_id')
const tags = ['Accounts']

const types: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  camt053: 'application/xml',
}
const endings: Record<Format, string> = { json: 'json', csv: 'csv', pdf: 'pdf', camt053: 'xml' }

export async function statementRoutes(app: App, { statements }: { statements: Statements }): Promise<void> {
  const pdfs = new PdfWriter(statements.database)

  const keyOf = (request: { venture: { id: string }; params: { account_id: string } }) => ({
    venture_id: request.venture.id,
    id: request.params.account_id,
  })

  /** A short statement is sent as a whole, a long one is streamed. */
  const bodyOf: Record<Format, (statement: Statement, venture_id: string) => Promise<string | Readable | Buffer>> = {
    json: (statement) => textOf(statement, jsonOf(statement)),
    csv: (statement) => textOf(statement, csvOf(statement)),
    pdf: (statement, venture_id) => pdfs.write(statement, venture_id),
    camt053: camtOf,
  }

  app.get(
    '/accounts/:account_id/statements',
    {
      config: {
        access: reads('accounts'),
        refusals: ['account_not_found', 'statement_too_long', ...listing],
        example: { query: { from: '2026-11-01', to: '2026-11-30' } },
        trial: [
          {},
          { query: { from: '2026-01-01', to: '2026-12-31', format: 'csv' } },
          { query: { from: '2026-01-01', to: '2026-12-31', format: 'camt053' } },
        ],
      },
      schema: {
        operationId: 'getStatement',
        tags,
        summary: 'Get a statement of an account',
        description:
          'The opening balance, every line with its counterparty, reference and balance, and the closing balance. `format` chooses JSON, CSV, PDF ' +
          'or camt.053. Statements of consecutive intervals join: the closing balance of one is the opening balance of the next. A statement has ' +
          'at most ' +
          `${mostLines.json.toLocaleString('en')} lines, a PDF ${mostLines.pdf.toLocaleString('en')}, a camt.053 ${mostLines.camt053.toLocaleString('en')}.`,
        params,
        querystring: StatementQuery,
        response: {
          200: {
            content: {
              'application/json': { schema: StatementDocument },
              'text/csv': { schema: Type.String() },
              'application/pdf': { schema: Type.String({ contentMediaType: 'application/pdf' }) },
              'application/xml': { schema: Type.String({ contentMediaType: 'application/xml' }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { format = 'json' } = request.query
      const key = keyOf(request)
      const statement = await readStatement(statements, key, request.query)
      const body = await bodyOf[format](statement, key.venture_id)
      if (format !== 'json') reply.header('content-disposition', `attachment; filename="${fileName(statement, format)}"`)
      // Already serialised: the response schema only describes it.
      return reply.type(types[format]).send(body as string)
    },
  )

  app.get(
    '/accounts/:account_id/balances',
    {
      config: {
        access: reads('accounts'),
        refusals: ['account_not_found', ...listing],
        example: { query: { from: '2026-11-01', to: '2026-11-30' } },
        trial: { query: { from: '2026-01-01', to: '2026-12-31', step: 'month' } },
      },
      schema: {
        operationId: 'listBalances',
        tags,
        summary: 'List the balances of an account over time',
        description: 'For charts: one object for each day, week or month from `from` to `to`, at most 1,000. Future days are left out.',
        params,
        querystring: BalancesQuery,
        response: { 200: Type.Array(BalanceStep) },
      },
    },
    async (request) => listBalances(statements, keyOf(request), request.query),
  )
}

async function textOf({ head }: Statement, parts: AsyncIterable<string>): Promise<string | Readable> {
  if (head.line_count > linesPerPage) return Readable.from(parts)
  return (await Array.fromAsync(parts)).join('')
}

function fileName({ head }: Statement, format: Format): string {
  return `statement-${head.account_number}-${head.from.slice(0, 10)}-${head.to.slice(0, 10)}.${endings[format]}`
}
