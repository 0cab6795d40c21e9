// Why there are no requests: nothing was asked, or the filters are too narrow. A log that is off is refused by the service, which says so.
import { Empty } from '../../ui/page.tsx'

export function NoRequests({ isFiltered }: { isFiltered: boolean }) {
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
