import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Empty, Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem.tsx'

export function NotFound() {
  return (
    <Page title="There is no such page">
      <Empty title="The address leads nowhere.">
        <Anchor renderRoot={(props) => <Link {...props} to="/" />}>Go to the start</Anchor>
      </Empty>
    </Page>
  )
}

export function Failed({ error }: { error: unknown }) {
  return (
    <Page title="This page could not be shown">
      <ProblemNote error={error} />
    </Page>
  )
}

export function Forbidden({ needs }: { needs: string }) {
  return (
    <Page title="Not for your role">
      <Empty title="Your role does not let you see this page.">
        It needs the operation <code>{needs}</code>. Ask an admin of your team for another role.
      </Empty>
    </Page>
  )
}
