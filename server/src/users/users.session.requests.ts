// What the routes of sessions and of passkeys have in common: whose session it is, where the request comes from, and the answer with a new session.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressOf } from '../platform/address.ts'
import type { Database } from '../platform/database/database.ts'
import type { AdminKeyRules } from './users.adminkey.ts'
import { type Console, refuseSession } from './users.browser.ts'
import type { Session } from './users.schemas.ts'
import { describeSession, type Sessions } from './users.sessions.ts'
import type { FoundSession } from './users.sql.ts'
import type { Throttle } from './users.throttle.ts'

export type SessionOptions = {
  database: Database
  sessions: Sessions
  console: Console
  throttle: Throttle
  trustedProxies: readonly string[]
  sandbox: boolean
  passkeysRequired: boolean
  hasVerifier: boolean
  adminKey: AdminKeyRules
  fourEyes: boolean
}

export function sessionRequests(options: SessionOptions) {
  const { database, sessions, console, trustedProxies } = options
  const sessionOf = ({ session }: FastifyRequest): FoundSession => session ?? refuseSession()
  const fromOf = (request: FastifyRequest) => ({ address: addressOf(request, trustedProxies), session: request.session })

  /** Gives the browser its token, and answers with the session. */
  async function welcome(reply: FastifyReply, token: string): Promise<Session> {
    console.setCookie(reply, token)
    return describeSession(database, (await sessions.find(token)) ?? refuseSession(), options)
  }

  return { sessionOf, fromOf, welcome }
}
