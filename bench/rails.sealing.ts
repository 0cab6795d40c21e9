// Seals packs inside the service: writes, validates and stores their messages. The walks of the transfers are not included.
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { MessageReader } from '../server/src/iso20022/iso20022.ts'
import { now } from '../server/src/platform/clock.ts'
import { sealPacks } from '../server/src/rails/packs/rails.seal.ts'
import type { Services } from '../server/src/services.ts'
import type { Figures } from './figures.ts'
import { childrenOf, ended_s, endOf } from './usage.ts'

export type SealingRun = { kind: 'sealing'; ownerUrl: string; venture_id: string; rows: number }

/** CPU time and peak memory of both processes. */
export type Sealed = Figures & { cpu_s: number; service_mb: number; child_mb: number; messages: number; bytes: number }

const perPack = 5_000

/** Copies a completed payment into sent transfers, payments in open packs, and the packs. */
async function makeRows(owner: pg.Client, { venture_id, rows }: SealingRun): Promise<void> {
  const { rows: found } = await owner.query(
    `select transfer_id from rail_payments where venture_id = $1 and kind = 'CREDIT_TRANSFER' and state = 'SETTLED' limit 1`,
    [venture_id],
  )
  const [template] = found
  if (template === undefined) throw new Error('no payment has settled that could be copied')
  await owner.query('create temp table copied as select gen_random_uuid() as id, n from generate_series(0, $1::int - 1) as n', [rows])
  await owner.query(
    'create temp table copied_packs as select gen_random_uuid() as id, n from generate_series(0, ($1::int - 1) / $2::int) as n',
    [rows, perPack],
  )
  // LATERAL, because `(function()).*` would call the function once for each column.
  const insert = (table: string, changes: string, from: string) =>
    owner.query(
      `insert into ${table} select copy.* from ${from} cross join lateral jsonb_populate_record(null::${table}, to_jsonb(original) || ${changes}) as copy`,
    )
  await insert(
    'transfers',
    `jsonb_build_object('id', copied.id, 'unique_reference', 'sealed-' || copied.id)`,
    `(select * from transfers where id = '${template.transfer_id}') original cross join copied`,
  )
  await insert(
    'rail_packs',
    `jsonb_build_object('id', copied_packs.id, 'state', 'OPEN', 'message_id', 'BENCH' || left(replace(copied_packs.id::text, '-', ''), 24))`,
    `(select * from rail_packs where id = (select pack_id from rail_payments where transfer_id = '${template.transfer_id}')) original cross join copied_packs`,
  )
  const tx = `replace(copied.id::text, '-', '')`
  await insert(
    'rail_payments',
    `jsonb_build_object('transfer_id', copied.id, 'tx_id', ${tx}, 'state', 'PACKED', 'settled_on', null, 'pack_id', copied_packs.id,
      'position', copied.n % ${perPack} + 1, 'content', original.content::jsonb || jsonb_build_object('tx_id', ${tx}, 'end_to_end_id', 'E' || copied.n))`,
    `(select * from rail_payments where transfer_id = '${template.transfer_id}') original
      cross join copied join copied_packs on copied_packs.n = copied.n / ${perPack}`,
  )
  await owner.query('analyze transfers, rail_packs, rail_payments')
}

/** Prevents delivery. */
async function deleteRows(owner: pg.Client): Promise<void> {
  await owner.query('delete from rail_messages where pack_id in (select id from copied_packs)')
  await owner.query('delete from rail_payments where transfer_id in (select id from copied)')
  await owner.query('delete from rail_packs where id in (select id from copied_packs)')
  await owner.query('delete from transfers where id in (select id from copied)')
}

const memory_mb = async (pid: number | 'self') =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))?.[1] ?? 0) / 1024

export async function measureSealing(services: Services, run: SealingRun): Promise<Sealed> {
  const owner = new pg.Client({ connectionString: run.ownerUrl })
  await owner.connect()
  await services.sending.stop()
  try {
    await makeRows(owner, run)
    const reader = new MessageReader()
    const { database, transfers, files, log } = services
    const nothing = async () => new Map()
    const sources = { mandatesOf: nothing, returnsOf: nothing }
    const timeoutsOf = async () => new Map()
    const packing = { database, transfers, exchange: files, reader, sources, log, now, answer_ms: 3_600_000, timeoutsOf }
    let [service_mb, child_mb] = [0, 0]
    const known = new Set(await childrenOf(process.pid))
    const look = async () => {
      service_mb = Math.max(service_mb, await memory_mb('self'))
      for (const child of await childrenOf(process.pid)) if (!known.has(child)) child_mb = Math.max(child_mb, await memory_mb(child))
    }
    const timer = setInterval(() => void look(), 20)
    const { user, system } = process.cpuUsage()
    const [before_s, start] = [await ended_s(), performance.now()]
    while ((await sealPacks(packing)) > 0);
    const took_ms = performance.now() - start
    // The CPU time of a child counts once it has ended.
    await reader.close()
    for (const child of await childrenOf(process.pid)) if (!known.has(child)) await endOf(child)
    const used = process.cpuUsage({ user, system })
    clearInterval(timer)
    const cpu_s = (used.user + used.system) / 1e6 + (await ended_s()) - before_s
    const { rows } = await owner.query(
      `select count(*)::int as messages, sum(octet_length(body))::bigint::text as bytes from rail_messages
       where pack_id in (select id from copied_packs)`,
    )
    const { messages, bytes } = rows[0]
    if (messages !== Math.ceil(run.rows / perPack)) throw new Error(`${messages} messages were sealed`)
    return {
      perSecond: (run.rows / took_ms) * 1000,
      p50_ms: took_ms / messages,
      p99_ms: took_ms / messages,
      cpu_s,
      service_mb,
      child_mb,
      messages,
      bytes: Number(bytes),
    }
  } finally {
    await deleteRows(owner)
    await owner.end()
    services.sending.start()
  }
}
