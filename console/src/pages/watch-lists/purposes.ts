// What people call the purposes of watch lists.
import type { Watchlist } from '@vostro/sdk'

export const purposeNames: Readonly<Record<Watchlist['purpose'], string>> = { SANCTIONS: 'Sanctions', PEPS: 'Politically exposed persons' }
