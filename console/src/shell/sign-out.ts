import { api } from '../ui/api.ts'

export async function signOut(): Promise<void> {
  await api.session.signOut().catch(() => undefined)
  location.assign('/console/sign-in')
}
