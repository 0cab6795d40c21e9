import { type FormEvent, useState } from 'react'
import { api } from '../ui/api.ts'
import { enter } from './enter.ts'
import { Field } from './field.tsx'
import { Problem } from './problem.tsx'

export function SignIn() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)

  const doing = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      enter()
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void doing(() => api.session.signIn({ email, password }))
  }
  const byPasskey = () =>
    doing(async () => {
      const { startAuthentication } = await import('@simplewebauthn/browser')
      const options = await api.session.startPasskeySignIn()
      const credential = await startAuthentication({ optionsJSON: options as never })
      await api.session.signInWithPasskey({ credential: credential as never })
    })
  return (
    <form onSubmit={submit}>
      <Field
        label="Email"
        type="email"
        autoComplete="username webauthn"
        required
        autoFocus
        value={email}
        onChange={(e) => setEmail(e.target.value)}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(e) => setPassword(e.target.value)}
      />
      <Problem error={error} />
      <button type="submit" className="entrance-act" disabled={isBusy}>
        Sign in
      </button>
      <button type="button" className="entrance-other" disabled={isBusy} onClick={() => void byPasskey()}>
        Sign in with a passkey
      </button>
      <p className="entrance-more">Forgot your password? An admin of your team can send you a reset link.</p>
    </form>
  )
}
