// What has happened to each person's sign-in, for the person and the bank. An attempt with a password is recorded as a failure, together
// with its count, before the password is checked, so that known and unknown emails take the same time.
import { now } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { columnsOf, read, write } from '../platform/database/sql.ts'
import { pageOf } from '../platform/http/lists.ts'
import { uuidv7 } from '../platform/ids.ts'
import { inSteps, type Pruning } from '../platform/retention.ts'
import { refuse } from '../values/refusals.ts'
import { SignInRecord, type UserList } from './users.schemas.ts'
import { selectUser } from './users.sql.ts'

type What = SignInRecord['what']
type Factor = SignInRecord['factor']

/** How an attempt with a password is recorded until it has succeeded. */
export type Attempted = Extract<What, 'SIGN_IN_FAILED' | 'PROOF_FAILED'>

type Note = { user_id: string; what: What; factor?: Factor; address: string | null; session_id?: string | null }

export function note(tx: Tx, { user_id, what, factor = null, address, session_id = null }: Note): Promise<number> {
  return tx.run(write`
    insert into sign_ins (id, user_id, what, factor, address, session_id, created_at)
    values (${uuidv7()}, ${user_id}, ${what}, ${factor}, ${address}, ${session_id}, ${now().toISOString()})`)
}

/** Nothing is recorded about an unknown email. */
export function noteAttempt(
  tx: Tx,
  { id, email, what, address }: { id: string; email: string; what: Attempted; address: string },
): Promise<number> {
  return tx.run(write`
    insert into sign_ins (id, user_id, what, factor, address, session_id, created_at)
    select ${id}, person.id, ${what}, 'PASSWORD', ${address}, null, ${now().toISOString()} from users person where person.email = ${email}`)
}

export function noteSuccess(tx: Tx, id: string, { what, session_id }: { what: What; session_id: string }): Promise<number> {
  return tx.run(write`update sign_ins set what = ${what}, session_id = ${session_id} where id = ${id}`)
}

export function forgetNote(tx: Tx, id: string): Promise<number> {
  return tx.run(write`delete from sign_ins where id = ${id}`)
}

/**
 * Recorded once for each address while it is refused, however often it asks: the lock lets each transaction see what the previous one has
 * written.
 */
export async function noteThrottled(tx: Tx, { email, address, since }: { email: string; address: string; since: string }): Promise<number> {
  await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${`throttled ${email} ${address}`}, 0))`)
  return tx.run(write`
    insert into sign_ins (id, user_id, what, factor, address, session_id, created_at)
    select ${uuidv7()}, person.id, 'SIGN_IN_THROTTLED', 'PASSWORD', ${address}, null, ${now().toISOString()} from users person
    where person.email = ${email} and not exists (
      select from sign_ins known
      where known.user_id = person.id and known.what = 'SIGN_IN_THROTTLED' and known.address = ${address} and known.created_at > ${since}
    )`)
}

const columns = columnsOf(SignInRecord)

export function listSignIns(database: Database, user_id: string, query: UserList): Promise<SignInRecord[]> {
  return database.rows(read<SignInRecord>`
    select * from (select ${columns} from sign_ins where user_id = ${user_id}) as listed ${pageOf(query, {})}`)
}

export async function listUserSignIns(database: Database, user_id: string, query: UserList): Promise<SignInRecord[]> {
  if ((await database.first(selectUser(user_id))) === undefined) refuse('user_not_found')
  return listSignIns(database, user_id, query)
}

export function signInPruning(database: Database, { days, step = 1_000 }: { days: number; step?: number }): Pruning {
  const steps = () => {
    const before = new Date(now().getTime() - days * 86_400_000).toISOString()
    return inSteps(step, () =>
      database.transaction((tx) =>
        tx.run(write`
          delete from sign_ins where id in (select id from sign_ins where created_at < ${before} order by created_at limit ${step})`),
      ),
    )
  }
  return { name: 'records of sign-ins', steps }
}
