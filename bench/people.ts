// A bank user with a console session.
import type { Setup } from './setup.ts'

/** The headers of the browser. */
export type Person = { cookie: string; 'x-vostro-console': string }

/** Creates the bank's first admin and signs in. */
export async function signIn({ port, adminKey, call }: Pick<Setup, 'port' | 'adminKey' | 'call'>): Promise<Person> {
  const { url = '' } = await call(adminKey, 'POST', '/api/v1/operator/users/set-up', {})
  const [email, password] = ['bench@bank.example', 'seven quiet rivers 42']
  const origin = `http://127.0.0.1:${port}`
  const send = async (path: string, body: object): Promise<Response> => {
    const headers = { origin, 'x-vostro-console': 'page', 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`POST ${path}: ${await answer.text()}`)
    return answer
  }
  await send('/session/links', { secret: new URL(url).hash.slice(1), email, name: 'Bench', password })
  const answer = await send('/session', { email, password })
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  return { cookie, 'x-vostro-console': 'page' }
}
