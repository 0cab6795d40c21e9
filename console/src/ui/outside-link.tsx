// A link that leads out of the console, to an address that the console did not make: a partner or a venture has.
import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { isWebAddress } from './web-address.ts'

/** What is no address of the web is shown as a text: a browser could run it as a script. */
export function OutsideLink({ to, size, children }: { to: string; size?: 'sm'; children: ReactNode }) {
  if (!isWebAddress(to)) return <span>{to}</span>
  return (
    <Anchor href={to} target="_blank" rel="noopener noreferrer" {...(size === undefined ? { inherit: true } : { size })}>
      {children}
    </Anchor>
  )
}
