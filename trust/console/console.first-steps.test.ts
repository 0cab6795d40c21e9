// The first steps of a new venture, taken as the page shows them: each command is copied from it and run in a shell, and the page ticks it.
import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, patience_ms, skipped } from '../../server/src/testing/testing.browser.ts'
import { ConsoleBank } from './console.bank.ts'
import { Colleague } from './console.look.ts'

let browser: Browser

before(async () => {
  if (skipped === false) browser = await openBrowser()
})

after(async () => {
  await browser?.close()
  for (const shell of shells) shell.close()
})

const shells: Shell[] = []

/** A shell in which commands are pasted one after another. */
class Shell {
  readonly #process: ChildProcessWithoutNullStreams
  #output = ''

  constructor(name: 'bash' | 'zsh') {
    const loop = 'while IFS= read -r -d "" command; do eval "$command"; echo "it ended with $?."; done'
    this.#process = spawn(name, ['-c', loop], { env: { PATH: '/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin' } })
    this.#process.stdout.on('data', (part) => (this.#output += String(part)))
    shells.push(this)
    this.#process.stderr.on('data', (part) => (this.#output += String(part)))
  }

  /** Pastes a command and the input it asks for, and returns its output. Fails if the command fails. */
  async run(command: string, answer?: string): Promise<string> {
    this.#output = ''
    this.#process.stdin.write(`${command}\0${answer === undefined ? '' : `${answer}\n`}`)
    const start = performance.now()
    for (;;) {
      const [, said = '', status] = /^([\s\S]*)it ended with (\d+)\.\n$/.exec(this.#output) ?? []
      if (status !== undefined) {
        assert.equal(status, '0', `${command}\n${said}`)
        return said
      }
      assert.ok(performance.now() - start < patience_ms, `${command}\nhas not ended: ${this.#output}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  close(): void {
    this.#process.kill()
  }
}

/** The first steps on the overview of a venture. */
class FirstSteps {
  readonly colleague: Colleague
  readonly shell: Shell

  constructor(colleague: Colleague, shell: Shell) {
    this.colleague = colleague
    this.shell = shell
  }

  get page() {
    return this.colleague.page
  }

  step(name: string) {
    return this.page.locator(`li[data-step="${name}"]`)
  }

  /** The commands of a step, as one copies them. */
  commands(name: string): Promise<string[]> {
    return this.step(name).locator('.snippet pre').allInnerTexts()
  }

  /** Makes a key on the page, and copies it. */
  async makeKey(): Promise<string> {
    await this.page.getByRole('button', { name: 'Create a key' }).click()
    await this.page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click()
    const key = (await this.page.getByRole('dialog').locator('.snippet pre').innerText()).trim()
    await this.page.getByRole('button', { name: 'I have copied it' }).click()
    return key
  }

  async takeKey(key: string): Promise<void> {
    const [take = '', tryIt = ''] = await this.commands('key')
    assert.ok(take !== '' && tryIt !== '')
    assert.equal(await this.shell.run(take, key), '', 'the key is not shown')
    assert.ok((await this.shell.run(tryIt)).includes('"control"'))
  }

  /** Runs the commands of a step as the page shows them, until the step is ticked. */
  async take(name: string): Promise<void> {
    const seen: string[] = []
    for (;;) {
      const [command] = await this.commands(name)
      if ((await this.step(name).getAttribute('class')) === 'done') break
      if (command !== undefined && !seen.includes(command)) {
        assert.ok(!/…|\.\.\./.test(command), `nothing has to be filled in: ${command}`)
        await this.shell.run(command)
        seen.push(command)
      }
      await this.page.waitForTimeout(100)
    }
  }
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

/** Takes all steps, and checks that the page has ticked them and the service has done them. */
async function takeAll(bank: ConsoleBank, steps: FirstSteps, venture: string): Promise<void> {
  for (const name of ['client', 'verification', 'account', 'money', 'payment']) await steps.take(name)
  const [client] = await bank.get('/clients', venture)
  const [transfer] = await bank.get('/transfers?direction=OUTBOUND', venture)
  assert.deepEqual([client.kyc_status, transfer.debit_amount], ['VALIDATED', '30.00'])
  await steps.page.getByText('6 of 6 done').waitFor()
}

test('a new venture takes each first step with the commands that the page shows, verification included', { skip: skipped }, async () => {
  const bank = await ConsoleBank.open({ demo: undefined })
  try {
    const colleague = await Colleague.open(browser, bank, 'venture admin')
    const steps = new FirstSteps(colleague, new Shell('bash'))
    await colleague.open(`/v/${bank.venture}/overview`)
    await steps.step('key').waitFor()
    for (const name of ['verification', 'account', 'money', 'payment'])
      assert.deepEqual(await steps.commands(name), [], `${name} needs what is not there yet`)
    await colleague.visitor.look('first-steps-begin')
    await steps.takeKey(await steps.makeKey())
    await steps.take('client')
    await colleague.visitor.look('first-steps-client')
    await takeAll(bank, steps, bank.venture)
    await colleague.visitor.look('first-steps-done')
    // They are for new ventures.
    await colleague.open(`/v/${bank.venture}/overview`)
    await steps.page.getByRole('heading', { name: 'Balances' }).waitFor()
    assert.equal(await steps.page.getByRole('heading', { name: 'First steps' }).count(), 0)
    await colleague.leave()
  } finally {
    await bank.stop()
  }
})

test('outside the sandbox the first steps invent nobody, and say that there is no verifier', { skip: skipped }, async () => {
  const bank = await ConsoleBank.open({ demo: undefined, changes: { sandbox: false } })
  try {
    const colleague = await Colleague.open(browser, bank, 'venture admin')
    const steps = new FirstSteps(colleague, new Shell('bash'))
    await colleague.open(`/v/${bank.venture}/overview`)
    await steps.step('client').waitFor()
    const [register = ''] = await steps.commands('client')
    assert.ok(register.includes('"first_name": "<first name>"'), register)

    await bank.post('/clients/person', { ...grace, organization_id: 1 }, bank.venture)
    await steps.step('verification').locator('.snippet pre').waitFor()
    assert.match(await steps.step('verification').innerText(), /The service has no verifier\. .*VERIFIER/)
    const [declare = ''] = await steps.commands('verification')
    assert.ok(declare.includes('"occupation": "<occupation, as ENGINEER>"'), declare)
    await colleague.visitor.look('first-steps-real')
    await colleague.leave()
  } finally {
    await bank.stop()
  }
})

const grace = {
  first_name: 'Grace',
  last_name: 'Hopper',
  email: 'grace@bank.example',
  date_of_birth: '1985-12-09',
  nationality: 'USA',
  birth_country: 'USA',
  country_of_tax_residence: 'FRA',
  country_code: 'FRA',
  address: '2 rue X',
  city: 'Paris',
  postcode: '75002',
}

test('the first steps work with the first key of a venture, and whether it or the bank processes its transfers', {
  skip: skipped,
}, async () => {
  const bank = await ConsoleBank.open({ demo: undefined })
  try {
    const colleague = await Colleague.open(browser, bank, 'bank admin')
    for (const control of ['OPEN', 'MANAGED']) {
      const { id: venture, api_key } = await bank.post('/ventures', { name: `New ${control}`, control })
      const steps = new FirstSteps(colleague, new Shell(has('zsh') ? 'zsh' : 'bash'))
      await colleague.open(`/v/${venture}/overview`)
      await steps.step('key').waitFor()
      await steps.takeKey(api_key)
      await takeAll(bank, steps, venture)
    }
    await colleague.leave()
  } finally {
    await bank.stop()
  }
})
