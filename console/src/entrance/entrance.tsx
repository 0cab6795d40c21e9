// Sign-in, and the links that set up the bank, invite people and reset passwords. Plain elements: nothing of the app is loaded here.
import './entrance.css'
import { type ReactNode, useEffect, useState } from 'react'
import { keepFocus } from '../ui/focus.ts'
import type { Door } from './doors.ts'
import { Link } from './link.tsx'
import { Passkey } from './passkey.tsx'
import { SignIn } from './sign-in.tsx'

const pages: Record<Door, { title: string; body: ReactNode }> = {
  'sign-in': { title: 'Sign in', body: <SignIn /> },
  passkey: { title: 'Your passkey', body: <Passkey /> },
  'set-up': {
    title: 'Set up the bank',
    body: (
      <Link
        fields={['email', 'name', 'password']}
        about="This link makes you an admin of the bank. A bank needs three admins: with only two, one absence blocks everything that needs two people. Invite the others next, and have each register a passkey."
        act="Set up the bank"
      />
    ),
  },
  invitation: {
    title: 'Accept an invitation',
    body: (
      <Link fields={['name', 'password']} about="You are invited to join the bank or a venture." act="Accept the invitation" mayHaveCode />
    ),
  },
  reset: {
    title: 'Choose a new password',
    body: (
      <Link
        fields={['password']}
        about="This ends all your sessions. Sign in again with the new password."
        act="Change the password"
        mayHaveCode
      />
    ),
  },
}

export function Entrance({ door }: { door: Door }) {
  const [now, setNow] = useState(door)
  const { title, body } = pages[now]
  useEffect(keepFocus, [])
  useEffect(() => {
    document.title = `${title} · Vostro`
    // A second link opened in the same tab changes only the fragment.
    const again = () => location.reload()
    addEventListener('hashchange', again)
    return () => removeEventListener('hashchange', again)
  }, [title])
  return (
    <main className="entrance">
      <div className="entrance-card">
        <p className="entrance-name">Vostro</p>
        <h1>{title}</h1>
        {body}
        {now !== 'sign-in' && now !== 'passkey' && (
          <p className="entrance-more">
            <a
              href="/console/sign-in"
              onClick={(event) => {
                event.preventDefault()
                history.replaceState(null, '', '/console/sign-in')
                setNow('sign-in')
              }}
            >
              Sign in instead
            </a>
          </p>
        )}
      </div>
    </main>
  )
}
