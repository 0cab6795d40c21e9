// Whatever the owner of the database changes by hand is named, even if the end of the seals is cut off, and what was revoked after a backup
// is revoked again.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Anchors, type Revocation, type Root } from '../platform/anchors.ts'
import { createLog } from '../platform/log.ts'
import { applyAnchors } from '../restore.ts'
import { makeDataFolder } from '../testing/testing.folders.ts'
import { Authenticator } from '../testing/testing.passkeys.ts'
import { openRails } from '../testing/testing.rails.ts'
import { findTestServer, notOnCluster, turnTriggersOff, urlOf } from '../testing/testing.server.ts'
import { consoleOrigin, openBanker, openMember, PersonCaller, tokenIn } from '../testing/testing.sessions.ts'
import { type Bank, type Loose, openBank } from '../testing/testing.ts'
import { readAnchors } from './verify.anchored.ts'
import { recordRun, verifyDatabase } from './verify.ts'

const folder = makeDataFolder('anchors')
const ofSeals = { skip: notOnCluster('seals') }

const linesIn = (file: string): Loose[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

function urlsOf({ owner }: Bank) {
  const { ownerUrl, serviceUrl } = findTestServer()
  const name = owner.database ?? ''
  return { ownerUrl: urlOf(ownerUrl, name), serviceUrl: urlOf(serviceUrl, name) }
}

function run(script: string, bank: Bank, ...args: string[]) {
  const { ownerUrl, serviceUrl } = urlsOf(bank)
  return spawnSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    env: { DATABASE_URL: serviceUrl, MIGRATION_DATABASE_URL: ownerUrl },
    encoding: 'utf8',
  })
}

/** What `npm run verify -- --anchored FILE` reports. */
async function namedBy(bank: Bank, file: string): Promise<Loose[]> {
  const { ownerUrl: url } = urlsOf(bank)
  const started = new Date()
  const findings = await verifyDatabase(url, undefined, await readAnchors(file))
  await recordRun(url, started, findings)
  return findings.flatMap(({ examples = [] }) => examples.map((example) => JSON.parse(example)))
}

test('each seal leaves a line with its root and the audit entries that it covers', ofSeals, async () => {
  const file = join(folder, 'roots')
  const bank = await openBank({ anchorFile: file })
  await bank.registerVenture()
  await bank.seal()
  await bank.registerVenture()
  await bank.seal()
  const { rows } = await bank.owner.query('select number::int, rows, root from seals where rows > 0 order by number')
  assert.ok(existsSync(file), 'a root has left the database')
  const anchors = (await readAnchors(file)) as Root[]
  assert.deepEqual(
    anchors.map(({ anchor, number, rows, root }) => ({ anchor, number, rows, root })),
    rows.map((row) => ({ anchor: 'root', ...row })),
  )
  const { rows: entries } = await bank.owner.query('select venture_id, id from audit_log order by id')
  assert.deepEqual(
    anchors.flatMap(({ audit_log }) => audit_log),
    entries,
  )
  assert.equal(run('verify.ts', bank, '--anchored', file).status, 0)
})

test('a key or passkey that is revoked leaves a line', async () => {
  const file = join(folder, 'revocations')
  const bank = await openBank({ anchorFile: file })
  const venture = await bank.registerVenture()
  const venture_id = venture.venture.id
  const made = async (path: string, body: object) => (await bank.admin.post(path, body)).body
  const rotated = (await venture.get('/venture/keys')).body[0].id
  const { id: other } = (await venture.post('/venture/keys', { name: 'Other', scopes: ['read'] })).body
  assert.equal((await venture.post(`/venture/keys/${other}/revoke`)).status, 200)
  assert.equal((await bank.admin.post(`/ventures/${venture_id}/rotate-key`)).status, 200)
  const { id: ofBank } = await made('/operator/keys', { name: 'Payees', scope: 'payees' })
  assert.equal((await bank.admin.post(`/operator/keys/${ofBank}/revoke`)).status, 200)
  const { id: passkey } = await removedPasskey(bank)
  await bank.runJobs()
  const revoked = linesIn(file).map(({ anchor, table, id }) => [anchor, table, id])
  assert.deepEqual(
    revoked.sort(),
    [
      ['revocation', 'api_keys', rotated],
      ['revocation', 'api_keys', other],
      ['revocation', 'bank_keys', ofBank],
      ['revocation', 'passkeys', passkey],
    ].sort(),
  )
})

