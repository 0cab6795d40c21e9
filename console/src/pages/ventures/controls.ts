// What the two kinds of venture mean.
import type { Venture } from '@vostro/sdk'

export const controls = {
  OPEN: 'The venture makes every move of its transfers itself.',
  MANAGED: 'The venture orders and signs. Screening, clearing and settlement belong to the bank.',
} satisfies Record<Venture['control'], string>
