/** What the two kinds of control mean. */
export const controls = {
  OPEN: 'The venture moves its transfers itself.',
  MANAGED: 'The venture orders and signs transfers. The bank screens, clears and settles them.',
} as const