/** A person registers a passkey and removes it. */
async function removedPasskey(bank: Bank, remove = true): Promise<{ id: string; user_id: string }> {
  const person = await openBanker(bank, 'operator')
  const device = new Authenticator(consoleOrigin)
  const { body: options } = await person.post('/session/passkeys/options')
  const registered = await person.post('/session/passkeys', { name: 'Laptop', credential: device.create(options) })
  assert.equal(registered.status, 201, registered.text)
  const holder = new PersonCaller(bank.app, { person: person.person, token: tokenIn(registered) })
  const { id } = registered.body
  if (remove) assert.equal((await holder.delete(`/session/passkeys/${id}`)).status, 204)
  return { id, user_id: person.id }
}

test('an anchor that was cut off costs no other one, neither where it is written nor where it is read', async () => {
  const file = join(folder, 'torn')
  const anchorOf = (id: string) =>
    ({ anchor: 'revocation', table: 'api_keys', venture_id: id, id, at: '2026-11-19T08:00:00.000Z' }) as const
  const [one, two, three] = [anchorOf(randomUUID()), anchorOf(randomUUID()), anchorOf(randomUUID())]
  const torn = JSON.stringify(two).slice(0, 70)
  writeFileSync(file, `${JSON.stringify(one)}\n${torn}${JSON.stringify(two)}\n${torn}\n${JSON.stringify(three)}\n`)
  assert.deepEqual(await readAnchors(file), [one, two, three])

  // A write may append only part of a line, as on a full disk.
  const script = `
    import { Anchors } from ${JSON.stringify(new URL('../platform/anchors.ts', import.meta.url).href)}
    import { createLog } from ${JSON.stringify(new URL('../platform/log.ts', import.meta.url).href)}
    const anchors = new Anchors({ file: process.argv[1], log: createLog('silent'), sandbox: true })
    console.log(await anchors.write(JSON.parse(process.argv[2])), anchors.failures)`
  const full = join(folder, 'full')
  writeFileSync(full, `${' '.repeat(1_000)}\n`)
  const writing = [process.execPath, '--input-type=module', '--eval', script, full, JSON.stringify(one)]
  const { stdout } = spawnSync('bash', ['-c', 'trap "" XFSZ; ulimit -f 1; exec "$@"', 'bash', ...writing], { encoding: 'utf8' })
  assert.equal(stdout.trim(), 'false 1')
})

test('a pipe that nobody reads holds nothing up', async () => {
  const pipe = join(folder, 'pipe')
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0)
  const anchors = new Anchors({ file: pipe, log: createLog('silent'), sandbox: true })
  const anchor = { anchor: 'root', number: 7, at: '2026-11-19T08:00:00.000Z', rows: 0, root: 'r', audit_log: [] } as const
  assert.equal(await anchors.write(anchor), false)
  assert.equal(anchors.failures, 1)
})

test('a file that takes no line is counted and said, and stops nothing', async () => {
  const said: string[] = []
  const log = createLog('error', { write: (line) => void said.push(line) })
  const broken = join(folder, 'a folder')
  mkdirSync(broken)
  const anchors = new Anchors({ file: broken, log, sandbox: true })
  const anchor = { anchor: 'revocation', table: 'api_keys', venture_id: 'v', id: 'i', at: '2026-11-19T08:00:00.000Z' } as const
  assert.equal(await anchors.write(anchor).catch(String), false)
  assert.equal(anchors.failures, 1)
  assert.match(said.join(''), /an anchor could not be written to ANCHOR_FILE/)

  const bank = await openBank({ anchorFile: broken })
  const venture = await bank.registerVenture()
  assert.equal((await bank.admin.post(`/ventures/${venture.venture.id}/rotate-key`)).status, 200)
  await bank.seal()
  await bank.runJobs()
  // The job is retried once there is space.
  const { rows } = await bank.owner.query("select attempts, last_error from jobs where kind = 'anchor'")
  assert.deepEqual(rows, [{ attempts: 1, last_error: 'Error: the anchor could not be written to ANCHOR_FILE' }])
})

