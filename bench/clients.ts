// How fast are clients registered, each durably and with its email claimed, against the HTTP side alone?
//   npm run bench:clients
// Two ceilings: the fixed answer without a database, and the same registration, checked and answered but not stored.
import { load, requireStatus } from './load.ts'
import { type Figures, report } from './report.ts'
import { onStage } from './stage.ts'

const rounds = 3
const seconds = 5
const person = JSON.stringify({
  first_name: 'Ada',
  last_name: 'Lovelace',
  date_of_birth: '1990-12-10',
  nationality: 'FRA',
  birth_country: 'GBR',
  country_of_tax_residence: 'FRA',
  country_code: 'FRA',
  address: '1 rue de la Paix',
  city: 'Paris',
  postcode: '75002',
  email: 'ada.{n}@example.com',
  organization_id: 7,
})

await onStage(async ({ port, registerVenture }) => {
  const { api_key } = await registerVenture()
  const shared = { port, connections: 64, keys: [api_key] }
  const scenarios: Record<string, (seconds: number) => Promise<Figures>> = {
    'no database, fixed answer': async (seconds) => {
      const result = await load({ ...shared, seconds, method: 'GET', paths: ['/fixed'] })
      requireStatus(result, '200')
      return result
    },
    'no database, same body': async (seconds) => {
      const result = await load({ ...shared, seconds, method: 'POST', paths: ['/fixed/clients/person'], bodies: [person] })
      requireStatus(result, '201')
      return result
    },
    registered: async (seconds) => {
      const result = await load({ ...shared, seconds, method: 'POST', paths: ['/api/v1/clients/person'], bodies: [person] })
      requireStatus(result, '201')
      return result
    },
  }
  await report(scenarios, { measured: 'registered', rounds, seconds })
})
