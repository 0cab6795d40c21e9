// What the two kinds of venture mean.
import type { Venture } from '@vostro/sdk'

export const controls = {
  OPEN: 'The venture moves its transfers itself.',
  MANAGED: 'The venture orders and signs transfers. The bank screens, clears and settles them.',
} satisfies Record<Venture['control'], string>
