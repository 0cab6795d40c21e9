// A link to a page of the console, in text or in a table cell.
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export function To({ to, search, children }: { to: string; search?: Record<string, string>; children: ReactNode }) {
  return (
    <Anchor inherit renderRoot={(props) => <Link {...props} to={to} search={(search ?? {}) as never} />}>
      {children}
    </Anchor>
  )
}
