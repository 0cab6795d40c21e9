// Names of message types, and what message ids reveal.
import { railLetters } from '../values.made.ts'

const meanings: Record<string, string> = {
  'pacs.008': 'Credit transfers',
  'pacs.003': 'Direct debits',
  'pacs.004': 'Returns',
  'pacs.002': 'Payment status reports',
  'pacs.028': 'Status request',
  'camt.056': 'Recall',
  'camt.029': 'Recall response',
  'camt.053': 'Statement',
  'camt.054': 'Debit and credit notification',
  'pain.001': 'Payment orders',
  'pain.008': 'Collection orders',
}

export const directions = { IN: 'Received', OUT: 'Sent' } as const

/** `pacs.008.001.08` as `pacs.008`. */
export const shortType = (type: string): string => type.split('.').slice(0, 2).join('.')

export const meaningOf = (type: string): string => meanings[shortType(type)] ?? 'Message'

const rails: Record<string, string> = Object.fromEntries(Object.entries(railLetters).map(([rail, letter]) => [letter, rail]))

/** The rail, from the letter in the ids of our own messages. Returns, status requests and other banks' messages do not have it. */
export function railOf(messageId: string | null): string | undefined {
  const [, letter = ''] = /^[A-Z0-9]{8}\d{8}([A-Z])\d{12}$/.exec(messageId ?? '') ?? []
  return rails[letter]
}

/** `2439` as `2.4 kB`. */
export function bytesOf(size: number): string {
  if (size < 1000) return `${size} B`
  return size < 1_000_000 ? `${(size / 1000).toFixed(1)} kB` : `${(size / 1_000_000).toFixed(1)} MB`
}
