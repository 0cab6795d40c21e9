// Characters that are forbidden in every string of the API, because they hide, reorder or break what a person reads.
import { type FieldError, refuse } from '../../values/refusals.ts'

/** Control characters, lone surrogates, and marks that change the direction of writing. */
const forbidden = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/**
 * Turns text from others into one line without forbidden characters. Invisible characters are removed without a space, so that they do not
 * split a name.
 */
export function oneLine(text: string): string {
  return Array.from(text, (character) => (/\s|\p{Cc}/u.test(character) ? ' ' : forbidden.test(character) ? '' : character))
    .join('')
    .replace(/ +/g, ' ')
    .trim()
}

/** Limits the size of a response, which must not be much larger than its request. */
export const mostErrors = 20

/** Shortens a caller's input to what a person would read. */
export function cut(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`
}

/** Refuses a body or a query if any string in it, at any depth, contains a forbidden character. */
export function checkCharacters(value: unknown): void {
  const errors: FieldError[] = []
  collect(value, '', errors)
  if (errors.length > 0) refuse('invalid_request', { detail: describe(errors), errors })
}

/** Refuses an escape such as %FF that encodes no character. It would be taken literally, and a search for it would find nothing. */
export function checkEscapes(url: string): void {
  const start = url.indexOf('?')
  if (start === -1 || !url.includes('%', start)) return
  const broken = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => !isDecodable(pair))
  const errors = broken
    .slice(0, mostErrors)
    .map((pair) => ({ field: cut(pair.split('=', 1)[0] ?? ''), message: 'contains a percent-encoding that is not valid UTF-8' }))
  if (errors.length > 0) refuse('invalid_request', { detail: describe(errors), errors })
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function collect(value: unknown, path: string, errors: FieldError[]): void {
  if (errors.length >= mostErrors) return
  if (typeof value === 'string') {
    if (forbidden.test(value))
      errors.push({ field: cut(path), message: 'must not contain control characters or marks that change the direction of text' })
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      if (forbidden.test(name))
        errors.push({
          field: cut(path),
          message: 'has a field whose name contains control characters or marks that change the direction of text',
        })
      else collect(inner, cut(path === '' ? name : `${path}.${name}`), errors)
    }
  }
}

export function describe(errors: readonly FieldError[]): string {
  const [first] = errors
  if (first === undefined) return ''
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return `${first.field === '' ? 'The body' : first.field} ${first.message}${more}.`
}
