// A link to another page of the console, within a text or a cell.
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
