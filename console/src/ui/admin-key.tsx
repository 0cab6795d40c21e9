import { Alert, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { noticeOf } from './admin-key.words.ts'
import { api } from './api.ts'
import { useBankNow } from './clock.ts'
import { useSandbox } from './sandbox.ts'
import { minuteOf } from './words.ts'

/** For the first page of the bank. The sandbox needs none of it. */
export function AdminKeyNotice() {
  const isSandbox = useSandbox()
  const now_ms = useBankNow()
  const { data } = useQuery({ queryKey: ['bank', 'admin-key'], enabled: !isSandbox, queryFn: () => api.operator.adminKey.get() })
  const notice = data === undefined || isSandbox ? undefined : noticeOf(data, now_ms)
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
      <Anchor renderRoot={(props) => <Link {...props} to="/bank/users" />} size="sm" c="inherit" underline="always">
        Show the users
      </Anchor>
    </Alert>
  )
}
