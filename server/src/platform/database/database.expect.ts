// Statements that fail unless they find the expected number of rows, so that nothing sent behind them is carried out.
import { isDivisionByZero } from './database.errors.ts'
import { Choice } from './sql.ts'

/** A column expression for a query. Plain SQL has no way to fail other than dividing by zero. */
export const failsUnlessCount = (expected: number): Choice => new Choice(['1 / (count(*) = ', ')::int'], [expected])

/** Waits for a statement with `failsUnlessCount`, and throws `unexpected` if the count differs. */
export async function expectingCount<Result>(found: Promise<Result>, unexpected: () => Error): Promise<Result> {
  try {
    return await found
  } catch (error) {
    throw isDivisionByZero(error) ? unexpected() : error
  }
}
