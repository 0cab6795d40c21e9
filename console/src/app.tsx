// The app behind the sign-in: theme, queries, and the routes from the table of pages.
import './styles.ts'
import { createTheme, MantineProvider, Modal, Notification, SegmentedControl } from '@mantine/core'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { Session } from '@vostro/sdk'
import type { ReactNode } from 'react'
import { makeRouter } from './shell/router.tsx'
import { codeOf } from './ui/problem.tsx'
import { sessionQuery } from './ui/session.ts'

/** Where to go when the session has ended or a passkey is required; the person returns to this page afterwards. */
const doors: Partial<Record<string, string>> = { unauthorized: 'sign-in', passkey_required: 'passkey' }

function onError(error: unknown): void {
  const door = doors[codeOf(error) ?? '']
  if (door !== undefined) location.assign(`/console/${door}?${new URLSearchParams({ to: location.pathname + location.search })}`)
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  // The SDK does the retries.
  defaultOptions: { queries: { staleTime: 5_000, retry: false, refetchOnWindowFocus: false }, mutations: { retry: false } },
})

const router = makeRouter(queries)

const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 9, dark: 8 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, sans-serif',
  autoContrast: true,
  respectReducedMotion: true,
  // The close buttons of the kit have no accessible name.
  components: {
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
    // Text is hard to read while its colour animates.
    SegmentedControl: SegmentedControl.extend({ defaultProps: { transitionDuration: 0 } }),
  },
})

/** Mantine's grey for secondary text and its red for errors have too little contrast. */
const colours = (quiet: string, wrong: string) => ({
  '--mantine-color-dimmed': quiet,
  '--mantine-color-placeholder': quiet,
  '--mantine-color-error': wrong,
})

const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? ''

/** The app, for a session that the service has just confirmed. */
export function openApp(session: Session): ReactNode {
  queries.setQueryData(sessionQuery.queryKey, session)
  return <App />
}

function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      cssVariablesResolver={() => ({ variables: {}, light: colours('#555d66', '#c92a2a'), dark: colours('#a9b0b8', '#ff8787') })}
    >
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
