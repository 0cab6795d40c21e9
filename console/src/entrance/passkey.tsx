// After signing in with a password, people who must have a passkey use or register one here. Nothing else is open to them until then.
import { type Session, VostroProblem } from '@vostro/sdk'
import { type FormEvent, useEffect, useState } from 'react'
import { api } from '../ui/api.ts'
import { addPasskey, proveByPasskey } from '../ui/passkeys.ts'
import { enter } from './enter.ts'
import { Field } from './field.tsx'
import { Problem } from './problem.tsx'

const leave = (): void => location.replace('/console/sign-in')

export function Passkey() {
  const [session, setSession] = useState<Session>()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  // The sign-in was too long ago, so the password is asked for again.
  const [isStale, setStale] = useState(false)

  useEffect(() => {
    api.session.get().then(
      (found) => (found.passkey_required ? setSession(found) : enter()),
      (problem: unknown) => (isCode(problem, 'unauthorized') ? leave() : setError(problem)),
    )
  }, [])

  const doing = async (work: () => Promise<unknown>, then: () => void) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      then()
    } catch (problem) {
      if (isCode(problem, 'reauthentication_required')) setStale(true)
      else setError(problem)
    }
    setBusy(false)
  }
  const register = (event: FormEvent) => {
    event.preventDefault()
    const prove = async () => {
      if (!isStale) return
      await api.session.reauthenticate({ password })
      setStale(false)
    }
    void doing(async () => {
      await prove()
      await addPasskey(name.trim() || 'Passkey')
    }, enter)
  }
  if (session === undefined) return <Problem error={error} />
  const { email } = session.user
  return (
    <>
      {session.has_passkey ? (
        <>
          <p>You have signed in as {email} with a password. Use your passkey to continue.</p>
          <Problem error={error} />
          <button type="button" className="entrance-act" disabled={isBusy} onClick={() => void doing(proveByPasskey, enter)}>
            Use your passkey
          </button>
          <p className="entrance-more">Lost your passkey? An admin of your team can reset your sign-in.</p>
        </>
      ) : (
        <form onSubmit={register}>
          <p>
            Your role requires a passkey: your fingerprint, your face or the PIN of this device instead of a password, which could be
            stolen. You are signed in as {email}.
          </p>
          <Field
            label="Name of the passkey"
            hint="For example, “My laptop”."
            value={name}
            maxLength={140}
            onChange={(e) => setName(e.target.value)}
          />
          {isStale && (
            <Field
              label="Password"
              hint="You signed in more than ten minutes ago."
              type="password"
              autoComplete="current-password"
              required
              autoFocus
              value={password}
              onChange={(e) => setPassword(e.target.value)}
            />
          )}
          <Problem error={error} />
          <button type="submit" className="entrance-act" disabled={isBusy}>
            Register a passkey
          </button>
        </form>
      )}
      <button type="button" className="entrance-other" disabled={isBusy} onClick={() => void doing(() => api.session.signOut(), leave)}>
        Sign out
      </button>
    </>
  )
}

const isCode = (problem: unknown, code: string): boolean => problem instanceof VostroProblem && problem.code === code
