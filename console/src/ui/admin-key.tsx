import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { noticeOf } from './admin-key.words.ts'
import { api } from './api.ts'
import { useBankNow } from './clock.ts'
import { useWayOut } from './nobody-to-ask.tsx'
import { useSandbox } from './sandbox.ts'
import { Snippet } from './snippet.tsx'
import { minuteOf } from './words.ts'

/** What the admin key may do, and what must happen before it is retired. */
export function useAdminKey(enabled = true) {
  return useQuery({ queryKey: ['bank', 'admin-key'], enabled, queryFn: () => api.operator.adminKey.get() }).data
}

/** For the first page of the bank and for its users. A sandbox does not show it. */
export function AdminKeyNotice({ isAtUsers = false }: { isAtUsers?: boolean }) {
  const isSandbox = useSandbox()
  const now_ms = useBankNow()
  const data = useAdminKey(!isSandbox)
  const notice = data === undefined || isSandbox ? undefined : noticeOf(data, now_ms)
  const isOpen = !isSandbox && data !== undefined && data.may !== 'NOTHING' && data.admins_with_passkey < data.admins_needed
  const next = useWayOut(isOpen)
  if (notice === undefined) return null
  return (
    <Alert color={notice.tone} variant="light" title={notice.title} role="status">
      <Text size="sm">{notice.text}</Text>
      {notice.times.length > 0 && (
        <ul className="rules">
          {notice.times.map((at) => (
            <li key={at}>{minuteOf(at)}</li>
          ))}
        </ul>
      )}
      {isOpen && next?.command && (
        <>
          <Text size="sm" my="xs">
            To add the next admin, fill in an email, run this command, and pass on the link in the response.
          </Text>
          <Snippet text={next.command} />
        </>
      )}
      {!isAtUsers && (
        <Anchor renderRoot={(props) => <Link {...props} to="/bank/users" />} size="sm" c="inherit" underline="always">
          Show users
        </Anchor>
      )}
    </Alert>
  )
}
