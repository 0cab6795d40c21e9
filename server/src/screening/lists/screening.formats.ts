// The formats of lists, and the one function that imports them.
import type { Imported } from './screening.collector.ts'
import { readEu } from './screening.eu.ts'
import { readOfac } from './screening.ofac.ts'
import { readOpenSanctions } from './screening.opensanctions.ts'
import { ListRefusal } from './screening.refusal.ts'
import { readUk } from './screening.uk.ts'
import { readUn } from './screening.un.ts'

export const listFormats = ['OFAC', 'UN', 'EU', 'UK', 'OPENSANCTIONS'] as const
export type ListFormat = (typeof listFormats)[number]

/** The files of a list, by their role in it. Most formats have only one, called `list`. */
export type ListFiles = Readonly<Record<string, Uint8Array>>

type Format = {
  /** What people call it. */
  name: string
  required: readonly FileName[]
  optional: readonly FileName[]
  read: (files: ListFiles) => Imported | Promise<Imported>
}

/** What each file is, for the contract. */
export const fileMeanings = {
  list: 'The whole list, in its format. For every format but OFAC.',
  sdn: 'The main file of OFAC, `sdn.csv`.',
  alt: 'The aliases of OFAC, `alt.csv`. Optional.',
  add: 'The addresses of OFAC, `add.csv`. Optional.',
} as const

type FileName = keyof typeof fileMeanings

const single = { required: ['list'], optional: [] } as const

export const formats: Readonly<Record<ListFormat, Format>> = {
  OFAC: { name: 'OFAC', required: ['sdn'], optional: ['alt', 'add'], read: (files) => readOfac(files as Parameters<typeof readOfac>[0]) },
  UN: { name: 'United Nations', ...single, read: (files) => readUn(files as Parameters<typeof readUn>[0]) },
  EU: { name: 'European Union', ...single, read: (files) => readEu(files as Parameters<typeof readEu>[0]) },
  UK: { name: 'United Kingdom', ...single, read: (files) => readUk(files as Parameters<typeof readUk>[0]) },
  OPENSANCTIONS: { name: 'OpenSanctions', ...single, read: (files) => readOpenSanctions(files as Parameters<typeof readOpenSanctions>[0]) },
}

/** `refusal`: a sentence that names the file, the line and the reason. */
export type ImportResult = ({ ok: true } & Imported) | { ok: false; refusal: string }

/** Reads a whole list, or refuses it. */
export async function importList(format: ListFormat, files: ListFiles): Promise<ImportResult> {
  const { required, optional, read } = formats[format]
  const missing = required.find((part) => files[part] === undefined)
  if (missing !== undefined) return { ok: false, refusal: `A list of the format ${format} needs the file ${missing}.` }
  const stray = Object.keys(files).find((part) => !([...required, ...optional] as string[]).includes(part))
  if (stray !== undefined) return { ok: false, refusal: `A list of the format ${format} has no file ${stray}.` }
  try {
    return { ok: true, ...(await read(files)) }
  } catch (error) {
    if (error instanceof ListRefusal) return { ok: false, refusal: error.message }
    throw error
  }
}
