// How much of the HTTP side's speed is left when every request's key is looked up in the database?
//   npm run bench:key-check
import { load, requireStatus } from './load.ts'
import { type Figures, report } from './report.ts'
import { onStage } from './stage.ts'

await onStage(async ({ port, registerVenture }) => {
  const { api_key } = await registerVenture()
  const get =
    (path: string) =>
    async (seconds: number): Promise<Figures> => {
      const result = await load({ port, connections: 64, seconds, method: 'GET', paths: [path], keys: [api_key] })
      requireStatus(result, '200')
      return result
    }
  await report({ 'no database': get('/fixed'), 'key checked': get('/api/v1/venture') }, { measured: 'key checked', rounds: 3, seconds: 5 })
})
