// Why the list is empty: no requests, or filters that match none. If the log is off, the service's refusal says so.
import { Empty } from '../../ui/page.tsx'

export function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No matching requests.">Remove some filters. Requests are kept for seven days.</Empty>
  return (
    <Empty
      title="No requests in the last seven days."
      curl={`curl ${location.origin}/api/v1/venture -H "Authorization: Bearer $VOSTRO_KEY"`}
    >
      Requests with the venture’s keys or by its team appear here a moment later.
    </Empty>
  )
}
