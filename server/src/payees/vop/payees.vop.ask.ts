// Asks other banks about payees, over the routing service of the scheme.
import type { Database } from '../../platform/database/database.ts'
import { parseJson } from '../../platform/http/json.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { DirectoryQuestion, PayeeDirectory } from '../payees.directory.ts'
import { notPossible } from '../payees.holders.ts'
import type { PayeeAnswer } from '../payees.schemas.ts'
import { hashOf } from './payees.vop.exchanges.ts'
import type { Route } from './payees.vop.route.ts'
import { insertExchange } from './payees.vop.sql.ts'
import { isLatin, readAnswer, type VopQuestion, vopHeaders, vopTime, writeQuestion } from './payees.vop.wire.ts'

/** `bic`: that of this bank. */
type Options = { database: Database; bic: string; route: Route }

export function vopDirectory({ database, bic, route }: Options): PayeeDirectory {
  return {
    async verify(question, signal) {
      // No bank could read it.
      if (question.name !== undefined && !isLatin(question.name)) return notPossible('name_unreadable')
      const asked: VopQuestion = { from: bic, to: question.bic, ...only(question) }
      const request_id = crypto.randomUUID()
      const asked_at = vopTime()
      const answer = await ask(route, { request_id, asked_at, asked }, signal).catch((error: Error) => error)
      await keep(database, question, { request_id, asked_at, asked, answer: answer instanceof Error ? undefined : answer })
      if (answer instanceof Error) throw answer
      return answer
    },
    close: () => route.close(),
  }
}

const only = ({ iban, name, identification }: DirectoryQuestion) => ({ iban, name, identification })

type Asked = { request_id: string; asked_at: string; asked: VopQuestion }

/** Rejects unless the answer is to this question. */
async function ask(route: Route, { request_id, asked_at, asked }: Asked, signal: AbortSignal): Promise<PayeeAnswer> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    [vopHeaders.id]: request_id,
    [vopHeaders.asked]: asked_at,
  }
  const answer = await route.send({ headers, body: JSON.stringify(writeQuestion(asked)) }, signal)
  if (answer.status !== 200) throw new Error(`the routing service answered with status ${answer.status}`)
  if (answer.request_id !== null && answer.request_id.toLowerCase() !== request_id) throw new Error('the answer is to another question')
  return readAnswer(parseJson(answer.bytes), asked.name === undefined ? 'id' : 'name')
}

async function keep(
  database: Database,
  { venture_id }: DirectoryQuestion,
  { request_id, asked_at, asked, answer }: Asked & { answer: PayeeAnswer | undefined },
): Promise<void> {
  const id = uuidv7()
  const result = answer?.result ?? null
  const row = {
    venture_id,
    id,
    direction: 'ASKED' as const,
    request_id,
    bic: asked.to ?? null,
    account_id: null,
    asked_at,
    answered_at: answer === undefined ? null : vopTime(),
    result: asked.name === undefined ? null : result,
    id_result: asked.name === undefined ? result : null,
    question_hash: hashOf(id, asked),
  }
  await database.transaction(async (tx) => insertExchange(tx, row))
}
