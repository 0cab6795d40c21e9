// Stores a key in the config file, shows it, and deletes it.
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Vostro, VostroProblem } from '@vostro/sdk'
import { configFile, folderOf, isKey, writeConfig } from '../config.ts'
import { Interrupted, Refused, UsageError } from '../failures.ts'
import type { Command } from '../table.ts'

export const loginCommands: readonly Command[] = [
  {
    words: ['login'],
    summary: 'Check a key and store it in the config file.',
    details: 'Without --key, prompts for the key or reads it from standard input: vostro login < data/admin-key',
    async run(call) {
      const { settings, out } = call
      const key = call.text('key') ?? (await askForKey())
      if (!isKey(key)) throw new UsageError('This is not a key. A key is one line without spaces.')
      const { url } = settings
      // A venture in the config belongs to the previous key.
      const venture = call.text('venture') ?? (call.environment['VOSTRO_VENTURE'] || undefined)
      const client = { key, baseUrl: url, maxRetries: 2 }
      const whose = await tryKey(new Vostro({ ...client, venture }), new Vostro(client), venture)
      const file = writeConfig(settings.folder, { key, url, ...(venture === undefined ? {} : { venture }) })
      out.result({ ...whose, url, file }, `This is ${whose.text}, at ${url}. Stored in ${file}.`)
    },
  },
  {
    words: ['logout'],
    summary: 'Delete the config file with the key.',
    async run({ environment, out }) {
      // Also deletes a file that is not a valid config.
      const file = configFile(folderOf(environment))
      try {
        rmSync(file, { force: true })
      } catch (error) {
        throw new Refused(`${file} cannot be deleted: ${(error as Error).message}.`)
      }
      out.result({ file }, `Deleted ${file}.`)
    },
  },
  {
    words: ['config'],
    summary: 'Show the address, the key and the venture that commands use.',
    async run({ settings: { url, key, venture, from, folder }, out }) {
      const shown = key === undefined ? null : `${key.slice(0, 12)}…`
      out.object({ url, key: shown, key_from: key === undefined ? null : from, venture: venture ?? null, file: configFile(folder) })
    },
  },
]

type Whose = { text: string; venture_id: string | null; name: string | null }

async function tryKey(own: Vostro, bank: Vostro, venture: string | undefined): Promise<Whose> {
  try {
    const { id, name } = await own.venture.get()
    return { text: `${venture === undefined ? 'a key of' : 'the admin key, for'} the venture ${name}`, venture_id: id, name }
  } catch (error) {
    if (!(error instanceof VostroProblem) || venture !== undefined) throw error
    // The admin key belongs to no venture.
    await bank.ventures
      .list({ limit: 1 })
      .page()
      .catch(() => {
        throw error
      })
    return { text: 'the admin key of the bank', venture_id: null, name: null }
  }
}

async function askForKey(): Promise<string> {
  if (!process.stdin.isTTY) return readAll()
  // The key is not echoed.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  process.stderr.write('Key: ')
  try {
    return await new Promise<string>((resolve, reject) => {
      // Ctrl-C and Ctrl-D close the interface, which does not end the question in every version of Node.
      const onClosed = () => reject(new Interrupted('No key was given.'))
      lines.once('close', onClosed)
      lines.question('').then((text) => resolve(text.trim()), onClosed)
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

async function readAll(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  return text.trim()
}
