// The result of a test event.
import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lastAnswer, pathOfDelivery } from '../../ui/deliveries.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'

const again_ms = 1_000

export function TestOutcome({ endpoint_id, event_id }: { endpoint_id: string; event_id: string }) {
  const api = useVentureApi()
  const venture = useVenture()
  const { data } = useQuery({
    queryKey: [venture, 'deliveries', endpoint_id, 'test', event_id],
    queryFn: () => api.webhookEndpoints.listDeliveries(endpoint_id, { event_id, limit: 1 }).page(),
    // A test is decided by its first attempt.
    refetchInterval: ({ state }) => (state.data?.items[0]?.attempts.length ? false : again_ms),
  })
  const delivery = data?.items[0]
  if (delivery === undefined || delivery.attempts.length === 0)
    return (
      <Alert color="blue" variant="light" role="status" title="Sending the test event…">
        Your receiver’s response appears here.
      </Alert>
    )
  const isDelivered = delivery.status === 'DELIVERED'
  return (
    <Alert
      color={isDelivered ? 'teal' : 'red'}
      variant="light"
      role="status"
      title={isDelivered ? 'Your receiver accepted the test event.' : 'Your receiver did not accept the test event.'}
    >
      {lastAnswer(delivery)}.{' '}
      <Anchor size="sm" renderRoot={(props) => <Link {...props} to={pathOfDelivery(venture, delivery)} />}>
        Show the delivery
      </Anchor>
    </Alert>
  )
}
