// Ctrl-K: pages by name, and whatever a pasted id, reference, email or IBAN belongs to.

import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { findIn } from '../ui/found.ts'
import { useSession } from '../ui/session.ts'
import { words } from '../ui/words.ts'
import type { PageEntry } from './pages.ts'

type Options = { base: string; venture: string | undefined; pages: readonly PageEntry[] }

export function Find({ base, venture, pages }: Options) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text.trim(), 200)
  // Whoever is at no venture, and not of the bank, has only the pages to find.
  const { bank_role } = useSession()
  const { data: found = [], isFetching } = useQuery({
    queryKey: ['find', venture, settled],
    enabled: settled.length >= 3 && (venture !== undefined || bank_role !== null),
    queryFn: () => findIn(venture, settled),
  })
  const matching = pages.filter(({ label }) => label?.toLowerCase().includes(text.trim().toLowerCase()))
  const actions = [
    ...found.map(({ kind, id, title, subtitle, to }) => ({
      id: `${kind} ${id}`,
      label: title,
      description: [words(kind), subtitle].filter(Boolean).join(' · '),
      onClick: () => void navigate({ to }),
    })),
    ...matching.map(({ path, label = '' }) => ({
      id: path,
      label,
      description: 'Page',
      onClick: () => void navigate({ to: `${base}/${path}` }),
    })),
  ]
  return (
    <Spotlight
      actions={actions}
      query={text}
      onQueryChange={setText}
      filter={(_, all) => all}
      nothingFound={isFetching ? 'Looking…' : 'Nothing found'}
      searchProps={{ placeholder: 'A page, or an id, reference, email or IBAN', 'aria-label': 'Find' }}
      attributes={{ content: { 'aria-label': 'Find' } }}
      shortcut={['mod + K']}
      scrollable
      maxHeight={420}
    />
  )
}
