// Whoever is signed in gets the app; everybody else the entrance, which is small because it comes first.
import { setNonce } from 'get-nonce'
import { createRoot } from 'react-dom/client'

const root = createRoot(document.getElementById('root') as HTMLElement)
setNonce(document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '')

const path = location.pathname.replace(/^\/console\/?/, '')

async function isSignedIn(): Promise<boolean> {
  const { status } = await fetch('/api/v1/session', { headers: { 'x-vostro-console': 'page' } })
  return status === 200
}

async function open(): Promise<void> {
  const { Entrance, doors } = await import('./entrance/entrance.tsx')
  if (doors.includes(path)) return root.render(<Entrance door={path} />)
  if (!(await isSignedIn())) return location.replace(`/console/sign-in?${new URLSearchParams({ to: location.pathname + location.search })}`)
  const { App } = await import('./app.tsx')
  root.render(<App />)
}

open().catch((error: unknown) => {
  root.render(
    <main className="card-page">
      <p role="alert">The console could not be opened. {String(error)} Reload the page to try again.</p>
    </main>,
  )
})
