// The parts of a request of the matrix, and the rows that describe the requests of a route.
import type { Door } from '../../platform/http/access.ts'
import type { Kind } from '../../platform/http/trial.ts'
import type { Answer, Caller } from '../../testing/testing.ts'
import type { Fixtures } from './matrix.fixtures.ts'

/** Values for a request, by name. */
export type Given = Record<string, unknown>

/**
 * The parts of a request. `signed`: a body that the verifier has signed. `caller`: the right caller, if it is not that of the fixtures. `given`: ids that
 * replace those of the fixtures.
 */
export type Parts = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  form?: Record<string, string>
  /** The files of a form, by name. */
  files?: Record<string, string>
  signed?: Record<string, unknown>
  headers?: Record<string, string>
  caller?: Caller
  given?: Given
}

export type Maker = (fixtures: Fixtures) => Parts | Promise<Parts>

export type Row = {
  door: Door
  /** Each makes a valid request; several if one request cannot contain all the ids that the route takes. */
  makers: readonly Maker[]
  /** Kinds of ids, if they differ from the default for the name. */
  kinds: Readonly<Record<string, Kind>>
  /** Only a person of the bank may send it: the route accepts the admin key, but the operation refuses it. */
  byPerson: boolean
  /** The status of a valid request, if the schema does not contain it. */
  status?: number
  /** An additional check that a valid request was carried out. */
  works?: (answer: Answer) => boolean
  /** Waits for work that a request has started and that continues after the response. */
  settled?: (fixtures: Fixtures) => Promise<void>
  /** Fields in which otherwise equal responses may differ. */
  apart?: readonly string[]
}
