import type { WebhookDelivery } from '@vostro/sdk'
import type { Tone } from '../../ui/status.tsx'

export type Health = { word: string; tone: Tone; note: string }

type Judged = Pick<WebhookDelivery, 'status'> & { attempts: readonly { failure: string | null }[] }

/** The health of an endpoint, from its latest deliveries, newest first. */
export function healthOf(deliveries: readonly Judged[]): Health {
  const tried = deliveries.filter(({ status, attempts }) => status !== 'PENDING' || attempts.length > 0)
  const [latest] = tried
  if (latest === undefined) return { word: deliveries.length === 0 ? 'Nothing sent yet' : 'Waiting', tone: 'quiet', note: '' }
  const delivered = tried.filter(({ status }) => status === 'DELIVERED').length
  const smooth = tried.filter(({ status, attempts }) => status === 'DELIVERED' && attempts.length <= 1).length
  const note = `${delivered} of the last ${tried.length} delivered`
  if (latest.status !== 'DELIVERED') return { word: 'Failing', tone: 'bad', note }
  if (delivered < tried.length) return { word: 'Some failed', tone: 'attention', note }
  if (smooth < tried.length) return { word: 'Healthy', tone: 'good', note: `${note}, ${tried.length - smooth} retried` }
  return { word: 'Healthy', tone: 'good', note }
}
