// Measures how long questions of other banks about payees take, over mutual TLS on loopback: at a fixed rate, whether or not earlier ones are
// answered. Ends by itself.
//   npm run bench:vop
//   npm run bench:vop -- --rate 100 --seconds 60
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../server/src/platform/embedded/embedded.postmaster.ts'
import { filesIn, makeCertificate } from '../server/src/testing/testing.certificates.ts'
import { makeDataFolder } from '../server/src/testing/testing.folders.ts'
import { servicePorts } from '../server/src/testing/testing.ports.ts'
import { openManagedAccounts } from './accounts.ts'
import { keepResult, machine } from './results.ts'
import { withSetup } from './setup.ts'

const { values } = parseArgs({ options: { rate: { type: 'string', default: '100' }, seconds: { type: 'string', default: '60' } } })
const [rate, seconds] = [Number(values.rate), Number(values.seconds)]

/** 99 % of the questions must be answered within this time. */
const bound_ms = 500
const accountCount = 50
/** Each bank asks about few names for an account, so that none is taken for one that guesses. */
const names = ['Ada Lovelace', 'A. Lovelace', 'Ada Lovelase', 'Charles Babbage', 'Grace Hopper']
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

const [server, client] = [makeCertificate('bank.bench'), makeCertificate('routing.bench')]
const folder = makeDataFolder('bench-vop')
const files = filesIn(folder, { 'server.crt': server.cert, 'server.key': server.key, 'trust.crt': client.cert })
const port = await freePort(servicePorts)
const settings = {
  VOP_LISTEN: `127.0.0.1:${port}`,
  VOP_LISTEN_CERTIFICATE_FILE: files['server.crt'],
  VOP_LISTEN_KEY_FILE: files['server.key'],
  VOP_TRUST_FILE: files['trust.crt'],
}

const agent = new Agent({ keepAlive: true, maxSockets: 64, ca: server.cert, cert: client.cert, key: client.key })

/** The time until the whole answer was there. */
function ask(body: string): Promise<number> {
  const since_ms = performance.now()
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'x-request-id': randomUUID(),
      'x-request-timestamp': new Date().toISOString(),
    }
    const sent = request({ host: '127.0.0.1', port, path: '/vop/v1/payee-verifications', method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - since_ms)
        else reject(new Error(`answered with ${response.statusCode}`))
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

function questionAbout(iban: string, number: number): string {
  const bank = `BE${letters[number % 26]}${letters[Math.floor(number / 26) % 26]}DEFFXXX`
  return JSON.stringify({
    party: { name: names[number % names.length] },
    partyAccount: { iban },
    requestingAgent: { financialInstitutionId: { bicfi: bank } },
  })
}

const shareOf = (sorted: readonly number[], share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
const shown = (ms: number): string => `${ms.toFixed(1)} ms`

try {
  await withSetup(
    async (setup) => {
      const venture = await setup.registerVenture('MANAGED')
      const accounts = await openManagedAccounts(setup, venture, accountCount)
      const ibans = await Promise.all(
        accounts.map(async ({ account_id }) => {
          const { account_number = '' } = await setup.call(venture.api_key, 'GET', `/api/v1/accounts/${account_id}`)
          return account_number
        }),
      )
      // Warmed up with a tenth of the load.
      for (let number = 0; number < rate * seconds * 0.1; number++) await ask(questionAbout(ibans[number % accountCount] ?? '', number))
      const began_ms = performance.now()
      const asked: Promise<number>[] = []
      for (let number = 0; number < rate * seconds; number++) {
        const wait_ms = began_ms + (number * 1000) / rate - performance.now()
        if (wait_ms > 0) await sleep(wait_ms)
        asked.push(ask(questionAbout(ibans[number % accountCount] ?? '', number)))
      }
      const sorted = (await Promise.all(asked)).sort((one, other) => one - other)
      const [p50, p99, most] = [shareOf(sorted, 0.5), shareOf(sorted, 0.99), sorted.at(-1) ?? 0]
      console.log(
        `${sorted.length.toLocaleString('en')} questions at ${rate}/s: p50 ${shown(p50)}, p99 ${shown(p99)}, at most ${shown(most)}`,
      )
      await keepResult('vop.json', JSON.stringify({ machine, rate, seconds, p50, p99, most }, undefined, 2))
      const isMet = p99 <= bound_ms
      console.log(`p99 within ${bound_ms} ms: ${isMet ? 'met' : 'failed'}`)
      if (!isMet) process.exitCode = 1
    },
    { settings },
  )
} finally {
  agent.destroy()
  rmSync(folder, { recursive: true, force: true })
}