test('outside the sandbox anchors are on standard output whatever the level of the log', async () => {
  const linesOf = async (level: string, sandbox: boolean) => {
    const said: string[] = []
    const anchors = new Anchors({ file: undefined, log: createLog(level, { write: (line) => void said.push(line) }), sandbox })
    assert.equal(
      await anchors.write({ anchor: 'root', number: 7, at: '2026-11-19T08:00:00.000Z', rows: 0, root: 'r', audit_log: [] }),
      true,
    )
    return said.map((line) => JSON.parse(line)).map(({ anchor, number }) => [anchor, number])
  }
  assert.deepEqual(await linesOf('error', false), [['root', 7]])
  assert.deepEqual(await linesOf('error', true), [])
  assert.deepEqual(await linesOf('info', true), [['root', 7]])
  assert.deepEqual(await linesOf('silent', false), [])
})

test('the seven changes of an owner of the database are each named with its row', ofSeals, async () => {
  const file = join(folder, 'seven')
  const rails = await openRails({ anchorFile: file })
  const { bank } = rails
  const payer = await rails.payer()
  await rails.sent(payer)
  await bank.lists.refresh()
  await rails.venture.registerClient({ first_name: 'Mortimer', last_name: 'Grimshade' })
  await bank.runJobs()
  const [person, other] = [await openBanker(bank, 'auditor'), await openBanker(bank, 'operator')]
  await bank.seal()
  await bank.admin.put(`/ventures/${rails.venture.venture.id}`, { name: 'Last' })
  await bank.seal()
  assert.deepEqual(await namedBy(bank, file), [])

  const { owner } = bank
  const one = async (sql: string, ...values: unknown[]): Promise<Loose> => (await owner.query(sql, values)).rows[0] ?? assert.fail(sql)
  await owner.query('begin')
  await turnTriggersOff(owner)
  const hit = await one('delete from screening_hits returning id')
  const outcome = await one("update screenings set outcome = 'CLEAR' where outcome <> 'CLEAR' returning id")
  const message = await one("update rail_messages set body = body || ' ' where direction = 'OUT' returning id")
  const entry = await one('delete from audit_log where id = (select max(id::text)::uuid from audit_log) returning id')
  const seal = await one('delete from seals where number = (select max(number) from seals) returning number::int')
  await owner.query("update users set password_hash = '$argon2id$another' where id = $1", [person.id])
  await owner.query("update memberships set role = 'admin' where user_id = $1", [other.id])
  await owner.query("update beneficiaries set iban = 'NL91ABNA0417164300' where id = $1", [payer.beneficiary_id])
  await owner.query('commit')

  const named = await namedBy(bank, file)
  const isNamed = (table: string, was: string, id: string) => named.some((row) => row.table === table && row.was === was && row.id === id)
  assert.ok(isNamed('users', 'changed', person.id), 'the password')
  assert.ok(isNamed('beneficiaries', 'changed', payer.beneficiary_id), 'the IBAN')
  assert.ok(isNamed('screenings', 'changed', outcome.id), 'the outcome')
  assert.ok(
    named.some(({ id, of_body }) => id === message.id && of_body !== undefined),
    'the bytes of the message',
  )
  assert.ok(isNamed('screening_hits', 'removed', hit.id), 'the hit')
  assert.ok(isNamed('memberships', 'changed', other.id), 'the role')
  assert.ok(isNamed('audit_log', 'removed', entry.id), 'the audit entry')
  assert.ok(
    named.some(({ table, was, seal: number }) => table === 'seals' && was === 'removed' && number === seal.number),
    'the seal',
  )
  // A seal in its place has another root.
  await bank.admin.put(`/ventures/${rails.venture.venture.id}`, { name: 'Another' })
  await bank.seal()
  const later = (await namedBy(bank, file)).filter(({ table }) => table === 'seals' || table === 'audit_log')
  assert.deepEqual(
    later.map(({ table, was, seal: number, id = null }) => [table, was, number, id]),
    [
      // The last run of verify has recorded the seal as well.
      ['seals', 'changed', seal.number, null],
      ['seals', 'changed', seal.number, null],
      ['audit_log', 'removed', seal.number, entry.id],
    ],
  )
})

