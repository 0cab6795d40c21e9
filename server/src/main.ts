// The process: reads the settings, starts the service, says when it is ready, and stops it on SIGINT and SIGTERM.
import { readConfig } from './platform/config.ts'
import { StartupError } from './platform/startup-error.ts'
import { type Service, startService } from './service.ts'

try {
  const service = await startService(readConfig())
  announce(service)
  stopOnSignal(service)
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

function stopOnSignal(service: Service): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
}
