import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf } from './address.ts'

const from = (remoteAddress: string, forwarded: string | undefined, trusted: string[] = []) =>
  addressOf({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } } as never, trusted)

test('without a trusted proxy, the address is that of the connection, whatever the headers say', () => {
  assert.equal(from('203.0.113.7', undefined), '203.0.113.7')
  assert.equal(from('203.0.113.7', '198.51.100.1'), '203.0.113.7')
  assert.equal(from('203.0.113.7', '198.51.100.1', ['10.0.0.0/8', 'fd00::/8']), '203.0.113.7')
})

test('behind trusted proxies, the address is the last one that is not a proxy', () => {
  const trusted = ['10.0.0.0/8', '192.0.2.1', 'fd00::/8']
  assert.equal(from('10.1.2.3', '203.0.113.7', trusted), '203.0.113.7')
  assert.equal(from('10.1.2.3', 'invented, 203.0.113.7 ,10.9.9.9, 192.0.2.1', trusted), '203.0.113.7')
  assert.equal(from('fd00::1', '198.51.100.1, 203.0.113.7', trusted), '203.0.113.7')
  assert.equal(from('::ffff:10.1.2.3', '203.0.113.7', trusted), '203.0.113.7', 'a proxy on a dual-stack socket')
  assert.equal(from('192.0.2.2', '203.0.113.7', trusted), '192.0.2.2', 'its neighbour is not trusted')
})

test('a trusted proxy that names no address counts itself', () => {
  for (const forwarded of [undefined, '', 'unknown', '203.0.113.7, nonsense', '203.0.113.7:8080'])
    assert.equal(from('10.1.2.3', forwarded, ['10.0.0.0/8']), '10.1.2.3', String(forwarded))
  assert.equal(from('10.1.2.3', '10.0.0.9', ['10.0.0.0/8']), '10.0.0.9', 'all of them are proxies')
})

test('addresses of one IPv6 network of 64 bits count as one', () => {
  assert.equal(from('2001:db8:1:2:3:4:5:6', undefined), '2001:db8:1:2::/64')
  assert.equal(from('2001:db8:1:2::1', undefined), from('2001:0DB8:1:2:ffff::', undefined))
  assert.notEqual(from('2001:db8:1:2::1', undefined), from('2001:db8:1:3::1', undefined))
  assert.equal(from('::ffff:203.0.113.7', undefined), '203.0.113.7')
})
