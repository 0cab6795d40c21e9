// An external link to an address that a partner or a venture supplied.
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { isWebAddress } from './web-address.ts'

/** Other schemes are shown as text, because a browser could run them as a script. */
export function OutsideLink({ to, size, children }: { to: string; size?: 'sm'; children: ReactNode }) {
  if (!isWebAddress(to)) return <span>{to}</span>
  return (
    <Anchor href={to} target="_blank" rel="noopener noreferrer" {...(size === undefined ? { inherit: true } : { size })}>
      {children}
    </Anchor>
  )
}
