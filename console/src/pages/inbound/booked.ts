import type { BookedFact } from '@vostro/sdk'
import type { Tone } from '../../ui/status.tsx'

export const tones: Record<BookedFact['booked_as'], Tone> = { transfer: 'good', unapplied: 'attention', break: 'bad', collection: 'plain' }

export const meanings: Record<BookedFact['booked_as'], string> = {
  transfer: 'A transfer to a client.',
  unapplied: 'Money that no account could accept.',
  break: 'A debit that no account could cover.',
  collection: 'A payment of a client’s debt.',
}
