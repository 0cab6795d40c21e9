// API keys. The prefix shows the kind of key (`vk_live_…`, `vk_test_…`), so that scanners recognise a leaked key. The last characters are a
// checksum, so a mistyped key never reaches the database.
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type KeyKind = 'live' | 'test' | 'admin' | 'kyc' | 'bank'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^(vk_(?:live|test|admin|kyc|bank)_[A-Za-z0-9_-]{43})([0-9A-Za-z]{6})$/

export function makeKey(kind: KeyKind): string {
  const body = `vk_${kind}_${randomBytes(32).toString('base64url')}`
  return body + checksum(body)
}

export function isWellFormed(key: string): boolean {
  const [, body, sum] = form.exec(key) ?? []
  return body !== undefined && checksum(body) === sum
}

/** Whether it has the form of a bank key. */
export function isBankKey(key: string): boolean {
  return key.startsWith('vk_bank_') && isWellFormed(key)
}

export function hashOf(key: string): string {
  return hash('sha256', key)
}

export function prefixOf(key: string): string {
  return key.slice(0, 12)
}

function checksum(text: string): string {
  let rest = crc32(text)
  let sum = ''
  for (let place = 0; place < 6; place++) {
    sum = digits.charAt(rest % 62) + sum
    rest = Math.floor(rest / 62)
  }
  return sum
}
