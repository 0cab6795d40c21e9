// Every kind of key that a request can have, and the response of each kind of route to it.
import type { Door } from '../../platform/http/http.ts'
import { type Bank, Caller } from '../../testing/testing.ts'
import { makeKey } from '../../ventures/ventures.keys.ts'

export type KeyHolder = { caller: Caller; as: 'nobody' | 'venture' | 'admin' | 'relay' | 'monitor' }

/** All except a venture's own key, which the caller already has. */
export async function openKeys(bank: Bank): Promise<Record<string, KeyHolder>> {
  const { venture } = await bank.registerVenture()
  const disabled = await bank.registerVenture()
  await bank.admin.put(`/ventures/${disabled.venture.id}`, { status: 'DISABLED' })
  const rotated = await bank.registerVenture()
  await rotated.post('/venture/rotate-key')
  const key = venture.api_key
  return {
    'no key': { caller: bank.stranger, as: 'nobody' },
    'unknown key': { caller: new Caller(bank.app, { 'x-api-key': makeKey('test') }), as: 'nobody' },
    'malformed key': { caller: new Caller(bank.app, { authorization: 'Bearer hello' }), as: 'nobody' },
    'not a bearer': { caller: new Caller(bank.app, { authorization: `Basic ${key}` }), as: 'nobody' },
    'two different keys': { caller: new Caller(bank.app, { authorization: `Bearer ${key}`, 'x-api-key': makeKey('test') }), as: 'nobody' },
    'disabled venture': { caller: disabled, as: 'nobody' },
    'rotated-away key': { caller: rotated, as: 'nobody' },
    'unknown admin key': { caller: new Caller(bank.app, { 'x-api-key': makeKey('admin') }), as: 'nobody' },
    admin: { caller: bank.admin, as: 'admin' },
    relay: { caller: relayOf(bank), as: 'relay' },
    monitor: { caller: new Caller(bank.app, { 'x-api-key': bank.config.metricsApiKey ?? '' }), as: 'monitor' },
  }
}

export function relayOf(bank: Bank): Caller {
  return new Caller(bank.app, { 'x-api-key': bank.config.kycApiKey ?? '' })
}

export function opens(door: Door, as: KeyHolder['as']): boolean {
  if (as === 'admin') return door === 'none' || door === 'operator' || door === 'monitor'
  return door === 'none' || as === door || (door === 'verifier' && (as === 'venture' || as === 'relay'))
}
