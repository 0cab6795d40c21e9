// Why there are no requests: nothing was asked, the filters are too narrow, or the service keeps no log.
import { useQuery } from '@tanstack/react-query'
import { api } from '../../ui/api.ts'
import { Empty } from '../../ui/page.tsx'
import { useSession, useVentureApi } from '../../ui/session.ts'

export function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  const ofVenture = useVentureApi()
  const { bank_role } = useSession()
  // Asking for this page is a request of its own, so that an empty log is one that is off. What the bank's people ask is in the log of the bank.
  const log = useQuery({
    queryKey: ['requests', 'any', bank_role],
    queryFn: async () => {
      const { items } = await (bank_role === null
        ? ofVenture.requests.list({ limit: 1 })
        : api.operator.requests.listOfAllVentures({ limit: 1 })
      ).page()
      return items.length > 0
    },
  })
  if (log.data === undefined) return null
  if (!log.data)
    return (
      <Empty title="The request log is off." curl="REQUEST_LOG=on npm start">
        The service keeps no requests. Whoever runs it turns the log on with a setting; requests are then kept for seven days.
      </Empty>
    )
  if (isFiltered) return <Empty title="No request is like that.">Try fewer filters. Requests are kept for seven days.</Empty>
  return (
    <Empty
      title="No requests in the last seven days."
      curl={`curl ${location.origin}/api/v1/venture -H "Authorization: Bearer $VOSTRO_KEY"`}
    >
      What is sent with the keys of the venture, and by its team, appears here a moment later.
    </Empty>
  )
}
