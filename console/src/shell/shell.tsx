// The frame around every page: navigation, search, the clock of the sandbox, and the account menu.
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
import { Notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useParams, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { follow, useLiveState } from '../live/live.ts'
import { apiOf } from '../ui/api.ts'
import { focusHeading, keepFocus } from '../ui/focus.ts'
import { useSandbox } from '../ui/sandbox.ts'
import { may, useSession } from '../ui/session.ts'
import { Forbidden } from './fallbacks.tsx'
import { Find, openFind } from './find.tsx'
import { groupsOf } from './groups.ts'
import { bankPages, type PageEntry, venturePages } from './pages.ts'
import { Proof } from './proof.tsx'
import { signOut } from './sign-out.ts'

const liveWords = { off: '', live: '● Live', waiting: '○ Reconnecting' }

export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const session = useSession()
  const queries = useQueryClient()
  const { pathname } = useLocation()
  const { venture: chosen } = useParams({ strict: false }) as { venture?: string }
  // People with a single venture work in it on every page.
  const venture =
    chosen ?? (session.bank_role === null && session.memberships.length === 1 ? session.memberships[0]?.venture_id : undefined)
  const live = useLiveState()
  useEffect(() => (venture === undefined ? undefined : follow(venture, queries)), [venture, queries])
  useKeyboard()
  const [base, pages] = venture === undefined ? ['/bank', bankPages] : [`/v/${venture}`, venturePages]
  const isSandbox = useSandbox()
  const mine = pages.filter(({ needs, sandbox }) => may(session, needs, venture) && (isSandbox || !sandbox))
  const current = entryAt(pages, base, pathname)
  const isSomewhere = venture !== undefined || session.bank_role !== null
  const isForbidden = current !== undefined && !may(session, current.needs, venture)
  return (
    <AppShell
      header={{ height: 54 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen, desktop: !isSomewhere } }}
      padding="md"
    >
      <AppShell.Header>
        <Button className="skip" size="sm" onClick={() => focusHeading()}>
          Skip to content
        </Button>
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
              size="compact-sm"
              onClick={() => openFind()}
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
        {isSomewhere &&
          groupsOf(pages, mine).map(([group, members]) => (
            <div key={group}>
              {group !== '' && <div className="nav-group">{group}</div>}
              {members.map((page) => (
                <NavLink
                  key={page.path}
                  label={page.label}
                  active={page === current || page.path === current?.path.split('/')[0]}
                  onClick={close}
                  renderRoot={(props) => <Link {...props} to={`${base}/${page.path}`} />}
                />
              ))}
            </div>
          ))}
      </AppShell.Navbar>
      <AppShell.Main>{isForbidden ? <Forbidden needs={current.needs} /> : <Outlet />}</AppShell.Main>
      <Find base={base} venture={venture} pages={mine} />
      <Proof />
      {/* Within the router, because a notification may link to a page. */}
      <Notifications position="top-right" />
    </AppShell>
  )
}

/** Moves the focus to the heading of a page that was opened. The first page leaves it at the top, where the skip link is. */
function useKeyboard(): void {
  const router = useRouter()
  useEffect(keepFocus, [])
  useEffect(() => {
    let isBack = false
    const stop = [
      router.history.subscribe(({ action }: { action: { type: string } }) => {
        isBack = action.type === 'BACK' || action.type === 'FORWARD' || action.type === 'GO'
      }),
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation !== undefined && pathChanged) focusHeading({ stays: isBack })
      }),
    ]
    return () => {
      for (const end of stop) end()
    }
  }, [router])
}

/** The page at an address; `$id` matches anything. */
export function entryAt(pages: readonly PageEntry[], base: string, pathname: string): PageEntry | undefined {
  const path = pathname.replace(/^\/console/, '').replace(/\/$/, '')
  if (!path.startsWith(`${base}/`)) return undefined
  const parts = path.slice(base.length + 1).split('/')
  return pages.find(({ path: pattern }) => {
    const wanted = pattern.split('/')
    return wanted.length === parts.length && wanted.every((part, at) => part.startsWith('$') || part === parts[at])
  })
}

/** The venture or the bank that the page belongs to. */
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
    <Text size="sm" c="dimmed" truncate className="place">
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
          <Menu.Item renderRoot={(props) => <Link {...props} to="/choose-venture" />}>Switch venture</Menu.Item>
        )}
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
