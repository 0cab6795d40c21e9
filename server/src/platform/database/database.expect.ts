// Statements that fail unless they find as many rows as expected, so that nothing which was sent behind them is carried out.
import { isDivisionByZero } from './database.errors.ts'
import { Choice } from './sql.ts'

/** An expression for the columns of a query. Plain SQL has no other way to refuse than to divide by zero. */
export const failsUnlessCount = (expected: number): Choice => new Choice(['1 / (count(*) = ', ')::int'], [expected])

/** Waits for a statement with `failsUnlessCount`, and throws this error if the count was another. */
export async function expectingCount<Result>(found: Promise<Result>, unexpected: () => Error): Promise<Result> {
  try {
    return await found
  } catch (error) {
    throw isDivisionByZero(error) ? unexpected() : error
  }
}
