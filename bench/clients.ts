// How fast are clients registered, each durably and with its email claimed, against the HTTP side alone?
//   npm run bench:clients
// Two ceilings: the fixed answer without a database, and the same registration, checked and answered but not stored.
import { person } from './accounts.ts'
import { load, requireStatus } from './load.ts'
import { type Figures, report } from './report.ts'
import { onStage } from './stage.ts'

const rounds = 3
const seconds = 5
const body = JSON.stringify({ ...person, email: 'ada.{n}@example.com' })

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
      const result = await load({ ...shared, seconds, method: 'POST', paths: ['/fixed/clients/person'], bodies: [body] })
      requireStatus(result, '201')
      return result
    },
    registered: async (seconds) => {
      const result = await load({ ...shared, seconds, method: 'POST', paths: ['/api/v1/clients/person'], bodies: [body] })
      requireStatus(result, '201')
      return result
    },
  }
  await report(scenarios, { measured: 'registered', rounds, seconds })
})
