// Every kind of key that a request can have, and the kinds of routes that accept it.

import { type Access, type BankKeyScope, bankKeyScopes } from '../../platform/http/access.ts'
import { type Bank, Caller } from '../../testing/testing.ts'
import { makeKey } from '../../ventures/ventures.keys.ts'

/** `scope`: the scope of a bank key. */
export type KeyHolder = {
  caller: Caller
  as: 'nobody' | 'venture' | 'admin' | 'relay' | 'monitor' | 'bank key'
  scope?: BankKeyScope
}

/** All except a venture's own key, which the caller already has. */
export async function openKeys(bank: Bank): Promise<Record<string, KeyHolder>> {
  const { venture } = await bank.registerVenture()
  const disabled = await bank.registerVenture()
  await bank.admin.put(`/ventures/${disabled.venture.id}`, { status: 'DISABLED' })
  const rotated = await bank.registerVenture()
  await rotated.post('/venture/rotate-key')
  const key = venture.api_key
  const bankKey = async (scope: BankKeyScope) => {
    const { body } = await bank.admin.post('/operator/keys', { name: 'Matrix', scope })
    return { id: body.id as string, caller: new Caller(bank.app, { 'x-api-key': body.api_key }) }
  }
  const revoked = await bankKey('lists')
  await bank.admin.post(`/operator/keys/${revoked.id}/revoke`)
  const bankKeys: [string, KeyHolder][] = []
  for (const scope of bankKeyScopes)
    bankKeys.push([`bank key for ${scope}`, { caller: (await bankKey(scope)).caller, as: 'bank key', scope }])
  return {
    'no key': { caller: bank.stranger, as: 'nobody' },
    'unknown key': { caller: new Caller(bank.app, { 'x-api-key': makeKey('test') }), as: 'nobody' },
    'malformed key': { caller: new Caller(bank.app, { authorization: 'Bearer hello' }), as: 'nobody' },
    'not a bearer': { caller: new Caller(bank.app, { authorization: `Basic ${key}` }), as: 'nobody' },
    'two different keys': { caller: new Caller(bank.app, { authorization: `Bearer ${key}`, 'x-api-key': makeKey('test') }), as: 'nobody' },
    'disabled venture': { caller: disabled, as: 'nobody' },
    'rotated-away key': { caller: rotated, as: 'nobody' },
    'unknown bank key': { caller: new Caller(bank.app, { 'x-api-key': makeKey('bank') }), as: 'nobody' },
    'revoked bank key': { caller: revoked.caller, as: 'nobody' },
    'unknown admin key': { caller: new Caller(bank.app, { 'x-api-key': makeKey('admin') }), as: 'nobody' },
    admin: { caller: bank.admin, as: 'admin' },
    relay: { caller: relayOf(bank), as: 'relay' },
    monitor: { caller: new Caller(bank.app, { 'x-api-key': bank.config.metricsApiKey ?? '' }), as: 'monitor' },
    ...Object.fromEntries(bankKeys),
  }
}

export function relayOf(bank: Bank): Caller {
  return new Caller(bank.app, { 'x-api-key': bank.config.kycApiKey ?? '' })
}

export function opens({ door, bankKey }: Pick<Access, 'door' | 'bankKey'>, { as, scope }: Omit<KeyHolder, 'caller'>): boolean {
  if (as === 'bank key' && door !== 'none') return bankKey === scope
  if (as === 'admin') return door === 'none' || door === 'operator' || door === 'monitor'
  return door === 'none' || as === door || (door === 'verifier' && (as === 'venture' || as === 'relay'))
}
