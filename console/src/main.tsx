// Loads the app for people who are signed in, and otherwise the entrance, which is small.
import type { Session } from '@vostro/sdk'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { isDoor } from './entrance/doors.ts'

const root = createRoot(document.getElementById('root') as HTMLElement)
setNonce(document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '')

const path = location.pathname.replace(/^\/console\/?/, '')

/** The session, or undefined. */
async function readSession(): Promise<Session | undefined> {
  const answer = await fetch('/api/v1/session', { headers: { 'x-vostro-console': 'page' } })
  return answer.status === 200 ? answer.json() : undefined
}

async function open(): Promise<void> {
  if (isDoor(path)) {
    const { Entrance } = await import('./entrance/entrance.tsx')
    return root.render(<Entrance door={path} />)
  }
  // Most visitors are signed in, so the app loads while the session is being checked.
  const loading = import('./app.tsx')
  loading.catch(() => {})
  const session = await readSession()
  const door = session === undefined ? 'sign-in' : session.passkey_required ? 'passkey' : undefined
  if (session === undefined || door !== undefined)
    return location.replace(`/console/${door}?${new URLSearchParams({ to: location.pathname + location.search })}`)
  const { openApp } = await loading
  root.render(openApp(session))
}

open().catch((error: unknown) => {
  root.render(
    <main className="card-page">
      <p role="alert">The console could not be loaded. {String(error)} Reload the page to try again.</p>
    </main>,
  )
})
