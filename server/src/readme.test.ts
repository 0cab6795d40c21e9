// Runs the README's first lines, the first session and the guides that continue it as a reader would: in bash, in the service's data
// folder.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeDataFolder } from './testing/testing.folders.ts'
import { fetchPatiently, ServiceProcess, stopProcesses } from './testing/testing.process.ts'

const [, readmeSession = ''] = /^## A first session$(.*?)^## /ms.exec(textOf('README.md')) ?? []
const readmeBlocks = blocksIn(readmeSession)
const blocks = blocksIn(textOf('docs/first-session.md'))
const bankBlocks = blocksIn(textOf('docs/bank.md'))
const openBlocks = blocksIn(textOf('docs/transfers.md'))
const railsBlocks = blocksIn(textOf('docs/rails.md'))
const statementBlocks = blocksIn(textOf('docs/statements.md'))
const folder = makeDataFolder('readme')
const hasTools = spawnSync('bash', ['-c', 'curl --help all | grep -q -e --fail-with-body']).status === 0
const skip = hasTools ? false : 'the session needs bash and curl 7.76 or newer'
let service: ServiceProcess
let base: string

function textOf(file: string): string {
  return readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')
}

function blocksIn(text: string): string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
}

before(async () => {
  if (skip) return
  service = new ServiceProcess({ DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'silent' })
  base = await service.ready()
})

