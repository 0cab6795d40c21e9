// Answers questions of other banks about accounts in this one, and keeps that it did. A bank that tries many names for one account learns
// nothing more about it, and a case says so. All other banks are answered as before, so nobody can switch off the checks of an account.
import { openFirstCase } from '../../cases/cases.ts'
import { now } from '../../platform/clock.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { houseId } from '../../ventures/ventures.ts'
import { compareWith, findHolder, type Holder, notPossible } from '../payees.holders.ts'
import { guessing } from './payees.vop.cases.ts'
import { hashOf } from './payees.vop.exchanges.ts'
import { countOtherNames, type Exchange, insertExchange, takeTurn } from './payees.vop.sql.ts'
import { type VopAnswer, type VopQuestion, vopTime } from './payees.vop.wire.ts'

/** How many names one bank may ask about for one account within an hour. */
export const mostNames = 20
const hour_ms = 3_600_000

type Received = { request_id: string; asked_at: string; question: VopQuestion }

export async function answerQuestion(database: Database, { request_id, asked_at, question }: Received): Promise<VopAnswer> {
  const holder = await findHolder(database, question.iban)
  const id = uuidv7()
  const asked = {
    venture_id: holder?.venture_id ?? houseId,
    id,
    direction: 'ANSWERED' as const,
    request_id,
    bic: question.from,
    account_id: holder?.account_id ?? null,
    asked_at,
    question_hash: hashOf(holder?.account_id ?? id, question),
  }
  return database.transaction(async (tx) => {
    const answer = await answerIn(tx, question, holder, asked)
    const [result, id_result] = [answer.name?.result ?? null, answer.id?.result ?? null]
    insertExchange(tx, { ...asked, answered_at: vopTime(), result, id_result })
    return answer
  })
}

type Asked = Pick<Exchange, 'question_hash' | 'bic'> & { bic: string }

async function answerIn(tx: Tx, { name, identification }: VopQuestion, holder: Holder | undefined, asked: Asked): Promise<VopAnswer> {
  // Clients are people, of whom no id is verified.
  const id = identification && notPossible('not_applicable')
  if (name === undefined) return { id }
  if (holder === undefined) return { name: notPossible('account_unknown'), id }
  if (await isGuessing(tx, holder, asked)) return { name: notPossible('not_applicable'), id }
  return { name: compareWith(holder, name), id }
}

/** Whether this name is one too many, from this bank for this account. */
async function isGuessing(tx: Tx, { venture_id, account_id }: Holder, { question_hash, bic }: Asked): Promise<boolean> {
  const asking = { venture_id, account_id, bic }
  await takeTurn(tx, asking)
  const since = new Date(now().getTime() - hour_ms)
  if ((await countOtherNames(tx, asking, { hash: question_hash, since })) < mostNames) return false
  openFirstCase(tx, { venture_id, kind: guessing, resource_id: account_id, payload: { from_bic: bic, most_names: mostNames } })
  return true
}
