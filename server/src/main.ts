// The process: reads the settings, starts the service, says when it is ready, and stops it on SIGINT and SIGTERM.
import { readConfig } from './platform/config.ts'
import { StartupError } from './platform/startup-error.ts'
import { type Service, startService } from './service.ts'

// A signal during the start is obeyed as soon as there is something to stop.
const stopping = signalled()
try {
  const service = await startService(readConfig())
  announce(service)
  await stopping
  await service.stop()
  process.exit(0)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  console.error(error.message)
  process.exit(1)
}

function announce({ url, adminKey }: Service): void {
  const shown = adminKey?.fresh ? adminKey.value : adminKey ? `$(cat ${adminKey.file})` : '$ADMIN_API_KEY'
  const lines = [
    '',
    `  API          ${url}/api/v1`,
    `  Reference    ${url}/docs`,
    ...(adminKey ? [`  Admin key    ${adminKey.fresh ? `${adminKey.value} (kept in ${adminKey.file})` : `in ${adminKey.file}`}`] : []),
    '',
    '  Register a venture:',
    `    curl ${url}/api/v1/ventures -H "X-API-Key: ${shown}" -H "Content-Type: application/json" -d '{"name":"Acme"}'`,
    '',
    `Vostro is ready on ${url}`,
  ]
  console.log(lines.join('\n'))
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
  })
}
