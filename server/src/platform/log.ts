// Structured logs: one JSON line each. Keys, signatures, bodies and query strings never reach a log line.
import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/** PostgreSQL puts whole rows into the details of an error. What helps to find a bug is kept, what people entrusted to us is not. */
function withoutData(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  const { code, constraint, table } = error as Error & { code?: string; constraint?: string; table?: string }
  return { type: error.name, message: error.message, stack: error.stack, code, constraint, table }
}

export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: withoutData } }
  // Asynchronous: a synchronous write for each line costs the hot path 24 %.
  return pino(options, destination ?? pino.destination({ dest: 1, sync: false }))
}
