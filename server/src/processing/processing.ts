// The front door of processing.
import { type Answer, handOver, settle } from './processing.exchange.ts'
import type { ScreenArriving } from './processing.instants.ts'
import { payerFault } from './processing.payer.ts'
import type { Walk } from './processing.planner.ts'
import { connector, walkOf } from './processing.worker.ts'

export type { Answer, ScreenArriving, Walk }
export { connector, handOver, payerFault, settle, walkOf }
