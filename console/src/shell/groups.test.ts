import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupsOf } from './groups.ts'
import type { PageEntry } from './pages.ts'

const page = (path: string, more: Partial<PageEntry> = {}): PageEntry => ({
  path,
  needs: 'getSession',
  label: path,
  ...more,
  load: async () => ({ Page: () => null }),
})

test('a page belongs to the group of the ones before it, even if those are not shown', () => {
  const { label: _, ...unnamed } = page('one')
  const table = [page('overview'), page('clients', { group: 'Customers' }), unnamed, page('accounts'), page('team', { group: 'Team' })]
  const shown = groupsOf(
    table,
    table.filter(({ path }) => path !== 'clients' && path !== 'team'),
  )
  assert.deepEqual(
    shown.map(([group, pages]) => [group, pages.map(({ path }) => path)]),
    [
      ['', ['overview']],
      ['Customers', ['accounts']],
    ],
  )
})
