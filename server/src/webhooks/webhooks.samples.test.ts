// Runs the samples of docs/webhooks.md as a receiver would.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeSecret, sign } from '../platform/standard-webhooks.ts'
import { waitAfter } from './webhooks.schedule.ts'

const docs = fileURLToPath(new URL('../../../docs/', import.meta.url))
const sample = (name: string) => join(docs, 'samples', name)

type Delivery = { secret: string; headers: Record<string, string>; body: string }
type Result = { code: number; output: string }

/** Undefined if the program is not installed. */
async function run([program = '', ...parameters]: readonly string[], input = ''): Promise<Result | undefined> {
  const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  // A sample may exit before it has read all input.
  child.stdin.on('error', () => {}).end(input)
  const [end, ...outputs] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  return end && { code: end[0], output: outputs.join('') }
}

const body = '{"type":"client.created","data":{"object":{"first_name":"Zoë", "city":"Île d’Yeu 🏝"}}}'

/** A delivery sent `age_s` seconds ago, signed with each of the secrets. */
function delivery({ secrets = [makeSecret()], age_s = 0 } = {}): Delivery {
  const [id, timestamp] = ['0198c6f2-0000-7000-8000-000000000000', Math.floor(Date.now() / 1000) - age_s]
  const signature = secrets.map((secret) => sign(secret, { id, timestamp, body })).join(' ')
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
  return { secret: secrets[0] ?? '', headers, body }
}

function changed(from: Delivery, name: string, changeEndpoint: (value: string) => string): Delivery {
  return { ...from, headers: { ...from.headers, [name]: changeEndpoint(from.headers[name] ?? '') } }
}

function without(from: Delivery, name: string): Delivery {
  return { ...from, headers: Object.fromEntries(Object.entries(from.headers).filter(([other]) => other !== name)) }
}

function validDeliveries(): Record<string, Delivery> {
  const [old, fresh] = [makeSecret(), makeSecret()]
  const rotated = delivery({ secrets: [fresh, old] })
  return {
    'a right one': delivery(),
    'one with two signatures, for who has the new secret': rotated,
    'one with two signatures, for who has the old secret': { ...rotated, secret: old },
    'one with a signature of another version before ours': changed(delivery(), 'webhook-signature', (value) => `v2,AAAA ${value}`),
    'one that is nearly too old': delivery({ age_s: 280 }),
    'one from a clock that is ahead': delivery({ age_s: -280 }),
  }
}

function invalidDeliveries(): Record<string, Delivery> {
  const right = delivery()
  return {
    'a changed byte': { ...right, body: body.replace('Zoë', 'Zoé') },
    'a byte more': { ...right, body: `${body}\n` },
    'an old one': delivery({ age_s: 320 }),
    'one from the future': delivery({ age_s: -320 }),
    'another time': changed(right, 'webhook-timestamp', (value) => String(Number(value) - 1)),
    'no time': changed(right, 'webhook-timestamp', () => 'soon'),
    'another id': changed(right, 'webhook-id', () => '0198c6f2-0000-7000-8000-000000000001'),
    'a signature without its last character': changed(right, 'webhook-signature', (value) => value.slice(0, -1)),
    'half a signature': changed(right, 'webhook-signature', (value) => value.slice(0, 24)),
    'an empty signature': changed(right, 'webhook-signature', () => 'v1,'),
    'a signature of another version': changed(right, 'webhook-signature', (value) => value.replace('v1,', 'v2,')),
    'a signature without a version': changed(right, 'webhook-signature', (value) => value.replace('v1,', '')),
    'another secret': { ...right, secret: makeSecret() },
    'no secret': { ...delivery({ secrets: ['whsec_'] }), secret: '' },
    'an empty secret': delivery({ secrets: ['whsec_'] }),
    'no id': without(right, 'webhook-id'),
    'no timestamp': without(right, 'webhook-timestamp'),
    'no signature': without(right, 'webhook-signature'),
  }
}

async function checkSample(command: readonly string[]): Promise<void> {
  const check = async (name: string, given: Delivery, code: number) => {
    // A sample that crashes prints an error, which does not count as a refusal.
    assert.deepEqual(await run(command, JSON.stringify(given)), { code, output: '' }, name)
  }
  // Created for each run: a delivery that is almost too old would become too old while others run.
  for (const name of Object.keys(validDeliveries())) await check(name, validDeliveries()[name] as Delivery, 0)
  for (const name of Object.keys(invalidDeliveries())) await check(name, invalidDeliveries()[name] as Delivery, 1)
}

async function isMissing(t: TestContext, ...command: readonly [string, ...string[]]): Promise<boolean> {
  if ((await run(command)) !== undefined) return false
  t.skip(`${command[0]} is not installed`)
  return true
}

test('the sample in TypeScript accepts valid deliveries and nothing else', async () => {
  await checkSample([process.execPath, sample('verify.ts')])
})

test('the sample in Python accepts valid deliveries and nothing else', async (t) => {
  if (await isMissing(t, 'python3', '--version')) return
  await checkSample(['python3', sample('verify.py')])
})

test('the sample in PHP accepts valid deliveries and nothing else', async (t) => {
  if (await isMissing(t, 'php', '--version')) return
  await checkSample(['php', sample('verify.php')])
})

test('the sample in Go accepts valid deliveries and nothing else', async (t) => {
  if (await isMissing(t, 'go', 'version')) return
  const folder = await mkdtemp(join(tmpdir(), 'vostro-sample-'))
  t.after(() => rm(folder, { recursive: true }))
  const program = join(folder, 'verify')
  assert.deepEqual(await run(['go', 'build', '-o', program, sample('verify.go')]), { code: 0, output: '' })
  await checkSample([program])
})

test('docs/webhooks.md contains the current samples', async () => {
  const page = await readFile(join(docs, 'webhooks.md'), 'utf8')
  for (const [name, language] of Object.entries({ 'verify.ts': 'ts', 'verify.py': 'python', 'verify.go': 'go', 'verify.php': 'php' })) {
    const shown = `\`\`\`${language}\n${await readFile(sample(name), 'utf8')}\`\`\`\n`
    assert.ok(page.includes(shown), `the page does not show ${name} as it is`)
  }
})

test('docs/webhooks.md contains the current schedule', async () => {
  const waits: string[] = []
  for (let wait_ms = waitAfter(0, 0.5); wait_ms !== undefined; wait_ms = waitAfter(waits.length, 0.5)) waits.push(inWords(wait_ms))
  assert.equal(waits.length, 10)
  assert.ok((await readFile(join(docs, 'webhooks.md'), 'utf8')).includes(`: ${waits.join(', ')}.`), waits.join(', '))
})

function inWords(time_ms: number): string {
  if (time_ms === 0) return 'none'
  if (time_ms < 60_000) return `${time_ms / 1_000} s`
  return time_ms < 3_600_000 ? `${time_ms / 60_000} min` : `${time_ms / 3_600_000} h`
}
