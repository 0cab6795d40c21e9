// Whoever is signed in gets the app; everybody else the entrance, which is small because it comes first.
import type { Session } from '@vostro/sdk'
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'
import { isDoor } from './entrance/doors.ts'

const root = createRoot(document.getElementById('root') as HTMLElement)
setNonce(document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '')

const path = location.pathname.replace(/^\/console\/?/, '')

/** Who is signed in, if anybody is. */
async function readSession(): Promise<Session | undefined> {
  const answer = await fetch('/api/v1/session', { headers: { 'x-vostro-console': 'page' } })
  return answer.status === 200 ? answer.json() : undefined
}

async function open(): Promise<void> {
  if (isDoor(path)) {
    const { Entrance } = await import('./entrance/entrance.tsx')
    return root.render(<Entrance door={path} />)
  }
  // Whoever opens a page of the app is nearly always signed in, so it is loaded while the service says who it is.
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
      <p role="alert">The console could not be opened. {String(error)} Reload the page to try again.</p>
    </main>,
  )
})
