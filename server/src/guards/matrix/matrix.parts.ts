// What a request of the matrix is made of, and what a row says about a route.
import type { Door } from '../../platform/http/access.ts'
import type { Kind } from '../../platform/http/trial.ts'
import type { Answer, Caller } from '../../testing/testing.ts'
import type { Fixtures } from './matrix.fixtures.ts'

/** Values for a request by their names. */
export type Given = Record<string, unknown>

/** What a request is made of. `signed` is a body that the verifier has signed. `caller` is whose key is right, where it is not the fixtures'. `given`: ids that stand for those of the fixtures. */
export type Parts = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: Record<string, unknown>
  form?: Record<string, string>
  /** Files of a form, by their names. */
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
  /** Kinds of ids that differ from the default for their names. */
  kinds: Readonly<Record<string, Kind>>
  /** Only a person of the bank may send it: the admin key opens the door and is refused behind it. */
  byPerson: boolean
  /** The status of a valid request, if the schema does not contain it. */
  status?: number
  /** An additional check that a valid request was carried out. */
  works?: (answer: Answer) => boolean
  /** Waits for what a request has started and what goes on after the answer. */
  settled?: (fixtures: Fixtures) => Promise<void>
  /** Fields in which otherwise equal responses may differ. */
  apart?: readonly string[]
}
