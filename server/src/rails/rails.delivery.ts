// Step 5: deliver. Every sealed message is delivered to the exchange under its name. A retry after a crash sends exactly this file under
// this name, and the exchange recognises it.
import { hash } from 'node:crypto'
import { openFirstCase } from '../cases/cases.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { listed, read, write } from '../platform/database/sql.ts'
import type { Logger } from '../platform/log.ts'
import { houseId } from '../ventures/ventures.ts'
import { DifferentFile, type FileExchange } from './exchange/rails.exchange.ts'
import { writtenMessageStates } from './rails.schemas.ts'

export type Delivering = { database: Database; exchange: FileExchange | undefined; log: Logger; now(): Date }

type Sealed = { id: string; file: string; sha256: string; body: Buffer; pack_id: string | null; message_id: string }

/** A message that is held back, because its file exists with other bytes, waits for a decision. */
function selectSealed(reader: Reader): Promise<{ id: string }[]> {
  return reader.rows(read<{ id: string }>`
    select id from rail_messages where direction = 'OUT' and state = 'SEALED' and detail is null order by id limit 100`)
}

const selectBody = (id: string) => read<Sealed>`
  select id, file, sha256, body, pack_id, message_id from rail_messages where id = ${id} and direction = 'OUT' and state = 'SEALED'`

/** Returns how many messages were delivered. */
export async function deliverSealed(delivering: Delivering): Promise<number> {
  let delivered = 0
  for (;;) {
    const found = await selectSealed(delivering.database)
    const done = await deliverMessages(
      delivering,
      found.map(({ id }) => id),
    )
    delivered += done
    if (done < found.length || found.length === 0) return delivered
  }
}

/** In any order, as many at a time as the exchange allows: for messages that are independent of each other. */
export async function deliverTogether(delivering: Delivering, ids: readonly string[]): Promise<number> {
  const left = [...ids]
  const deliver = async (): Promise<number> => {
    let delivered = 0
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const done = await deliverMessages(delivering, [id])
      delivered += done
      // The exchange is unavailable, or nothing was left to do: the next round tells.
      if (done === 0) break
    }
    return delivered
  }
  const lanes = Array.from({ length: delivering.exchange?.atOnce ?? 1 }, deliver)
  return (await Promise.all(lanes)).reduce((sum, delivered) => sum + delivered, 0)
}

/** In the order given. If the exchange is unavailable, the rest waits for the next round. */
export async function deliverMessages(delivering: Delivering, ids: readonly string[]): Promise<number> {
  const { database, exchange, log } = delivering
  if (exchange === undefined) return 0
  let delivered = 0
  for (const id of ids) {
    const message = await database.first(selectBody(id))
    if (message === undefined) continue
    if (hash('sha256', message.body) !== message.sha256) {
      await holdBack(delivering, message, 'The stored bytes are not the ones that were sealed.')
      continue
    }
    try {
      await exchange.send({ name: message.file, bytes: message.body, sha256: message.sha256 })
    } catch (error) {
      if (!(error instanceof DifferentFile)) {
        log.warn({ err: error, file: message.file }, 'a message could not be delivered')
        return delivered
      }
      await holdBack(delivering, message, 'A file with this name and other bytes has already been delivered.')
      continue
    }
    await database.transaction((tx) => writeDelivered(tx, message, delivering.now().toISOString()))
    delivered++
  }
  return delivered
}

async function writeDelivered(tx: Tx, { id, pack_id, message_id }: Sealed, now: string): Promise<void> {
  tx.evidence = read`select id from rail_messages where id = ${id} and state = 'DELIVERED'`
  tx.send(write`update rail_messages set state = 'DELIVERED', updated_at = ${now} where id = ${id} and state = 'SEALED'`)
  // An inquiry about a pack does not deliver the pack. The answer may come before the delivery is recorded: then the pack stays answered,
  // and the inquiry about its unanswered payments follows in time. An instant payment may already have timed out.
  tx.send(write`
    update rail_packs set state = case when state <> 'SEALED' then state when reason = 'no_answer' then 'UNKNOWN' else 'DELIVERED' end, delivered_at = ${now}, updated_at = ${now},
      sequence = sequence + 1
    where id = ${pack_id} and message_id = ${message_id} and (state = 'SEALED' or delivered_at is null)`)
}

/** A file that may have been read is never overwritten: people decide. */
async function holdBack({ database, log, now }: Delivering, { id, file, pack_id, message_id }: Sealed, detail: string): Promise<void> {
  log.error({ file, detail }, 'a message is held back')
  await database.transaction(async (tx) => {
    tx.evidence = read`select id from rail_messages where id = ${id} and detail is not null`
    tx.send(write`update rail_messages set detail = ${detail}, updated_at = ${now().toISOString()} where id = ${id} and state = 'SEALED'`)
    const payload = { message_id, detail }
    openFirstCase(tx, { venture_id: houseId, kind: 'delivery', resource_id: pack_id ?? id, payload, severity: 'URGENT', due_h: 4 })
  })
}

/** Keeps a message from leaving, if it has not left. One that is being handed over at this moment may leave. */
export function withholdMessage(tx: Tx, { pack_id, message_id }: { pack_id: string; message_id: string }, detail: string, now: Date): void {
  tx.send(write`
    update rail_messages set detail = ${detail}, updated_at = ${now.toISOString()}
    where pack_id = ${pack_id} and message_id = ${message_id} and direction = 'OUT' and state = 'SEALED' and detail is null`)
}

const written = listed(writtenMessageStates)

/** The next round delivers the same file again, under the same name. */
export function writeSendAgain(tx: Tx, pack_id: string, now: string): void {
  tx.send(write`
    update rail_messages set state = 'SEALED', detail = null, updated_at = ${now}
    where pack_id = ${pack_id} and direction = 'OUT' and state in (${written})
      and message_id = (select message_id from rail_packs where id = ${pack_id})`)
}
