// Example requests as shell commands. Ids, and values that only the caller knows, are variables, so a command works once they are set.
import type { Door } from '../http/access.ts'
import type { Example } from '../http/examples.ts'

export type Sample = {
  method: string
  path: string
  door: Door
  /** Whether a key can send it. */
  byKey: boolean
  reads: boolean
  fromConsole: boolean
  example: Example
  /** The ids in examples. A field with one of them becomes a variable. */
  ids: Readonly<Record<string, string>>
}

const variable = (field: string): string => `$${field.toUpperCase()}`

/** A command for a POSIX shell. */
export function curlOf(sample: Sample): string {
  const { method, example } = sample
  const text = textOf(sample)
  const options = [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...credentialsOf(sample),
    ...Object.entries(example.files ?? {}).map(([name, file]) => `-F ${name}=@${file}`),
    ...(text === undefined ? [] : ["-H 'Content-Type: application/json'"]),
  ]
  const command = (...more: string[]) => [`curl "$VOSTRO_URL${targetOf(sample)}"`, ...options, ...more].join(' \\\n  ')
  if (text === undefined) return command()
  if (example.isSigned) return signed(text, String(example.body?.['id']), command)
  if (text.includes('$')) return `${command('-d @-')} <<JSON\n${text}\nJSON`
  return command(`-d '${text}'`)
}

function targetOf({ path, example: { params = {}, query = {} } }: Sample): string {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? variable(name))
  const search = new URLSearchParams(query).toString()
  return search === '' ? target : `${target}?${search}`
}

function credentialsOf({ door, byKey, reads, fromConsole, example: { byPerson, signsIn } }: Sample): string[] {
  const fromTheConsole = ['-H "Origin: $VOSTRO_URL"', "-H 'X-Vostro-Console: 1'"]
  if (fromConsole) return [...fromTheConsole, ...(signsIn ? ['-c cookies.txt'] : [])]
  if (door === 'none') return []
  if (byKey && byPerson !== true) return [`-H "Authorization: Bearer ${door === 'operator' ? '$VOSTRO_ADMIN_KEY' : '$VOSTRO_KEY'}"`]
  return ['-b cookies.txt', ...(reads ? [] : fromTheConsole), ...(door === 'venture' ? ['-H "Vostro-Venture: $VENTURE_ID"'] : [])]
}

/** The body, with variables for the values that differ between callers. */
function textOf({ example: { body, own = [] }, ids }: Sample): string | undefined {
  if (body === undefined) return undefined
  const known = new Set(Object.values(ids))
  const text = JSON.stringify(
    body,
    (field, value) => {
      if (own.includes(field) || (typeof value === 'string' && known.has(value))) return variable(field)
      if (typeof value === 'string' && /[$`\\']/.test(value))
        throw new Error(`the example of ${field} has a character that a shell interprets`)
      return value
    },
    2,
  )
  // The variable of an object holds its JSON.
  return own
    .filter((field) => typeof body[field] === 'object')
    .reduce((all, field) => all.replace(`"${variable(field)}"`, () => variable(field)), text)
}

/** Signed as Standard Webhooks defines it. */
function signed(text: string, id: string, command: (...more: string[]) => string): string {
  return [
    `BODY=$(cat <<JSON\n${text}\nJSON\n)`,
    'TIME=$(date +%s)',
    'SECRET=$(printf %s "$VOSTRO_KYC_SECRET" | cut -d_ -f2 | base64 -d | od -An -v -tx1 | tr -d " \\n")',
    `SIGNATURE=$(printf %s "${id}.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$SECRET" -binary | base64)`,
    command(`-H 'webhook-id: ${id}'`, '-H "webhook-timestamp: $TIME"', '-H "webhook-signature: v1,$SIGNATURE"', '-d "$BODY"'),
  ].join('\n')
}
