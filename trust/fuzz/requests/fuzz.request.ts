// One request of the corpus or of the fuzzer, and how to send it again by hand.

import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Target } from './fuzz.targets.ts'

export type Sender = 'venture' | 'managed' | 'disposable' | 'admin' | 'relay' | 'nobody'

export type Request = {
  target: Target
  /** What is special about the request, in words. */
  why: string
  method: string
  path: string
  headers: Record<string, string>
  body?: Uint8Array | undefined
  as: Sender
  /** Wrong by construction: it must be refused, and nothing may be stored. */
  refused: boolean
  /** The field that the refusal must name. */
  field?: string | undefined
  /** Its number in the run; together with the seed, it generates the request again. */
  number?: number
}

const longestArgument = 2_000

/** A shell command. Keys are variables, because those of the run no longer exist. */
export function curlOf({ method, path, headers, body, as }: Request): string {
  const shown = Object.entries(headers).map(
    ([name, value]) => `-H ${quoted(name === 'x-api-key' ? `x-api-key: $${as.toUpperCase()}_KEY` : `${name}: ${value}`)}`,
  )
  return ['curl -i --path-as-is -X', method, `"$URL"${quoted(path)}`, ...shown, ...bodyOf(body)].join(' ')
}

function bodyOf(body: Uint8Array | undefined): string[] {
  if (body === undefined) return []
  const bytes = Buffer.from(body)
  if (bytes.length <= longestArgument && !bytes.includes(0)) return [`--data-binary ${quoted(bytes.toString('latin1'))}`]
  const file = join(tmpdir(), `fuzz-${process.pid}-${kept++}.body`)
  writeFileSync(file, bytes)
  return [`--data-binary @${file}`]
}

let kept = 0

/** In double quotes, if it names a key; otherwise as $'…', in which every byte can be written. */
function quoted(text: string): string {
  if (/^x-api-key: \$/.test(text)) return `"${text}"`
  if (/^[\x20-\x7e]*$/.test(text) && !text.includes("'")) return `'${text}'`
  return `$'${text.replace(/[^\x20-\x7e]|['\\]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`
}
