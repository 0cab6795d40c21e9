// For tests of the CLI: a real service as a process, and commands as users type them.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { Vostro } from '@vostro/sdk'
import { ServiceProcess, stopProcesses } from '../../server/src/testing/testing.process.ts'
import { findTestServer, urlOf } from '../../server/src/testing/testing.server.ts'
import { openBank } from '../../server/src/testing/testing.ts'
import type { Environment } from './config.ts'
import { main } from './main.ts'

export type Ran = {
  code: number
  stdout: string
  stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of a test check what a command printed.
  json: any
}

/** Runs a command in this process. */
export async function run(
  args: readonly string[],
  environment: Environment,
  stopped?: AbortSignal,
  onPrinted: (text: string) => void = () => {},
  onComplained: (text: string) => void = () => {},
): Promise<Ran> {
  const ran = { code: -1, stdout: '', stderr: '', json: undefined }
  const world = {
    out: {
      write(text: string) {
        ran.stdout += text
        onPrinted(text)
      },
    },
    err: {
      write(text: string) {
        ran.stderr += text
        onComplained(text)
      },
    },
    environment,
    stopped: () => stopped ?? new AbortController().signal,
  }
  ran.code = await main(args, world)
  if (args.includes('--json') && ran.stdout !== '') {
    try {
      ran.json = JSON.parse(ran.stdout)
    } catch {
      // Several lines of JSON.
      ran.json = ran.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)) as never
    }
  }
  return ran
}

/** An address where nothing listens. */
export async function nobodysUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** An empty folder, deleted at the end. */
export function someFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-cli-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The service as a process with its own database, and an environment for each kind of caller. */
export async function openService(more: Record<string, string> = {}) {
  after(stopProcesses)
  const bank = await openBank()
  const { serviceUrl, ownerUrl } = findTestServer()
  const adminKey = bank.config.adminApiKey ?? ''
  const settings = {
    DATABASE_URL: urlOf(serviceUrl, bank.owner.database ?? ''),
    MIGRATION_DATABASE_URL: urlOf(ownerUrl, bank.owner.database ?? ''),
    ADMIN_API_KEY: adminKey,
    SANDBOX: 'true',
    LOG_LEVEL: 'silent',
    PORT: '0',
    ...more,
  }
  let process = new ServiceProcess(settings)
  let url = await process.ready()
  const folder = someFolder()
  const admin = { VOSTRO_URL: url, VOSTRO_KEY: adminKey, VOSTRO_CONFIG: folder }
  const boss = new Vostro({ key: adminKey, baseUrl: url })
  return {
    bank,
    admin,
    adminKey,
    boss,
    get url() {
      return url
    },
    async venture(control: 'OPEN' | 'MANAGED' = 'OPEN') {
      const { id, api_key } = await boss.ventures.register({ name: 'Acme', control })
      const environment = { VOSTRO_URL: url, VOSTRO_KEY: api_key, VOSTRO_CONFIG: folder }
      return { id, key: api_key, environment, vostro: new Vostro({ key: api_key, baseUrl: url }) }
    },
    /** Kills it, and restarts it on the same port. */
    async killAndRestart(meanwhile: () => Promise<void> = async () => {}) {
      await process.stop('SIGKILL')
      await meanwhile()
      process = new ServiceProcess({ ...settings, PORT: new URL(url).port })
      url = await process.ready()
    },
  }
}
