// Registers and uses passkeys in the browser's dialogs.
import { api } from './api.ts'

export async function proveByPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const options = await api.session.startPasskeySignIn()
  const credential = await startAuthentication({ optionsJSON: options as never })
  await api.session.reauthenticateWithPasskey({ credential: credential as never })
}

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const options = await api.session.startPasskeyRegistration()
  const credential = await startRegistration({ optionsJSON: options as never })
  await api.session.registerPasskey({ name, credential: credential as never })
}
