// The frame of a page and its blocks.
import { Anchor, Box, Code, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { ProblemNote } from './problem.tsx'

type Heading = {
  title: string
  /** Beside the title, such as a status. */
  aside?: ReactNode
  /** The buttons of the page. */
  actions?: ReactNode
  /** The parent page. */
  back?: { to: string; label: string }
  children: ReactNode
}

export function Page({ title, aside, actions, back, children }: Heading) {
  useEffect(() => {
    document.title = `${title} · Vostro`
  }, [title])
  return (
    <Stack gap="md">
      <div>
        {back && (
          <Anchor renderRoot={(props) => <Link {...props} to={back.to} />} size="sm">
            ← {back.label}
          </Anchor>
        )}
        <Group justify="space-between" gap="sm" mt={back ? 4 : 0}>
          <Group gap="sm">
            <Title order={1} className="page-title" tabIndex={-1}>
              {title}
            </Title>
            {aside}
          </Group>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </div>
      {children}
    </Stack>
  )
}

export function Block({ title, note, actions, children }: { title?: string; note?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      {title !== undefined && (
        <Group justify="space-between" mb="sm" gap="xs">
          <Title order={2} size="h4">
            {title}
          </Title>
          {note !== undefined && (
            <Text size="sm" c="dimmed" component="div">
              {note}
            </Text>
          )}
          {actions}
        </Group>
      )}
      {children}
    </Paper>
  )
}

/** Names and values. Empty values are left out. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** An empty state with a hint and, optionally, a command for a terminal. */
export function Empty({ title, children, curl }: { title: string; children?: ReactNode; curl?: string }) {
  return (
    <Box className="empty">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text size="sm" c="dimmed" component="div">
          {children}
        </Text>
      )}
      {curl !== undefined && (
        <Code block tabIndex={0}>
          {curl}
        </Code>
      )}
    </Box>
  )
}

type Question = { isPending: boolean; error: unknown }

/** The loading and error states of a page or block. */
export function Answered({ query, children }: { query: Question; children: ReactNode }) {
  if (query.error) return <ProblemNote error={query.error} />
  if (query.isPending)
    return (
      <Group justify="center" p="xl" role="status" aria-label="Loading">
        <Loader size="sm" />
      </Group>
    )
  return children
}
