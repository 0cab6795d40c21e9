// Passwords: what makes one acceptable, and their argon2id hashes.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { refuse } from '../values/refusals.ts'
import { isGuessable } from './users.guesses.ts'

// The minimum that OWASP recommends for argon2id.
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const saltLength = 16
const atATime = 2
/** If more sign-ins than this are waiting, further ones are refused, because they would wait many seconds. */
const mostWaiting = 64

const run = promisify(argon2)

let running = 0
const waiting: (() => void)[] = []

/** Each hash takes 19 MiB and a thread, so only two are computed at a time. */
async function hashed(password: string, salt: Buffer): Promise<Buffer> {
  if (running >= atATime) {
    if (waiting.length >= mostWaiting) refuse('unavailable', { retry_after_s: 5 })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else running++
  try {
    return await run('argon2id', { ...cost, message: normal(password), nonce: salt })
  } finally {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

/** The same password, typed on another keyboard, may have other code points. */
const normal = (password: string): string => password.normalize('NFKC')

const encoded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const parameters = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltLength)
  return `${parameters}${encoded(salt)}$${encoded(await hashed(password, salt))}`
}

/** For an unknown email: the same work, with a result that never matches. */
const nobody = { salt: randomBytes(saltLength), tag: randomBytes(cost.tagLength) }

/** Without a stored hash, it takes as long and is always wrong. */
export async function isRightPassword(stored: string | undefined, password: string): Promise<boolean> {
  const { salt, tag } = stored === undefined ? nobody : parsed(stored)
  return timingSafeEqual(await hashed(password, salt), tag) && stored !== undefined
}

function parsed(stored: string): { salt: Buffer; tag: Buffer } {
  if (!stored.startsWith(parameters)) throw new Error('a password hash has other parameters than this version computes')
  const [salt = '', tag = ''] = stored.slice(parameters.length).split('$')
  return { salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

const leastLength = 12
const mostLength = 128
const leastDistinct = 6

/** Refuses easily guessed passwords. */
export function requireStrong(password: string, email: string): void {
  const weak = weaknessOf(normal(password), email)
  if (weak !== undefined) refuse('weak_password', { detail: `The password ${weak}.` })
}

function weaknessOf(password: string, email: string): string | undefined {
  const length = [...password].length
  if (length < leastLength) return `must have at least ${leastLength} characters`
  if (length > mostLength) return `must have at most ${mostLength} characters`
  const lower = password.toLowerCase()
  if (new Set(lower).size < leastDistinct) return `must have at least ${leastDistinct} different characters`
  const [name = ''] = email.split('@')
  if (name !== '' && (lower.includes(email) || (name.length >= 4 && lower.includes(name)))) return 'must not contain the email address'
  const known = email.split(/[^\p{L}]+/u).filter((part) => part.length >= 3)
  if (!isGuessable(password, known)) return undefined
  return 'is too easy to guess: it consists of common words, years, neighbouring keys or repetitions'
}
