import { notifications } from '@mantine/notifications'
import { api } from '../ui/api.ts'
import { codeOf } from '../ui/problem.tsx'

/** A failure is reported, so that nobody leaves believing that the session has ended. */
export async function signOut(): Promise<void> {
  try {
    await api.session.signOut()
  } catch (error) {
    if (codeOf(error) !== 'unauthorized')
      return void notifications.show({ color: 'red', title: 'You are still signed in', message: 'Signing out failed. Try again.' })
  }
  location.assign('/console/sign-in')
}
