// The bank's watch lists.
import { openAsBlob, statSync } from 'node:fs'
import { basename } from 'node:path'
import { type NewWatchlist, Vostro, type Watchlist } from '@vostro/sdk'
import { Refused, UsageError } from '../failures.ts'
import { counted } from '../output.ts'
import type { Call, Command } from '../table.ts'
import { listFiles, listFormats } from '../values.made.ts'

type Format = keyof typeof listFiles

const several = listFormats.filter((format) => listFiles[format].length > 1)
const allOf = new Intl.ListFormat('en-GB')
const filesOf = (format: Format): string => `${format} has the files ${allOf.format(listFiles[format].map((part) => `${part}.csv`))}`

export const listCommands: readonly Command[] = [
  {
    words: ['lists'],
    summary: 'List the watch lists of the bank. Needs the admin key, or a bank key with the scope lists.',
    async run(call) {
      call.out.list(await call.bank().operator.watchlists.list(), ['id', 'name', 'format', 'purpose', 'active_version_id', 'updated_at'])
    },
  },
  {
    words: ['lists', 'import'],
    summary: 'Import a version of a watch list. Needs the admin key, or a bank key with the scope lists.',
    details: `A list that does not exist yet is made if --format is given. ${several.map(filesOf).join(' ')}; every other format has one.`,
    args: [{ name: 'FILE', describe: 'The file or files of the list.', many: true, file: true }],
    options: {
      list: { describe: 'The name or the id of the list.', value: 'NAME' },
      format: { describe: 'The format of a new list.', value: 'FORMAT', choices: listFormats },
      activate: { describe: 'Activate the imported version.' },
      force: { describe: 'With --activate: even if it has far fewer entries than the active version.' },
    },
    run: importList,
  },
]

async function importList(call: Call): Promise<void> {
  const { out } = call
  const bank = call.bank()
  const files = call.args.map(requireFile)
  const { format, list: find } = await findOrMake(bank, call)
  const parts = await partsOf(format, files)
  const list = await find()
  const size = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const { key = '', url } = call.settings
  const uploading = new Vostro({
    key,
    baseUrl: url,
    timeout_ms: 600_000,
    fetch: counting((sent) =>
      out.progress({ done: Math.min(sent, size), of: size, step: sent < size ? 'uploading' : 'the service is reading the list' }),
    ),
  })
  const version = await uploading.operator.watchlists.importVersion(list.id, parts)
  out.clear()
  const shown = call.flag('activate')
    ? await bank.operator.watchlists.activateVersion(list.id, version.id, { force: call.flag('force') })
    : version
  const next = call.flag('activate') ? 'It is active.' : 'It is not active; add --activate.'
  const content = `${counted(version.entries, 'entry', 'entries')}, ${counted(version.names, 'name', 'names')}`
  out.result(shown, `Version ${version.id} of ${list.name}: ${content}. ${next}`)
}

type File = { path: string; bytes: number }

function requireFile(path: string): File {
  try {
    const found = statSync(path)
    if (!found.isFile()) throw new Error('not a file')
    return { path, bytes: found.size }
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}.`)
  }
}

/** Creates the list when `list` is called, after the files were checked. */
async function findOrMake(bank: Vostro, call: Call): Promise<{ format: string; list: () => Promise<Watchlist> }> {
  const name = call.text('list')
  const lists = await bank.operator.watchlists.list()
  if (name === undefined) {
    const names = lists.map((list) => list.name).join(', ') || 'none'
    throw new UsageError(`--list is missing. Existing lists: ${names}.`)
  }
  const format = call.text('format')
  const found = lists.find((list) => list.id === name || list.name === name)
  if (found !== undefined) {
    if (format !== undefined && format !== found.format)
      throw new Refused(`The list ${found.name} has the format ${found.format}, not ${format}.`)
    return { format: found.format, list: async () => found }
  }
  if (format === undefined) throw new Refused(`There is no list ${name}. Add --format to create it.`)
  return { format, list: () => bank.operator.watchlists.create({ name, format } as NewWatchlist) }
}

async function partsOf(format: string, files: readonly File[]): Promise<Record<string, Blob>> {
  const names = listFiles[format as Format]
  const [main, ...others] = names
  const [first, second] = files
  if (others.length === 0) {
    if (second !== undefined || first === undefined) throw new UsageError(`A list in the format ${format} has exactly one file.`)
    return { [main]: await openAsBlob(first.path) }
  }
  const parts: Record<string, Blob> = {}
  for (const { path } of files) {
    const name = names.find((part) => basename(path).toLowerCase().startsWith(part))
    if (name === undefined)
      throw new UsageError(`${path} is not a file of ${format}, whose files are ${names.map((part) => `${part}.csv`).join(', ')}.`)
    parts[name] = await openAsBlob(path)
  }
  if (parts[main] === undefined) throw new UsageError(`The main file of ${format} is missing: ${main}.csv.`)
  return parts
}

/** Streams a form and reports how much was sent. */
function counting(onSent: (bytes: number) => void): typeof fetch {
  return async (input, init = {}) => {
    const { body } = init
    if (!(body instanceof FormData)) return fetch(input, init)
    const form = new Response(body)
    let sent = 0
    const counted = form.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          sent += chunk.length
          onSent(sent)
          controller.enqueue(chunk)
        },
      }),
    )
    const headers = new Headers(init.headers)
    headers.set('content-type', form.headers.get('content-type') ?? '')
    return fetch(input, { ...init, headers, body: counted ?? null, duplex: 'half' } as RequestInit)
  }
}
