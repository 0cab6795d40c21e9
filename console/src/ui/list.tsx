// Lists with cursor pages, filters in the URL, linked rows, and new rows that are shown on request.
import { Button, Group, Paper, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Page as PageOf } from '@vostro/sdk'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useFresh } from '../live/live.ts'
import { Answered } from './page.tsx'
import { countedTo99, words } from './words.ts'

export type Column<Row> = {
  label: string
  cell(row: Row): ReactNode
  /** Hidden on narrow screens. Status and amount stay. */
  wide?: boolean
  align?: 'right'
}

export type Filter = {
  name: string
  label: string
  choices?: readonly string[]
  /** The label of a choice, if not derived from its value. */
  written?(choice: string): string
  type?: 'date'
  width?: number
  /** The default when the URL has no value. Such a filter can be changed but not removed. */
  usual?: string
}

export type Filters = Record<string, string>

/** Filters are in the URL, so that a link reproduces the list. */
export function useFilters(): [Filters, (changes: Record<string, string | undefined>) => void] {
  const filters = useSearch({ strict: false }) as Filters
  const navigate = useNavigate()
  const change = (changes: Record<string, string | undefined>) =>
    void navigate({
      to: '.',
      replace: true,
      search: Object.fromEntries(Object.entries({ ...filters, ...changes }).filter(([, value]) => value)) as never,
    })
  return [filters, change]
}

export function FilterBar({ filters }: { filters: readonly Filter[] }) {
  const [values, change] = useFilters()
  const [isOpen, setOpen] = useState(false)
  const used = filters.filter(({ name }) => values[name]).length
  return (
    <Group gap="xs" role="search" aria-label="Filters" className={filters.length > 2 && !isOpen ? 'filters few' : 'filters'}>
      {filters.map((filter) => (
        // Mantine adds styles and hidden inputs next to a field, so a wrapper is what is counted and hidden.
        <div key={filter.name} className="filter">
          <FilterField filter={filter} value={values[filter.name] ?? ''} onChange={(value) => change({ [filter.name]: value })} />
        </div>
      ))}
      {filters.length > 2 && (
        <Button variant="default" size="sm" hiddenFrom="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fewer filters' : used > 0 ? `Filters (${used})` : 'Filters'}
        </Button>
      )}
      {used > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => change(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}>
          Clear
        </Button>
      )}
    </Group>
  )
}

function FilterField({ filter, value, onChange }: { filter: Filter; value: string; onChange(value: string | undefined): void }) {
  const { label, choices, written = words, type, width, usual } = filter
  const [typed, setTyped] = useState(value)
  const later = useDebouncedCallback(onChange, 300)
  // The URL can also change from outside this field.
  useEffect(() => setTyped(value), [value])
  if (choices !== undefined)
    return (
      <Select
        aria-label={label}
        placeholder={label}
        size="sm"
        w={{ base: '100%', xs: width ?? 190 }}
        clearable={usual === undefined}
        allowDeselect={usual === undefined}
        searchable={choices.length > 8}
        value={value === '' ? (usual ?? null) : value}
        data={choices.map((choice) => ({ value: choice, label: written(choice) }))}
        onChange={(chosen) => onChange(chosen ?? undefined)}
      />
    )
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      size="sm"
      w={{ base: '100%', xs: width ?? (type === 'date' ? 210 : 220) }}
      // Date fields have no placeholder.
      {...(type === 'date' && {
        leftSectionWidth: 72,
        leftSection: (
          <Text size="xs" c="dimmed" aria-hidden="true">
            {label}
          </Text>
        ),
      })}
      type={type ?? 'search'}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        later(currentTarget.value)
      }}
    />
  )
}

type Options<Row> = {
  /** The cache key of the list; filters are added to it. */
  name: readonly unknown[]
  read(cursor: { after?: string }): Promise<PageOf<Row>>
  columns: readonly Column<Row>[]
  idOf(row: Row): string
  /** The target of a row. */
  to?(row: Row): string
  /** The events that create rows, such as `transfer`; `*` for all. */
  live?: string
  empty: ReactNode
  label: string
}

export function List<Row>({ name, read, columns, idOf, to, live, empty, label }: Options<Row>) {
  const queryKey = [...name]
  const queries = useQueryClient()
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam === '' ? {} : { after: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // Rows on the screen do not move until the person asks for more.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    refetchOnMount: 'always',
  })
  const [fresh, forget] = useFresh(live)
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? []
  const frame = useRef<HTMLDivElement>(null)
  // The button disappears, so the focus moves to the first of the new rows.
  const showFresh = async () => {
    forget()
    await queries.resetQueries({ queryKey })
    setTimeout(() => frame.current?.querySelector<HTMLElement>('.row-link')?.focus())
  }
  return (
    <Stack gap="xs" ref={frame}>
      {fresh > 0 && (
        <Group grow role="status">
          <Button variant="light" size="compact-sm" onClick={() => void showFresh()}>
            {countedTo99(fresh, 'change')}: show
          </Button>
        </Group>
      )}
      <Answered query={query}>
        {rows.length === 0 ? (
          <Paper withBorder className="empty-frame">
            {empty}
          </Paper>
        ) : (
          <Rows rows={rows} columns={columns} idOf={idOf} label={label} {...(to && { to })} />
        )}
        {query.hasNextPage && (
          <Group justify="center">
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          </Group>
        )}
      </Answered>
    </Stack>
  )
}

type RowsOptions<Row> = Pick<Options<Row>, 'columns' | 'idOf' | 'to' | 'label'> & { rows: readonly Row[] }

/** A table of rows that are all loaded. The first cell is a link, and the whole row is clickable. */
export function Rows<Row>({ rows, columns: all, idOf, to, label }: RowsOptions<Row>) {
  const navigate = useNavigate()
  const columns = all.filter(({ cell }, index) => index === 0 || rows.some((row) => !isNothing(cell(row))))
  return (
    <Paper withBorder className="table-frame" {...(to === undefined && { tabIndex: 0, role: 'group', 'aria-label': label })}>
      <Table aria-label={label} highlightOnHover={to !== undefined} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ label: heading, wide, align }) => (
              <Table.Th key={heading} className={classOf(wide, align)}>
                {heading || <span className="visually-hidden">Actions</span>}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const target = to?.(row)
            return (
              <Table.Tr
                key={idOf(row)}
                {...(target !== undefined && {
                  className: 'leads',
                  onClick: ({ target: clicked }: { target: EventTarget }) => {
                    if (!(clicked as Element).closest('a, button')) void navigate({ to: target })
                  },
                })}
              >
                {columns.map(({ label: heading, cell, wide, align }, index) => (
                  <Table.Td key={heading} className={classOf(wide, align, heading === '')}>
                    {index === 0 && target !== undefined ? (
                      <Link to={target} className="row-link">
                        {cell(row)}
                      </Link>
                    ) : (
                      cell(row)
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

const classOf = (wide: boolean | undefined, align: 'right' | undefined, isActions = false): string =>
  [wide && 'wide', align, isActions && 'actions'].filter(Boolean).join(' ')

/** Hides columns without any value. */
const isNothing = (cell: ReactNode): boolean => cell === null || cell === undefined || cell === '' || cell === false
