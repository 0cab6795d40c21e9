// Adds created resources to the pools, so that later requests can refer to them.
import type { Random } from './fuzz.random.ts'
import type { Answer } from './fuzz.wire.ts'
import type { World } from './fuzz.world.ts'
import type { Kind } from './requests/fuzz.recipes.ts'
import type { Request } from './requests/fuzz.request.ts'

const made: Record<string, Kind> = {
  'POST /api/v1/clients/person': 'clients',
  'POST /api/v1/accounts': 'accounts',
  'POST /api/v1/beneficiaries': 'beneficiaries',
  'POST /api/v1/transfers': 'transfers',
  'POST /api/v1/payee-verifications': 'verifications',
  'POST /api/v1/mandates': 'mandates',
  'POST /api/v1/payments': 'payments',
  'POST /api/v1/payouts': 'payouts',
  'POST /api/v1/payment-links': 'links',
  'POST /api/v1/webhook-endpoints': 'endpoints',
  'POST /api/v1/venture/keys': 'keys',
}

/** Made with the bank's key, whichever venture sends the requests. */
const madeByBank: Record<string, Kind> = {
  'POST /api/v1/sandbox/bank/payments': 'bankPayments',
  'POST /api/v1/operator/nostros': 'nostros',
  'POST /api/v1/operator/keys': 'bankKeys',
}

const mostDisposables = 12

export function harvest(world: World, { target, method, path, headers }: Request, { body, head }: Answer, random: Random): void {
  const kind = method === target.method ? made[target.id] : undefined
  const kindOfBank = method === target.method ? madeByBank[target.id] : undefined
  if (kindOfBank !== undefined) world.add(kindOfBank, JSON.parse(body).id, random)
  else if (kind !== undefined) {
    // A response to a venture that has been replaced meanwhile does not belong to the current one.
    if (headers['x-api-key'] !== world.venture.api_key) return
    const { id, token, form_url } = JSON.parse(body)
    world.add(kind, id, random)
    if (kind === 'clients') world.add('freshClients', id, random)
    if (token !== undefined) world.add('linkTokens', token, random)
    if (typeof form_url === 'string') world.add('orders', lastOf(form_url), random)
  } else if (target.id === 'DELETE /api/v1/webhook-endpoints/:endpoint_id' && method === 'DELETE') {
    const index = world.pools.endpoints.indexOf(lastOf(path))
    if (index !== -1 && world.pools.endpoints.length > 2) world.pools.endpoints.splice(index, 1)
  } else if (target.id === 'POST /pay/:token' || target.id === 'POST /sandbox/gateway/payment/rest/register.do') {
    const order = /\/sandbox\/gateway\/form\/([0-9a-f-]{36})/.exec(`${head} ${body}`)?.[1]
    if (order !== undefined) world.add('orders', order, random)
  } else if (target.id !== 'POST /api/v1/ventures/:venture_id/keys' && /"api_key":"/.test(body)) {
    keepKey(world, JSON.parse(body), random)
  }
}

function keepKey({ disposables, pools }: World, { id, api_key }: { id: string; api_key: string }, random: Random): void {
  const known = disposables.findIndex((venture) => venture.id === id)
  if (known !== -1) disposables[known] = { id, api_key }
  else if (disposables.length < mostDisposables) {
    disposables.push({ id, api_key })
    pools.ventures.push(id)
  } else {
    const index = random.integer(0, mostDisposables - 1)
    disposables[index] = { id, api_key }
    pools.ventures[index] = id
  }
}

function lastOf(address: string): string {
  return (address.split('?', 1)[0] ?? '').split('/').at(-1) ?? ''
}
