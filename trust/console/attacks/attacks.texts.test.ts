// Hostile texts in every field that the API takes: no page of the console and none for payers runs one, makes an element or a link of it, or asks
// another place for anything; and no file that somebody downloads carries a formula. `npm run console:attacks` tries every payload everywhere.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skipped } from '../../../server/src/testing/testing.browser.ts'
import { allPages } from '../console.pages.ts'
import { hostile } from './attacks.answers.ts'
import { type AttackedBank, openAttackedBank } from './attacks.bank.ts'
import { type Filled, fill } from './attacks.fill.ts'
import { readAddresses, readConsole, readFound, readServed } from './attacks.pages.ts'
import { everything, mark, scriptAddress } from './attacks.payloads.ts'

let browser: Browser | undefined
const attacked: AttackedBank = await openAttackedBank()
let filled: Filled

before(async () => {
  filled = await fill(attacked)
  await attacked.turn()
  if (skipped === false) browser = await openBrowser()
})

after(() => browser?.close())

test('texts reach every field that takes them', (t) => {
  t.diagnostic(`${filled.fields.size} fields, refused: ${[...filled.refused].map(([field, why]) => `${field} (${why})`).join('; ')}`)
  assert.ok(filled.fields.size >= 60, `only ${[...filled.fields].join(', ')}`)
})

test('a hostile answer replaces what somebody could have written, and nothing else', () => {
  const client = {
    id: '0198c6f2-0000-7000-8000-000000000000',
    first_name: 'Ada',
    kyc_status: 'APPROVED',
    created_at: '2026-11-17T00:00:00Z',
  }
  assert.deepEqual(hostile([client], { type: 'array', items: { $ref: '#/components/schemas/Client' } }), [
    { ...client, first_name: everything },
  ])
  assert.deepEqual(hostile({ url: 'https://x.example', data: { note: 'a b', n: 1 } }, undefined), {
    url: scriptAddress,
    data: { note: everything, n: 1 },
  })
})

/** A third of them each day. `npm run console:attacks` opens them all. */
const pages = allPages.filter((_, index) => index % 3 === new Date().getUTCDate() % 3)

test('no page of the console makes anything of a text but a text', { skip: skipped }, async (t) => {
  const looked = await readConsole(browser as Browser, attacked, { hostile: true, pages })
  assert.deepEqual(looked.faults, [])
  t.diagnostic(`${looked.opened.length} pages, of which ${looked.shown} show the texts; nothing to show on ${looked.missing.join(', ')}`)
  assert.ok(looked.opened.length >= pages.length - 4, `nothing to show on ${looked.missing.join(', ')}`)
  assert.ok(looked.shown >= looked.opened.length / 2, `only ${looked.shown} of ${looked.opened.length} pages show the texts`)
})

test('what Ctrl-K finds is a text', { skip: skipped }, async () => {
  assert.deepEqual(await readFound(browser as Browser, attacked), { faults: [], shown: 1 })
})

test('an address that somebody else has made up is a text', { skip: skipped }, async () => {
  assert.deepEqual(await readAddresses(browser as Browser, attacked), [])
})

test('pages for payers and for people who are verified show texts as texts', { skip: skipped }, async () => {
  const { faults, shown } = await readServed(browser as Browser, attacked)
  assert.deepEqual(faults, [])
  assert.ok(shown >= 3, `only ${shown} pages show the texts`)
})

/** The accounts whose transfers have hostile texts. */
async function statementOf(format: string): Promise<{ text: string; headers: Headers }[]> {
  const { origin, world, bank } = attacked
  const headers = { 'x-api-key': world.venture.api_key }
  const statements = []
  // They were booked by the clock of the sandbox, whatever the day of the machine.
  const { now } = (await bank.admin.get('/sandbox/clock')).body
  const day = (back: number) => new Date(Date.parse(now) - back * 86_400_000).toISOString().slice(0, 10)
  for (const account of world.pools.fundedAccounts) {
    const answer = await fetch(`${origin}/api/v1/accounts/${account}/statements?from=${day(30)}&to=${day(0)}&format=${format}`, { headers })
    assert.equal(answer.status, 200)
    statements.push({ text: await answer.text(), headers: answer.headers })
  }
  return statements
}

test('files to download have plain names, are never shown in the browser, and carry no formula', async () => {
  const { bank, world } = attacked
  for (const transfer of world.pools.transfers) {
    await fetch(`${attacked.origin}/api/v1/sandbox/transfers/${transfer}/settle`, {
      method: 'POST',
      body: '{"outcome":"COMPLETED"}',
      headers: { 'x-api-key': world.venture.api_key, 'content-type': 'application/json' },
    })
  }
  let marked = 0
  for (const format of ['csv', 'pdf', 'camt053']) {
    for (const { text, headers } of await statementOf(format)) {
      assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+"$/, format)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      if (format === 'csv') {
        if (text.includes(mark)) marked++
        const cells = text.split(/\r\n/).flatMap((line) => line.match(/"(?:[^"]|"")*"|[^,]+/g) ?? [])
        for (const cell of cells) assert.doesNotMatch(cell, /^"?\s*[=+@＝＋＠]|^"?\s*-(?!\d+(\.\d+)?$)/, cell)
      }
      if (format === 'camt053') assert.doesNotMatch(text, /<(img|script|svg|s|iframe|style|meta|form)\b/i)
    }
  }
  assert.ok(marked > 0, 'no statement has a hostile text')
  for (const { id } of (await bank.admin.get('/operator/messages?limit=20')).body) {
    const { headers, text } = await bank.admin.get(`/operator/messages/${id}/file`)
    assert.match(String(headers['content-disposition']), /^attachment; filename="[\w.-]+"$/)
    assert.doesNotMatch(text, /<(img|script|svg|s|iframe|style|meta|form)\b/i)
  }
})
