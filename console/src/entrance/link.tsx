import { VostroProblem } from '@vostro/sdk'
import { type FormEvent, useState } from 'react'
import { api } from '../ui/api.ts'
import { Field } from './field.tsx'
import { faultOf, Problem } from './problem.tsx'

type Name = 'email' | 'name' | 'password' | 'code'

const inputs = {
  email: { label: 'Email', type: 'email', autoComplete: 'username', hint: 'You sign in with it.' },
  name: { label: 'Your name', type: 'text', autoComplete: 'name', hint: 'As your colleagues see it.' },
  password: {
    label: 'Password',
    type: 'password',
    autoComplete: 'new-password',
    hint: 'At least 12 characters, such as several unrelated words.',
  },
  code: { label: 'Code', type: 'text', autoComplete: 'off', hint: 'If you were given a code for this link.' },
} as const

type Options = { fields: readonly Name[]; about: string; act: string; mayHaveCode?: boolean }

/** The secret is in the fragment, which browsers never send to a server. */
const secretOf = (): string => location.hash.slice(1)

/** Removes the used link from the browser's history. */
const leave = (): void => location.replace('/console/')

export function Link({ fields, about, act, mayHaveCode = false }: Options) {
  const [values, setValues] = useState<Partial<Record<Name, string>>>({})
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  // People who already have a user only accept, while signed in.
  const [isKnown, setKnown] = useState(false)
  const secret = secretOf()
  const shown: readonly Name[] = [...(isKnown ? [] : fields), ...(mayHaveCode ? (['code'] as const) : [])]

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      const given = Object.fromEntries(shown.flatMap((name) => (values[name] ? [[name, values[name]]] : [])))
      // biome-ignore lint/correctness/useHookAtTopLevel: an operation of the service, not a hook.
      const used = await api.session.useLink({ secret, ...given })
      const { password } = values
      if (isKnown || password === undefined) {
        leave()
        return
      }
      await api.session.signIn({ email: used.email, password }).then(leave, () => {
        history.replaceState(null, '', '/console/sign-in')
        setDone(true)
      })
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  if (isDone)
    return (
      <p role="status">
        Done. <a href="/console/sign-in">Sign in</a>
      </p>
    )
  if (secret === '')
    return <p role="alert">The link is incomplete: the part after the # is missing. Copy the whole link into the address bar.</p>
  return (
    <form onSubmit={(event) => void submit(event)}>
      <p>{about} The link works once. Keep it to yourself.</p>
      {shown.map((name) => (
        <Field
          key={name}
          {...inputs[name]}
          required={name !== 'code'}
          value={values[name] ?? ''}
          error={faultOf(error, name)}
          onChange={(e) => setValues({ ...values, [name]: e.target.value })}
        />
      ))}
      <Problem error={error} />
      <button type="submit" className="entrance-act" disabled={isBusy}>
        {act}
      </button>
      {fields.includes('name') && fields.length === 2 && (
        <label className="entrance-check">
          <input type="checkbox" checked={isKnown} onChange={(e) => setKnown(e.target.checked)} /> I already have a user and am signed in
        </label>
      )}
      {error instanceof VostroProblem && error.status === 410 && (
        <p className="entrance-more">Ask the person who sent you this link for a new one.</p>
      )}
    </form>
  )
}