after(async () => {
  await stopProcesses()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

type Run = { code: number | null; output: string; errors: string }
type Options = { flags?: string[]; cwd?: string; address?: string }

/** Runs a script in bash, which reads it line by line, as from a terminal. */
async function run(script: string, { flags = ['-e'], cwd = folder, address = base }: Options = {}): Promise<Run> {
  const env = { PATH: `${dirname(process.execPath)}:${systemPath()}`, HOME: folder, BASE: address, VOSTRO_URL: address }
  const bash = spawn('bash', ['--noprofile', '--norc', ...flags], { cwd, env, stdio: 'pipe' })
  const ended = new Promise<number | null>((resolve, reject) => bash.on('close', resolve).on('error', reject))
  bash.stdin.on('error', () => {}).end(script)
  const [code, output, errors] = await Promise.all([ended, text(bash.stdout), text(bash.stderr)])
  return { code, output, errors }
}

function systemPath(): string {
  // biome-ignore lint/style/noProcessEnv: where bash and curl are depends on the machine.
  return process.env['PATH'] ?? ''
}

async function get(path: string, key: string): Promise<Record<string, unknown>> {
  const answer = await fetchPatiently(`${base}/api/v1${path}`, { headers: { 'x-api-key': key } })
  assert.equal(answer.status, 200)
  return (await answer.json()) as Record<string, unknown>
}

test("the README's ten lines lead to a completed transfer, twice in a row on one service", { skip }, async () => {
  const [lines = '', ...others] = readmeBlocks
  assert.deepEqual(others, [])
  assert.ok(lines.trimEnd().split('\n').length <= 10, lines)
  // As in a checkout after npm ci.
  symlinkSync(fileURLToPath(new URL('../../node_modules', import.meta.url)), join(folder, 'node_modules'))
  for (const time of [1, 2]) {
    const { code, output, errors } = await run(lines)
    assert.equal(code, 0, `time ${time}: ${output}${errors}`)
    // Only what the commands print besides their results, and npm about itself.
    assert.match(errors, /^(made: .*\n|There are more: .*\n|npm (notice|warn).*\n)+$/)
    assert.match(output, /VALIDATED/)
    assert.match(output, /transfer\.completed/)
    // What the API itself returns at the end.
    const [transfer] = JSON.parse(output.slice(output.lastIndexOf('\n[{') + 1)) as Record<string, unknown>[]
    assert.equal(transfer?.['status'], 'COMPLETED', output)
  }
})

test('the session works twice in a row on one service, and comes to what the guide says', { skip }, async () => {
  const tell = `printf 'LAST %s\\n' "$KEY" "$CLIENT_ID" "$ACCOUNT_ID" "$TRANSFER_ID"`
  const clients = new Set<string>()
  for (const time of [1, 2]) {
    const { code, output, errors } = await run([...blocks, tell].join('\n'))
    assert.equal(code, 0, `time ${time}: ${output}${errors}`)
    // Only the old key is refused, as it should be.
    assert.deepEqual(errors.match(/"code":"\w+"/g), ['"code":"unauthorized"'])
    assert.match(output, /^The old key no longer works\.$/m)
    const [key = '', client_id = '', account_id, transfer_id] = [...output.matchAll(/^LAST (.+)$/gm)].map(([, word]) => word)
    const client = await get(`/clients/${client_id}`, key)
    const account = await get(`/accounts/${account_id}`, key)
    const transfer = await get(`/transfers/${transfer_id}`, key)
    assert.deepEqual([client['kyc_status'], transfer['status'], transfer['debit_amount']], ['VALIDATED', 'COMPLETED', '30.00'])
    // The payment that was stopped is still on hold.
    assert.deepEqual([account['current_balance'], account['reserved_balance']], ['50.00', '5.00'])
    // What a reader sees on the way.
    for (const seen of [
      '"to_status":"SENT_TO_CLEAR"',
      '"kyc_status":"VALIDATED"',
      '"sandbox-demo-2"',
      '"score":',
      '<FIToFICstmrCdtTrf>',
      '"state":"MATCHED"',
    ]) {
      assert.ok(output.includes(seen), seen)
    }
    assert.deepEqual(output.match(/^(Balance|Transfer): .*$/gm), [
      'Balance: 100.00',
      'Transfer: COMPLETED',
      'Balance: 70.00',
      'Transfer: COMPLETED',
    ])
    assert.match(output, /^The venture sees: REVIEW, Under review\. Policy version 0\.$/m)
    assert.match(output, /^http:\S+\/pay\/\S+$/m)
    clients.add(client_id)
  }
  assert.equal(clients.size, 2)
})

test('the guide of transfers shows how a venture moves them itself', { skip }, async () => {
  const { code, output, errors } = await run([blocks[0], ...openBlocks].join('\n'))
  assert.deepEqual([code, errors], [0, ''], output)
  assert.deepEqual(output.match(/^(Balance|Reserved): .*$/gm), ['Reserved: 30.00', 'Balance: 70.00'])
  assert.match(output, /"to_status":"COMPLETED"/)
})

test('the guides of rails and statements continue the session, and can be repeated', { skip }, async () => {
  const payment = blocks.findIndex((block) => block.includes('BENEFICIARY_ID='))
  const guides = [...railsBlocks, ...railsBlocks, ...statementBlocks]
  const { code, output, errors } = await run([...blocks.slice(0, payment + 1), 'echo GUIDES', ...guides].join('\n'))
  assert.deepEqual([code, errors], [0, ''], output)
  const [, shown = ''] = output.split('\nGUIDES\n')
  const sent = [...shown.matchAll(/<EndToEndId>(TRY-[\d-]+)<\/EndToEndId>/g)].map(([, reference]) => reference)
  const matched = [...shown.matchAll(/end_to_end_id: '(TRY-[\d-]+)'/g)].map(([, reference]) => reference)
  assert.equal(new Set(sent).size, 2)
  assert.deepEqual(matched, sent)
  assert.deepEqual(shown.match(/^Transfer: .*$/gm), ['Transfer: COMPLETED', 'Transfer: COMPLETED'])
  assert.match(shown, /"line_count":4,/)
  const files = readdirSync(folder)
  assert.ok(
    files.some((name) => /^statement-.*\.pdf$/.test(name)),
    files.join(' '),
  )
  assert.match(readFileSync(join(folder, 'pay-me.svg'), 'utf8'), /<svg/)
})

/** A folder whose key is not the operator's. */
function folderWithWrongKey(): string {
  const other = join(folder, 'other')
  mkdirSync(join(other, 'data'), { recursive: true })
  writeFileSync(join(other, 'data', 'admin-key'), `${'x'.repeat(40)}\n`)
  return other
}

const wrongCurrency = (block: string) =>
  block.replace('"account_type": "CURRENT", "currency": "EUR"', '"account_type": "CURRENT", "currency": "EU"')

const mistakes: [name: string, options: () => Options, session: string[], problem: RegExp, last: RegExp][] = [
  ['a wrong key', () => ({ cwd: folderWithWrongKey() }), blocks, /"code":"unauthorized"/, /^$/],
  ['a wrong address', () => ({ address: 'http://127.0.0.1:1' }), blocks, /^curl: \(7\) /m, /^$/],
  ['a wrong field', () => ({}), blocks.map(wrongCurrency), /"code":"invalid_request".*"field":"currency"/, /"kyc_status":"VALIDATED".*\n$/],
]

for (const [name, options, session, problem, last] of mistakes) {
  test(`the session stops at the first error and shows the problem: ${name}`, { skip }, async () => {
    // With -e, as a script that ends at an error, and without.
    for (const flags of [['-e'], []]) {
      const { code, output, errors } = await run(session.join('\n'), { ...options(), flags })
      assert.equal(code, 1, output + errors)
      assert.match(errors, problem)
      assert.ok(errors.endsWith('\nStopped at the first error.\n'), errors)
      assert.equal(errors.match(/"code":"\w+"|Stopped/g)?.length, name === 'a wrong address' ? 1 : 2, errors)
      assert.match(output, last)
    }
  })
}

test('an error in a block does not close the terminal', { skip }, async () => {
  const [first = '', second = ''] = blocks
  const script = [first, second, 'echo "still open, $KEY"'].join('\n')
  const { code, output, errors } = await run(script, { flags: ['-i'], cwd: folderWithWrongKey() })
  // The last lines of the block were not carried out: the key is still the one from the file.
  assert.deepEqual([code, output], [0, `still open, ${'x'.repeat(40)}\n`], errors)
  assert.match(errors, /"code":"unauthorized"[^\n]*\nStopped at the first error\.$/m)
})

test('the address is in one place', () => {
  for (const all of [blocks, bankBlocks]) {
    assert.equal(all.join('').match(/127\.0\.0\.1|localhost/g)?.length, 1)
    assert.ok(all.length > 8, `${all.length} blocks`)
  }
})

test('the guide of the bank can be followed from the top, with four eyes', { skip }, async () => {
  const cwd = join(folder, 'bank')
  const settings = { DATA_DIR: join(cwd, 'data'), PORT: '0', LOG_LEVEL: 'silent', FOUR_EYES: 'on' }
  const address = await new ServiceProcess(settings).ready()
  const { code, output, errors } = await run(bankBlocks.join('\n'), { cwd, address })
  assert.deepEqual([code, errors], [0, ''], output)
  // What a reader sees on the way, in this order.
  const seen = [
    '"kind":"SET_UP"',
    '"kind":"INVITATION"',
    '\nPENDING\n',
    '"reason":"The decimal point is wrong."',
    '"action":"set-rate"',
    '/console/invitation#',
    '"name":"Nightly report"',
    '"control":"MANAGED"',
    '"kyc_status":"VALIDATED"',
    '"status":"SUSPENDED"',
    '\nunfreeze-account\nACTIVE\n',
    '"status":"REVIEW"',
    '"allowed_decisions":["approve","decline"]',
    '\napprove\n',
    '"status":"COMPLETED"',
    '"payee":"Charles Babbage"',
    '\nBANK\n',
    '"status":"COMPLETED"',
    '"allowed_decisions":["apply","return"]',
    '\nDECIDED\n',
    '"status":"APPLIED"',
    '"action":"force-debit"',
    '\n11.00\n',
    '"rate":"1.0825"',
    '"card_fee":"0.014"',
    '"payout_account_id"',
    '"action":"freezeAccount"',
    '"root"',
  ]
  let at = 0
  for (const text of seen) {
    const found = output.indexOf(text, at)
    assert.ok(found >= 0, `${JSON.stringify(text)} is missing, or comes too early: ${output}`)
    at = found
  }
})

test('the printed set-up link leads to the console, and its secret makes the first admin', { skip }, async () => {
  const [, link = ''] = /^ {2}Set-up link {2}(\S+)$/m.exec(service.stdout) ?? []
  const page = await fetch(link)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<div id="root"><\/div>/)
  const { origin, hash } = new URL(link)
  const answer = await fetch(`${origin}/api/v1/session/links`, {
    method: 'POST',
    headers: { origin, 'x-vostro-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ secret: hash.slice(1), email: 'you@bank.example', name: 'Your name', password: 'seven otters swim north' }),
  })
  assert.match(await answer.text(), /^\{"kind":"SET_UP",.*"email":"you@bank\.example"\}$/)
})
