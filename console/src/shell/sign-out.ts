import { notifications } from '@mantine/notifications'
import { api } from '../ui/api.ts'
import { codeOf } from '../ui/problem.tsx'

/** Nobody may walk away from a session that goes on. */
export async function signOut(): Promise<void> {
  try {
    await api.session.signOut()
  } catch (error) {
    if (codeOf(error) !== 'unauthorized')
      return void notifications.show({ color: 'red', title: 'You are still signed in', message: 'Signing out failed. Try it again.' })
  }
  location.assign('/console/sign-in')
}
