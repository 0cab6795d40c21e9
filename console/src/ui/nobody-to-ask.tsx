// Warns that nobody at the bank can approve a pending request, and explains how to add an approver.
import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from './api.ts'
import { stuckTitle, wayOut } from './nobody-to-ask.words.ts'
import { Snippet } from './snippet.tsx'

/** For pages with pending requests. Shows nothing while each request has a possible approver. */
export function NobodyToAskNotice() {
  const { data: stuck = 0 } = useQuery({
    queryKey: ['bank', 'approvals', 'nobody to ask'],
    queryFn: async () => (await api.operator.approvals.list({ stuck: true, limit: 100 }).toArray()).length,
  })
  return stuck === 0 ? null : <NobodyToAsk title={stuckTitle(stuck)} />
}

/** How to add another admin. */
export function useWayOut(enabled = true) {
  const { data } = useQuery({
    queryKey: ['bank', 'way out'],
    enabled,
    queryFn: async () => {
      const [adminKey, users] = await Promise.all([api.operator.adminKey.get(), api.operator.users.list({ limit: 100 }).toArray()])
      const admins = users.filter(({ bank_role, status }) => bank_role === 'admin' && status === 'ACTIVE')
      return wayOut(adminKey, { admins: admins.length, origin: location.origin })
    },
  })
  return data
}

export function NobodyToAsk({ title = 'Nobody at the bank can approve it' }: { title?: string }) {
  const data = useWayOut()
  return (
    <Alert color="orange" variant="light" title={title} role="status">
      <Stack gap="xs">
        <Text size="sm">It needs a second person with the required role who is not related to the requester.</Text>
        {data && <Text size="sm">{data.text}</Text>}
        {data?.command && <Snippet text={data.command} />}
        {data?.showsPairs && (
          <Anchor renderRoot={(props) => <Link {...props} to="/bank/pairs" />} size="sm" c="inherit" underline="always">
            Show pairs
          </Anchor>
        )}
      </Stack>
    </Alert>
  )
}
