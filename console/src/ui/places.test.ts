import assert from 'node:assert/strict'
import { test } from 'node:test'
import { venturePages } from '../shell/pages.ts'
import { placeOf, placeOfEvent } from './places.ts'

const found = ['transfer', 'client', 'account', 'beneficiary', 'payment', 'payment_link', 'event', 'mandate', 'webhook_endpoint']

test('everything that can be found has a page', () => {
  for (const kind of found) {
    const [, , , page, id] = (placeOf('v', kind, 'x') ?? '').split('/')
    assert.equal(id, 'x', kind)
    assert.ok(
      venturePages.some(({ path }) => new RegExp(`^${page}/\\$\\w+$`).test(path)),
      `${kind}: there is no page ${page}/…`,
    )
  }
})

test('an event leads to what it is about', () => {
  assert.equal(placeOfEvent('v', 'transfer.completed', 'x'), '/v/v/transfers/x')
  assert.equal(placeOfEvent('v', 'payment_link.created', 'x'), '/v/v/links/x')
  assert.equal(placeOfEvent('v', 'venture.updated', 'x'), undefined)
})
