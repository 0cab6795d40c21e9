// Ctrl-K: finds pages by name, and resources by id, reference, email or IBAN.

import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { findIn } from '../ui/found.ts'
import { useSession } from '../ui/session.ts'
import { words } from '../ui/words.ts'
import type { PageEntry } from './pages.ts'
import { signOut } from './sign-out.ts'

const [store, { open, close }] = createSpotlight()

export const openFind = open

/** The kit selects the first line when the text changes, before the results are there. */
function chooseFirst(): void {
  const [first, ...others] = document.querySelectorAll('[data-action]')
  for (const other of others) other.removeAttribute('data-selected')
  first?.setAttribute('data-selected', 'true')
  store.setState({ ...store.getState(), selected: 0 })
}

type Options = { base: string; venture: string | undefined; pages: readonly PageEntry[] }

export function Find({ base, venture, pages }: Options) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  // Enter was pressed before the results arrived.
  const [isAwaited, setAwaited] = useState(false)
  const [settled] = useDebouncedValue(text.trim(), 200)
  // Without a venture or a bank role, only pages can be found.
  const { bank_role } = useSession()
  const { data: found, isFetching } = useQuery({
    queryKey: ['find', venture, settled],
    enabled: settled.length >= 3 && (venture !== undefined || bank_role !== null),
    queryFn: () => findIn(venture, settled),
  })
  const isLooking = isFetching || settled !== text.trim()
  const isMatching = (label: string | undefined): boolean => label?.toLowerCase().includes(text.trim().toLowerCase()) === true
  const actions = [
    ...(found ?? []).map(({ kind, id, title, subtitle, to }) => ({
      id: `${kind} ${id}`,
      label: title,
      description: [words(kind), subtitle].filter(Boolean).join(' · '),
      onClick: () => void navigate({ to }),
    })),
    ...pages
      .filter(({ label }) => isMatching(label))
      .map(({ path, label = '' }) => ({
        id: path,
        label,
        description: 'Page',
        onClick: () => void navigate({ to: `${base}/${path}` }),
      })),
    ...[
      { id: 'you', label: 'Your sign-in', description: 'Page', onClick: () => void navigate({ to: '/you' }) },
      { id: 'sign out', label: 'Sign out', description: 'Ends your session', onClick: () => void signOut() },
    ].filter(({ label }) => isMatching(label)),
  ]
  useEffect(() => {
    if (found !== undefined) chooseFirst()
  }, [found])
  const openFirst = useEffectEvent(() => {
    setAwaited(false)
    close()
    actions[0]?.onClick()
  })
  const hasCome = isAwaited && actions.length > 0
  useEffect(() => {
    if (hasCome) openFirst()
  }, [hasCome])
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Enter' && isLooking && actions.length === 0) setAwaited(true)
  }
  return (
    <Spotlight
      store={store}
      actions={actions}
      query={text}
      onQueryChange={(next) => {
        setText(next)
        setAwaited(false)
      }}
      filter={(_, all) => all}
      nothingFound={isLooking ? 'Searching…' : 'No results'}
      searchProps={{ placeholder: 'Search pages, ids, references, emails or IBANs', 'aria-label': 'Find', onKeyDown }}
      attributes={{ content: { 'aria-label': 'Find' } }}
      shortcut={['mod + K']}
      // Works inside fields, too.
      tagsToIgnore={[]}
      scrollable
      maxHeight={420}
    />
  )
}
