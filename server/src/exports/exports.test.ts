// Everything stored about a client is in its export, as far as the caller may see it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openScreener } from '../processing/processing.screener.ts'
import type { Screener } from '../processing/processing.worker.ts'
import { TestList } from '../testing/testing.lists.ts'
import { someOnboarding } from '../testing/testing.people.ts'
import { openRails } from '../testing/testing.rails.ts'
import { openReceiver } from '../testing/testing.receiver.ts'
import { wantsCluster } from '../testing/testing.server.ts'
import { openBanker, openMember } from '../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, VentureCaller } from '../testing/testing.ts'
import { unzip } from '../testing/testing.zip.ts'
import { eventsFile, kinds, leftOut } from './exports.kinds.ts'
import { exportClient, namesFor } from './exports.ts'

let real: Screener | undefined
const screener: Screener = {
  screen: async (payments) => (real === undefined ? payments.map(() => ({ outcome: 'CLEAR', companions: [] })) : real.screen(payments)),
}
const rails = await openRails({ webhookAllowPrivateNetwork: true }, { screener })
const { bank, venture, other, rows, takeIn, sent } = rails
await bank.listen()
const venture_id = venture.venture.id
const asBank = new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': venture_id })
const unknownId = '0198c6f2-0000-7000-8000-000000000000'

type Files = Record<string, Loose[]>

/** The rows of all files, by kind, and the archive's description of itself. */
async function exported(by: Caller, id: string): Promise<{ files: Files; about: Loose; text: string }> {
  const answer = await bank.app.inject({ method: 'GET', url: `/api/v1/clients/${id}/export`, headers: by.headers })
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['content-type'], 'application/zip')
  assert.equal(answer.headers['content-disposition'], `attachment; filename="client-${id}.zip"`)
  const files = unzip(answer.rawPayload)
  const about = JSON.parse(files.get('about.json') ?? '')
  const parsed = [...files].flatMap(([name, text]) =>
    name === 'about.json' ? [] : [[name.replace(/(-\d+)?\.json$/, ''), JSON.parse(text)] as const],
  )
  for (const { file, rows } of about.files) {
    assert.equal(parsed.filter(([name]) => `${name}.json` === file).flatMap(([, members]) => members).length, rows, file)
  }
  return { files: Object.fromEntries(parsed), about, text: [...files.values()].join('\n') }
}

const person = { first_name: 'Zenobia', last_name: 'Quillfeather', date_of_birth: '1987-03-14', mobile_phone_number: '+33698765432' }
const name = `${person.first_name} ${person.last_name}`

