import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Empty, Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty title="This address does not exist.">
        <Anchor renderRoot={(props) => <Link {...props} to="/" />}>Go to the home page</Anchor>
      </Empty>
    </Page>
  )
}

export function Failed({ error }: { error: unknown }) {
  return (
    <Page title="Something went wrong">
      <ProblemNote error={error} />
    </Page>
  )
}

export function Forbidden({ needs }: { needs: string }) {
  return (
    <Page title="Access denied">
      <Empty title="Your role has no access to this page.">
        It needs the operation <code>{needs}</code>. Ask an admin of your team for another role.
      </Empty>
    </Page>
  )
}
