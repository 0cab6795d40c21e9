// What is around every page: the navigation of the venture or of the bank, finding, the clock of the sandbox, and who is signed in.
import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  NavLink,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Notifications, notifications } from '@mantine/notifications'
import { spotlight } from '@mantine/spotlight'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { follow, useLiveState } from '../live/live.ts'
import { api, apiOf } from '../ui/api.ts'
import { codeOf } from '../ui/problem.tsx'
import { useSandbox } from '../ui/sandbox.ts'
import { may, useSession } from '../ui/session.ts'
import { Forbidden } from './fallbacks.tsx'
import { Find } from './find.tsx'
import { bankPages, type PageEntry, venturePages } from './pages.ts'
import { Proof } from './proof.tsx'

const liveWords = { off: '', live: '● Live', waiting: '○ Reconnecting' }

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const session = useSession()
  const queries = useQueryClient()
  const { pathname } = useLocation()
  const { venture } = useParams({ strict: false }) as { venture?: string }
  const live = useLiveState()
  useEffect(() => (venture === undefined ? undefined : follow(venture, queries)), [venture, queries])
  const [base, pages] = venture === undefined ? ['/bank', bankPages] : [`/v/${venture}`, venturePages]
  const isSandbox = useSandbox()
  const mine = pages.filter(({ needs, sandbox }) => may(session, needs, venture) && (isSandbox || !sandbox))
  const current = entryAt(pages, base, pathname)
  const isForbidden = current !== undefined && !may(session, current.needs, venture)
  return (
    <AppShell header={{ height: 54 }} navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }} padding="md">
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link to="/" className="brand">
              Vostro
            </Link>
            <Place venture={venture} />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Text size="xs" c="dimmed" role="status" visibleFrom="sm">
              {liveWords[live]}
            </Text>
            <Button
              variant="default"
              size="compact-md"
              onClick={() => spotlight.open()}
              rightSection={
                <Kbd size="xs" visibleFrom="sm">
                  Ctrl K
                </Kbd>
              }
            >
              Find
            </Button>
            <Scheme />
            <Person />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages" className="navbar">
        {session.bank_role !== null && venture !== undefined && (
          <NavLink label="← The bank" renderRoot={(props) => <Link {...props} to="/bank/ventures" />} />
        )}
        {(venture !== undefined || session.bank_role !== null) &&
          mine
            .filter(({ label }) => label !== undefined)
            .map((page) => (
              <NavLink
                key={page.path}
                label={page.label}
                active={page === current || page.path === current?.path.split('/')[0]}
                onClick={close}
                renderRoot={(props) => <Link {...props} to={`${base}/${page.path}`} />}
              />
            ))}
      </AppShell.Navbar>
      <AppShell.Main>{isForbidden ? <Forbidden needs={current.needs} /> : <Outlet />}</AppShell.Main>
      <Find base={base} venture={venture} pages={mine} />
      <Proof />
      {/* Within the router, because a notification may lead to a page. */}
      <Notifications position="top-right" />
    </AppShell>
  )
}

/** The page at an address, whose `$id` stands for anything. */
export function entryAt(pages: readonly PageEntry[], base: string, pathname: string): PageEntry | undefined {
  const path = pathname.replace(/^\/console/, '').replace(/\/$/, '')
  if (!path.startsWith(`${base}/`)) return undefined
  const parts = path.slice(base.length + 1).split('/')
  return pages.find(({ path: pattern }) => {
    const wanted = pattern.split('/')
    return wanted.length === parts.length && wanted.every((part, at) => part.startsWith('$') || part === parts[at])
  })
}

/** The venture or the bank that the page is about. */
function Place({ venture }: { venture: string | undefined }) {
  const session = useSession()
  const { data } = useQuery({
    queryKey: ['place', venture],
    enabled: venture !== undefined,
    queryFn: () => apiOf(venture ?? '').venture.get(),
    staleTime: 60_000,
  })
  const name = venture === undefined ? (session.bank_role === null ? '' : 'The bank') : data?.name
  return (
    <Text size="sm" c="dimmed" truncate>
      {name}
    </Text>
  )
}

function Scheme() {
  const { setColorScheme } = useMantineColorScheme()
  const next = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark'
  return (
    <ActionIcon variant="default" size={30} aria-label={`Use ${next} colours`} onClick={() => setColorScheme(next)}>
      <span aria-hidden="true">{next === 'light' ? '☀' : '☾'}</span>
    </ActionIcon>
  )
}

function Person() {
  const { user, memberships, bank_role } = useSession()
  const initials = user.name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
    .toUpperCase()
  const signOut = async () => {
    try {
      await api.session.signOut()
    } catch (error) {
      // Nobody may walk away from a session that goes on.
      if (codeOf(error) !== 'unauthorized')
        return void notifications.show({ color: 'red', title: 'You are still signed in', message: 'Signing out failed. Try it again.' })
    }
    location.assign('/console/sign-in')
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={30} radius="xl" aria-label={`${initials}, ${user.name}: your sign-in`}>
          <Text size="xs" fw={600}>
            {initials}
          </Text>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name} · {user.email}
        </Menu.Label>
        <Menu.Item renderRoot={(props) => <Link {...props} to="/you" />}>Your sign-in</Menu.Item>
        {bank_role === null && memberships.length > 1 && (
          <Menu.Item renderRoot={(props) => <Link {...props} to="/choose-venture" />}>Another venture</Menu.Item>
        )}
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
