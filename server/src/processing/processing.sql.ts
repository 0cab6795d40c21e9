// SQL statements for processing.

import type { Client } from '../clients/clients.ts'
import { now } from '../platform/clock.ts'
import { rowsByVenture } from '../platform/database/database.placement.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { Columns, fixed, listed, read, write } from '../platform/database/sql.ts'
import { inSteps } from '../platform/retention.ts'
import { dueStatuses } from '../transfers/life/transfers.sets.ts'
import { terminalStatuses } from '../transfers/life/transfers.status.ts'

const due = listed(dueStatuses)
const ended = listed(terminalStatuses)

export type Key = { venture_id: string; id: string }

/** `leaves`: the methods whose payments rails move once they are sent. */
export type Due = { ventures: readonly string[]; leaves: readonly string[]; now: string; after: string; limit: number }

/** Transfers that may have to be processed, oldest first, after a given one. */
export async function selectDue(reader: Reader, { ventures, leaves, now, after, limit }: Due): Promise<Key[]> {
  if (ventures.length === 0) return []
  return reader.rows(read<Key>`
    select transfer.venture_id, transfer.id from transfers transfer left join processing_delays delay
      on delay.venture_id = transfer.venture_id and delay.transfer_id = transfer.id and delay.sequence = transfer.sequence
    where transfer.venture_id = any(${ventures}) and transfer.managed and transfer.id > ${after} and (delay.until is null or delay.until <= ${now})
      and transfer.status in (${due})
      and not (transfer.sent and not transfer.on_us and transfer.method = any(${leaves}))
    order by transfer.id limit ${limit}`)
}

export type Delay = { venture_id: string; transfer_id: string; sequence: number; until: string }

export function writeDelays(tx: Tx, delays: readonly Delay[]): void {
  if (delays.length === 0) return
  tx.send(write`
    insert into processing_delays (venture_id, transfer_id, sequence, until)
    select venture_id, transfer_id, sequence, until from json_populate_recordset(null::processing_delays, ${JSON.stringify(delays)})
    order by venture_id, transfer_id
    on conflict (venture_id, transfer_id) do update set sequence = excluded.sequence, until = excluded.until`)
}

const hour_ms = 3_600_000

/** Deletes delays that are over. */
export async function* pruneDelays(database: Database, ventures: readonly string[], step = 1_000): AsyncIterable<number> {
  const before = new Date(now().getTime() - hour_ms).toISOString()
  for (const venture_id of ventures)
    yield* inSteps(step, () => database.transaction((tx) => deleteDelays(tx, { venture_id, before, step })))
}

function deleteDelays(tx: Tx, { venture_id, before, step }: { venture_id: string; before: string; step: number }): Promise<number> {
  return tx.run(write`
    delete from processing_delays where venture_id = ${venture_id} and transfer_id in (
      select transfer_id from processing_delays where venture_id = ${venture_id} and until < ${before} order by until limit ${step})`)
}

export type Waiting = { status: string; transfers: number; oldest_s: number }

/** How many transfers wait for the bank or for other banks, by status. */
export function countWaiting(reader: Reader, venture_ids: readonly string[]): Promise<Waiting[]> {
  return reader.rows(read<Waiting>`
    select status, count(*)::int as transfers, extract(epoch from (${now().toISOString()}::timestamptz - min(updated_at)))::float8 as oldest_s from transfers
    where venture_id = any(${venture_ids}) and managed
      and status in (${due})
    group by status`)
}

/** The details of a client that are screened. */
export type ClientParty = Pick<
  Client,
  'id' | 'first_name' | 'middle_name' | 'last_name' | 'date_of_birth' | 'nationality' | 'birth_country' | 'country_code' | 'kyc_status'
>

const clientColumns = new Columns(
  ['id', 'first_name', 'middle_name', 'last_name', 'date_of_birth', 'nationality', 'birth_country', 'country_code', 'kyc_status'],
  'client',
)

export type OwnerOf = ClientParty & { venture_id: string; account_id: string }

/** The clients of some accounts. */
export function findClientsOf(reader: Reader, all: readonly Key[]): Promise<OwnerOf[]> {
  return rowsByVenture(reader, all, (accounts) => {
    const ventures = accounts.map(({ venture_id }) => venture_id)
    return reader.rows(read<OwnerOf>`
      select ${clientColumns}, account.venture_id, account.id as account_id
      from accounts account join clients client on client.venture_id = account.venture_id and client.id = account.client_id
      where (account.venture_id, account.id) in (select * from unnest(${ventures}::uuid[], ${accounts.map(({ id }) => id)}::uuid[]))
        and client.venture_id = any(${[...new Set(ventures)]}) ${reader.placement.narrow(fixed`account.venture_id`, accounts)}`)
  })
}

/** A part of a venture's subjects: those after a given one, in the order of their ids. */
export type Part = { venture_id: string; after: string; limit: number }

export function selectClientParties(reader: Reader, { venture_id, after, limit }: Part): Promise<ClientParty[]> {
  return reader.rows(read<ClientParty>`
    select ${clientColumns} from clients client where client.venture_id = ${venture_id} and client.id > ${after}
    order by client.id limit ${limit}`)
}

export const selectClientParty = (venture_id: string, id: string) => read<ClientParty>`
  select ${clientColumns} from clients client where client.venture_id = ${venture_id} and client.id = ${id}`

export function selectBeneficiaryKeys(reader: Reader, { venture_id, after, limit }: Part): Promise<Key[]> {
  return reader.rows(read<Key>`
    select venture_id, id from beneficiaries where venture_id = ${venture_id} and id > ${after} order by id limit ${limit}`)
}

/** Screened payments that have not ended, and those under review, on hold or not. */
export function selectUnfinished(reader: Reader, { venture_id, after, limit }: Part): Promise<Key[]> {
  return reader.rows(read<Key>`
    select venture_id, id from transfers
    where venture_id = ${venture_id} and id > ${after} and managed and (screened or 'REVIEW' in (status, on_hold_from))
      and status not in (${ended})
    order by id limit ${limit}`)
}
