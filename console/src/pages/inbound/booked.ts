import type { BookedFact } from '@vostro/sdk'
import type { Tone } from '../../ui/status.tsx'

export const tones: Record<BookedFact['booked_as'], Tone> = { transfer: 'good', unapplied: 'attention', break: 'bad', collection: 'plain' }

export const meanings: Record<BookedFact['booked_as'], string> = {
  transfer: 'A transfer of a client.',
  unapplied: 'Money that no account could take.',
  break: 'A debit that no account could bear.',
  collection: 'A payment of what a client owed.',
}