/** A client to whom everything has happened that can happen. */
async function someLife(): Promise<{ client: Loose; account: Loose; others: Loose[] }> {
  const receiver = await openReceiver()
  assert.equal((await venture.post('/webhook-endpoints', { url: receiver.url })).status, 201)
  const client = await venture.registerClient(person)
  const submitted = await venture.post(`/clients/${client.id}/onboarding/details`, someOnboarding)
  assert.equal(submitted.status, 201, submitted.text)
  await bank.runJobs()
  const decided = await venture.post(`/sandbox/clients/${client.id}/verification`, { outcome: 'APPROVED' })
  assert.ok(decided.status < 300, decided.text)
  await bank.runJobs()
  const account = await venture.openAccount({ client_id: client.id, balance: '1000.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(client.id)

  const { transfer, payment } = await sent({ account_id: account.id, beneficiary_id }, { purpose: `From ${name}` })
  other.answer([payment], 'ACSC')
  await takeIn()
  assert.equal((await venture.post(`/transfers/${transfer.id}/recalls`, { reason: 'DUPL' })).status, 201)
  await rails.sendOut()
  other.giveBack([payment])
  other.pay([
    {
      tx_id: `IN-${client.id}`.slice(0, 30),
      creditor_iban: account.account_number,
      amount: 12_3400n,
      creditor: { name },
      remittance: [`For ${name}`],
    } as Loose,
  ])
  await takeIn()

  // A client of the same venture and one of another venture pay her.
  const payer = await venture.openAccount({ balance: '500.00' })
  const open = await bank.registerVenture('Elsewhere')
  const far = await open.openAccount({ balance: '500.00' })
  for (const [by, from] of [
    [venture, payer],
    [open, far],
  ] as const) {
    const named = await by.addBeneficiary(from.client_id, { name, iban: account.account_number })
    await by.createTransfer({ account_id: from.id, beneficiary_id: named.id, debit_amount: '5.00' })
  }
  const asked = await venture.post('/payee-verifications', { name, iban: account.account_number })
  assert.ok(asked.status < 300, asked.text)
  await rails.sendOut()
  await venture.post('/mandates', {
    account_id: account.id,
    reference: `M-${client.id.slice(0, 8)}`,
    creditor_id: 'DE98ZZZ09999999999',
    scheme: 'CORE',
    sequence_type: 'RCUR',
    debtor_name: `Brother of ${name}`,
    debtor_iban: 'DE89370400440532013000',
    signed_on: '2026-01-02',
  })

  const order = { amount: '12.50', currency: 'EUR', success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/failed' }
  const link = await venture.post('/payment-links', { ...order, ask_name: true, ask_email: true, ask_phone: true })
  assert.equal(link.status, 201, link.text)
  const form = new URLSearchParams({ name, email: client.email.toUpperCase(), phone: person.mobile_phone_number }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const paid = await bank.app.inject({ method: 'POST', url: `/pay/${link.body.token}`, payload: form, headers })
  assert.equal(paid.statusCode, 303, paid.body)

  // From now on she and her payers are on a list.
  real = openScreener(bank.database, bank.rescreening.comparison)
  const list = await TestList.open(bank)
  await list.publish({ name, birth_date: person.date_of_birth } as Loose)
  await bank.runJobs()
  await venture.createTransfer({
    account_id: payer.id,
    beneficiary_id: (await venture.addBeneficiary(payer.client_id, { name, iban: account.account_number })).id,
    debit_amount: '6.00',
  })
  await bank.runProcessing()
  assert.equal((await asBank.get(`/clients/${client.id}`)).status, 200)
  assert.equal((await asBank.put(`/clients/${client.id}`, { kyc_note: `${name} was here` })).status, 200)
  await bank.owner.query(
    `insert into approvals (venture_id, id, action, resource_id, payload, payload_hash, sequence, maker_id, state, created_at, expires_at)
     values ($1, $2, 'unblock-client', $3, $4, repeat('a', 64), 1, $2, 'EXPIRED', now(), now())`,
    [venture_id, randomUUID(), client.id, JSON.stringify({ kyc_note: name })],
  )
  await bank.runDeliveries()
  return { client, account, others: [payer, far] }
}

const life = await someLife()

type Column = { table: string; column: string; keys: string[] }

async function columnsOfEverything(): Promise<Column[]> {
  const { rows } = await bank.owner.query(`
    select relname as table, attname as column,
      array(select key.attname::text from pg_index join pg_attribute key on key.attrelid = indrelid and key.attnum = any(indkey)
        where indrelid = pg_class.oid and indisprimary) as keys
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
    where relkind in ('r', 'p') and not relispartition and nspname = 'public' and attnum > 0 and not attisdropped
      and atttypid in ('text'::regtype, 'text[]'::regtype, 'json'::regtype, 'jsonb'::regtype, 'date'::regtype)`)
  return rows
}

/** Tables that are left out although they have rows that name the client: their reasons say why. */
const namedButLeftOut = [
  'client_emails',
  'idempotency_keys',
  'sandbox_applications',
  'sandbox_bank_entries',
  'sandbox_bank_payments',
  'transfer_texts',
  'watchlist_entries',
]

test('every row of the database that names the client is in the export of the bank, or in a table that is left out with a reason', async () => {
  const { client } = life
  const { files } = await exported(asBank, client.id)
  const texts = [person.last_name, client.email, person.mobile_phone_number, person.date_of_birth]
  const missing: string[] = []
  const found = new Map<string, number>()
  const without = new Set<string>()
  for (const { table, column, keys } of await columnsOfEverything()) {
    const { rows } = await bank.owner.query(`select to_jsonb(row) as row from "${table}" row where "${column}"::text ilike any($1)`, [
      texts.map((text) => `%${text}%`),
    ])
    const kept = Object.entries(kinds)
      .filter(([, kind]) => kind.table === table)
      .flatMap(([file]) => files[file] ?? [])
    const inFile = new Set(
      (table === 'events' ? (files['events'] ?? []) : kept).map((row) => keys.map((key) => String(row[key])).join(' ')),
    )
    for (const { row } of rows) {
      found.set(table, (found.get(table) ?? 0) + 1)
      if (leftOut[table] !== undefined) without.add(table)
      else if (!inFile.has(keys.map((key) => String(row[key])).join(' ')))
        missing.push(`${table}.${column}: ${JSON.stringify(row).slice(0, 300)}`)
    }
  }
  assert.deepEqual(missing, [])
  assert.deepEqual(
    [...without].filter((table) => !namedButLeftOut.includes(table)),
    [],
  )
  assert.ok(found.size >= 15, `she is named in ${[...found.keys()].sort()} only`)
})

test('every table has a decision: its rows are exported, or left out with a reason', async () => {
  const tables = new Set((await columnsOfEverything()).map(({ table }) => table))
  const { rows } = await bank.owner.query<{ table: string }>(`
    select relname as table from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname = 'public'`)
  const exportedTables = [...Object.values(kinds).map(({ table }) => table as string), eventsFile.table]
  assert.ok(tables.size > 50)
  assert.deepEqual(
    rows.map(({ table }) => table).sort(),
    [...new Set([...exportedTables, ...Object.keys(leftOut)])].filter((table) => wantsCluster() || table !== 'claims').sort(),
    'decide in exports.kinds.ts what an export has of a new table',
  )
  assert.deepEqual(
    exportedTables.filter((table) => leftOut[table] !== undefined),
    [],
  )
})

test('a venture gets what it may see: its rows, and nothing of lists, cases, scans and the people of the bank', async () => {
  const { client, account } = life
  const { files, about, text } = await exported(venture, client.id)
  assert.deepEqual([about.client_id, about.venture_id, about.seen_by], [client.id, venture_id, 'venture'])
  assert.deepEqual(
    about.files.map(({ file }: Loose) => file).sort(),
    namesFor('venture')
      .map((file) => `${file}.json`)
      .sort(),
  )
  const secret = [
    'screenings',
    'screening_hits',
    'cleared_pairs',
    'cases',
    'approvals',
    'audit_log',
    'client_reads',
    'breaks',
    'unapplied_payments',
    'rail_messages',
  ]
  assert.deepEqual(
    namesFor('venture').filter((file) => secret.includes(file)),
    [],
  )
  for (const file of [
    'clients',
    'onboarding_details',
    'accounts',
    'beneficiaries',
    'transfers',
    'transfer_moves',
    'entries',
    'events',
    'payments',
    'mandates',
    'recalls',
    'webhook_deliveries',
  ]) {
    assert.ok((files[file]?.length ?? 0) > 0, `${file} is empty`)
  }
  assert.deepEqual(files['clients'], [(await venture.get(`/clients/${client.id}`)).body])
  const { available_balance: _, ...shown } = (await venture.get(`/accounts/${account.id}`)).body
  assert.deepEqual(Object.keys(files['accounts']?.[0]).sort(), Object.keys(shown).sort())
  // Anything that would reveal that a person is on a list.
  const { files: whole } = await exported(asBank, client.id)
  assert.ok((whole['screening_hits']?.length ?? 0) > 0 && (whole['cases']?.length ?? 0) > 0)
  for (const { id } of [...(whole['screenings'] ?? []), ...(whole['cases'] ?? [])]) assert.ok(!text.includes(id), id)
  assert.doesNotMatch(text, /watchlist|best_score|party_hash|blocked_by_bank/)
  const reviewed = (whole['transfers'] ?? []).find(({ status }) => status === 'REVIEW')
  const { body: history } = await venture.get(`/transfers/${reviewed.id}/history`)
  const moves = (files['transfer_moves'] ?? []).filter(({ transfer_id }) => transfer_id === reviewed.id)
  assert.deepEqual(
    moves.map(({ transfer_id, ...move }) => move),
    history,
  )
  assert.notEqual(moves.length, (whole['transfer_moves'] ?? []).filter(({ transfer_id }) => transfer_id === reviewed.id).length)
  // The other venture's payer is not exported.
  const elsewhere = (whole['transfers'] ?? []).find((row) => row.venture_id !== venture_id)
  assert.ok(elsewhere !== undefined && !text.includes(elsewhere.id))
})

test('a namesake is somebody else', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => venture.registerClient({ first_name: 'Same', last_name: 'Name' })))
  const account = await venture.openAccount({ client_id: (await venture.verifiedClient()).id, balance: '10.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id, { name: 'Same Name', iban: 'DE89370400440532013000' })
  for (const by of [venture, asBank]) {
    const { text } = await exported(by, one.id)
    for (const id of [two.id, two.email, beneficiary.id]) assert.ok(!text.includes(id))
  }
})

test('everything is in the archive, however much it is', async () => {
  const client = await venture.registerClient()
  for (let number = 0; number < 120; number++) await venture.put(`/clients/${client.id}`, { city: `City ${number}` })
  await bank.owner.query(
    `insert into beneficiaries (venture_id, id, client_id, name, beneficiary_type, account_number, display, created_at, updated_at, sequence)
     select venture_id, gen_random_uuid(), client_id, name || number, beneficiary_type, account_number, display, created_at, updated_at, sequence
     from beneficiaries, generate_series(1, 250) as number where id = $1`,
    [(await venture.addBeneficiary(client.id, { name: 'Many', account_number: '12345' })).id],
  )
  const { files } = await exported(venture, client.id)
  assert.equal(new Set(files['beneficiaries']?.map(({ id }) => id)).size, 251)
  assert.equal(files['beneficiaries']?.length, 251)
  const sequences = files['events']?.filter(({ data }) => data.object.id === client.id).map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    Array.from({ length: 121 }, (_, index) => index + 1),
  )
})

test('an archive is as everything was at one moment', async () => {
  const client = await venture.registerClient({ city: 'Before' })
  const stream = await exportClient(bank.database, { venture_id, id: client.id }, 'venture')
  assert.equal((await venture.put(`/clients/${client.id}`, { city: 'Afterwards' })).status, 200)
  await venture.addBeneficiary(client.id)
  const files = unzip(Buffer.concat(await stream.toArray()))
  assert.equal(JSON.parse(files.get('clients.json') ?? '')[0].city, 'Before')
  assert.equal(files.has('beneficiaries.json'), false)
  assert.doesNotMatch([...files.values()].join(), /Afterwards/)
})

test('a caller who leaves before the end makes room for the next', async () => {
  const { id } = await venture.registerClient()
  for (let number = 0; number < 5; number++) {
    const stream = await exportClient(bank.database, { venture_id, id }, 'bank')
    if (number % 2 === 0) stream.read()
    stream.destroy()
  }
  assert.equal((await exported(venture, id)).about.client_id, id)
})

const problemOf = ({ status, problem }: Answer) => [status, problem?.code]

test('only who may read everything about a client of the venture gets its export', async () => {
  const { client } = life
  const path = `/clients/${client.id}/export`
  const unknown = await venture.get(`/clients/${unknownId}/export`)
  assert.deepEqual([...problemOf(unknown), unknown.headers['content-disposition']], [404, 'client_not_found', undefined])
  assert.deepEqual(problemOf(await (await bank.registerVenture()).get(path)), [404, 'client_not_found'])
  assert.deepEqual(problemOf(await venture.get('/clients/nobody/export')), [400, 'invalid_request'])
  assert.deepEqual(problemOf(await bank.stranger.get(path)), [401, 'unauthorized'])
  const keyWith = async (...scopes: string[]) =>
    new VentureCaller(bank.app, {
      ...venture.venture,
      api_key: (await venture.post('/venture/keys', { name: 'some', scopes })).body.api_key,
    })
  assert.deepEqual(problemOf(await (await keyWith('clients')).get(path)), [403, 'forbidden'])
  assert.equal((await (await keyWith('read')).get(path)).status, 200)
  assert.equal((await (await openMember(bank, venture_id, 'viewer')).get(path)).status, 200)
  assert.equal((await (await openBanker(bank, 'auditor', venture_id)).get(path)).status, 200)
})

test('each export is in the audit log, and HEAD gives nothing out', async () => {
  const { id } = await venture.registerClient()
  const entries = async () =>
    (await rows(`select actor from audit_log where resource = $1 and action = 'exportClient' order by id`, id)).map(({ actor }) => actor)
  for (const by of [venture, asBank, asBank]) await exported(by, id)
  assert.deepEqual(await entries(), ['venture', 'operator', 'operator'])
  const head = await asBank.send({ method: 'HEAD', url: `/api/v1/clients/${id}/export` })
  assert.deepEqual([head.status, head.text], [200, ''])
  assert.equal((await venture.send({ method: 'HEAD', url: `/api/v1/clients/${unknownId}/export` })).status, 404)
  assert.equal((await entries()).length, 3)
})
