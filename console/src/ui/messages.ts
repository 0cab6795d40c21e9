// What messages are called, and what can be read off their ids.
import { railLetters } from '../values.made.ts'

const meanings: Record<string, string> = {
  'pacs.008': 'Credit transfers',
  'pacs.003': 'Direct debits',
  'pacs.004': 'Returns',
  'pacs.002': 'What became of payments',
  'pacs.028': 'A question about payments',
  'camt.056': 'A recall',
  'camt.029': 'The answer to a recall',
  'camt.053': 'A statement',
  'camt.054': 'A notification of entries',
  'pain.001': 'Orders to pay',
  'pain.008': 'Orders to collect',
}

export const directions = { IN: 'Received', OUT: 'Sent' } as const

/** `pacs.008.001.08` as `pacs.008`. */
export const shortType = (type: string): string => type.split('.').slice(0, 2).join('.')

export const meaningOf = (type: string): string => meanings[shortType(type)] ?? 'A message'

const rails: Record<string, string> = Object.fromEntries(Object.entries(railLetters).map(([rail, letter]) => [letter, rail]))

/** The rail of a message of ours, whose id has a letter for it. Returns and questions, and other banks' messages, do not say. */
export function railOf(messageId: string | null): string | undefined {
  const [, letter = ''] = /^[A-Z0-9]{8}\d{8}([A-Z])\d{12}$/.exec(messageId ?? '') ?? []
  return rails[letter]
}

/** `2439` as `2.4 kB`. */
export function bytesOf(size: number): string {
  if (size < 1000) return `${size} B`
  return size < 1_000_000 ? `${(size / 1000).toFixed(1)} kB` : `${(size / 1_000_000).toFixed(1)} MB`
}