test('what was revoked after a backup is found, and revoked again', async () => {
  const file = join(folder, 'restored')
  const bank = await openBank({ anchorFile: file })
  const venture = await bank.registerVenture()
  const member = await openMember(bank, venture.venture.id, 'operator')
  const { id: ofBank } = (await bank.admin.post('/operator/keys', { name: 'Payees', scope: 'payees' })).body
  const key = (await venture.get('/venture/keys')).body[0].id
  const passkey = await removedPasskey(bank, false)
  const at = '2026-11-19T08:00:00.000Z'
  const revocations: Revocation[] = [
    { anchor: 'revocation', table: 'api_keys', venture_id: venture.venture.id, id: key, at },
    { anchor: 'revocation', table: 'bank_keys', venture_id: '00000000-0000-0000-0000-000000000000', id: ofBank, at },
    { anchor: 'revocation', table: 'passkeys', venture_id: '00000000-0000-0000-0000-000000000000', id: passkey.id, at },
    // Made after the backup.
    { anchor: 'revocation', table: 'api_keys', venture_id: venture.venture.id, id: ofBank, at },
  ]
  // A text that an attacker has put into a log is not an anchor.
  const forged = JSON.stringify(revocations[0]).replaceAll(key, member.id)
  const log = [
    `DETAIL: x\u2028${forged}\u2028`,
    `a name ${forged}`,
    'Vostro serves on port 8080',
    '{"level":30,"msg":"something else"}',
    '{not json',
  ]
  writeFileSync(
    file,
    [
      ...log,
      ...revocations.map((line) => `2026-11-19T08:00:01Z stdout F ${JSON.stringify({ level: 30, ...line, msg: 'anchored' })}`),
      '',
    ].join('\n'),
  )
  assert.deepEqual(
    (await namedBy(bank, file)).map(({ table, was, id }) => [table, was, id]),
    [
      ['api_keys', 'not revoked', key],
      ['bank_keys', 'not revoked', ofBank],
      ['passkeys', 'not revoked', passkey.id],
    ],
  )
  assert.equal((await venture.get('/clients')).status, 200)
  assert.equal(await applyAnchors(urlsOf(bank), revocations), 3)
  assert.equal((await venture.get('/clients')).status, 401)
  assert.equal((await member.get('/session')).status, 200, 'a session without a passkey of that person goes on')
  assert.deepEqual(await namedBy(bank, file), [])
  const restored = run('../restore.ts', bank, '--anchor', file)
  assert.equal(restored.status, 0, restored.stderr)
  assert.match(restored.stdout, /^0 of 4 revocations in .* were missing and have been repeated\.$/m)
  const { rows } = await bank.owner.query("select actor, request_id from audit_log where action = 'applyAnchors'")
  assert.deepEqual(rows, Array(2).fill({ actor: 'service', request_id: 'restore' }))
})

test('a file without anchors, or with others, is refused', async () => {
  const bank = await openBank()
  const refused = (content: string | undefined, reason: RegExp) => {
    const file = join(folder, 'refused')
    if (content !== undefined) writeFileSync(file, content)
    for (const [script, option] of [
      ['verify.ts', '--anchored'],
      ['../restore.ts', '--anchor'],
    ] as const) {
      const { status, stderr } = run(script, bank, option, content === undefined ? join(folder, 'none') : file)
      assert.equal(status, 1)
      assert.match(stderr, reason)
    }
  }
  refused(undefined, /The file .*none cannot be read: /)
  refused('', /has no anchors: name a file written through ANCHOR_FILE, or a log of Vostro/)
  refused('{"level":30}\n', /has no anchors/)
  refused('{"anchor":"erasure","id":"1"}\n', /has an anchor that this version of Vostro does not support/)
  const [id, at] = ['00000000-0000-0000-0000-000000000000', '2026-11-19T08:00:00.000Z']
  const odd = async (anchor: object) => {
    const file = join(folder, 'odd')
    writeFileSync(file, `${JSON.stringify(anchor)}\n`)
    await assert.rejects(readAnchors(file), /has an anchor that this version of Vostro does not support/)
  }
  const revocation = { anchor: 'revocation', table: 'api_keys', venture_id: id, id, at }
  for (const change of [{ table: 'users' }, { id: "' or true" }, { venture_id: 7 }, { at: 'soon' }]) await odd({ ...revocation, ...change })
  const root = { anchor: 'root', number: 1, at, rows: 0, root: 'r', audit_log: [] }
  for (const change of [{ number: '1' }, { root: null }, { audit_log: [{ id }] }, { audit_log: [null] }]) await odd({ ...root, ...change })
  assert.match(run('verify.ts', bank, '--nothing').stderr, /npm run verify takes only -- --anchored FILE/)
  assert.match(run('../restore.ts', bank, '--anchor', 'x', '--replace').stderr, /^Name the file to restore/m)
})
