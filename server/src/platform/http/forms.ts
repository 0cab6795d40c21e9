// Forms that browsers send (`application/x-www-form-urlencoded`). Anything that two parsers could read differently is refused.
import { refuse } from '../../values/refusals.ts'
import { cut } from './characters.ts'
import type { App } from './http.ts'

export type Form = ReadonlyMap<string, string>

/** Makes the routes of `app` accept only forms, as bytes. Each handler responds to errors in its own way. */
export function takeForms(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_request: unknown, bytes: Buffer) => bytes,
  )
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function readForm(body: unknown): Form {
  const fields = new Map<string, string>()
  for (const pair of textOf(body).split('&')) {
    if (pair === '') continue
    const end = pair.includes('=') ? pair.indexOf('=') : pair.length
    const name = decoded(pair.slice(0, end))
    if (fields.has(name)) refuse('malformed_body', { detail: `The form has the field ${JSON.stringify(cut(name))} twice.` })
    fields.set(name, decoded(pair.slice(end + 1)))
  }
  return fields
}

function textOf(body: unknown): string {
  try {
    return Buffer.isBuffer(body) ? utf8.decode(body) : ''
  } catch {
    return malformed()
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return malformed()
  }
}

function malformed(): never {
  refuse('malformed_body', { detail: 'The form is not valid UTF-8.' })
}
