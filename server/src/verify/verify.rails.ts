// Invariants of payments over rails: what leaves is in one message, once, and was committed before; what comes in instantly is final before it is credited.
import { listed, read } from '../platform/database/sql.ts'
import { spentStates, standingStates, withdrawnStates } from '../rails/rails.ts'
import { instantRails } from '../schemes/schemes.ts'

const [spent, standing, withdrawn] = [listed(spentStates), listed(standingStates), listed(withdrawnStates)]
const instant = listed(instantRails)

export const railInvariants = [
  {
    name: 'instant payments are final',
    meaning:
      'No client has the money of an inbound instant payment that the clearing system has not confirmed, each one that a message brought has an answer, and what was refused is not booked.',
    broken: read`
      select instant.venture_id, instant.id, instant.state, transfer.status from rail_instants instant
      join transfers transfer on transfer.venture_id = instant.venture_id and transfer.id = instant.id
      where case instant.state when 'AWAITED' then transfer.status <> 'ACCEPTED' when 'REJECTED' then transfer.status <> 'REJECTED'
        when 'REFUSED' then true else false end
      union all select received.venture_id, received.id, null, null from rail_received received left join rail_instants instant
        on instant.venture_id = received.venture_id and instant.id = received.id
      where received.rail in (${instant}) and received.message_type like 'pacs.008%' and instant.id is null`,
  },
  {
    name: 'payments are sent once',
    meaning: 'Of all attempts to send a payment, at most one may have been carried out: a higher attempt follows only a refused one.',
    broken: read`
      select venture_id, transfer_id, count(*) as attempts from rail_payments
      where state in (${spent}) group by venture_id, transfer_id having count(*) > 1
      union all select later.venture_id, later.transfer_id, later.attempt from rail_payments later left join rail_payments former
        on former.venture_id = later.venture_id and former.transfer_id = later.transfer_id and former.attempt = later.attempt - 1
      where later.attempt > 1 and former.state is distinct from 'REFUSED'`,
  },
  {
    name: 'sent payments have a message',
    meaning:
      'A payment that is SENT or was answered is in a pack whose message is stored, and one that waits for its pack is in no message.',
    broken: read`
      select payment.venture_id, payment.transfer_id, payment.attempt, payment.state, payment.pack_id
      from rail_payments payment left join rail_packs pack on pack.id = payment.pack_id left join rail_messages message
        on message.pack_id = pack.id and message.direction = 'OUT' and message.message_id = pack.message_id
      where (payment.state in (${spent})) <> (message.id is not null)
        and payment.state not in (${withdrawn})`,
  },
  {
    name: 'packs contain their payments',
    meaning: 'The number and the total of a pack match the payments in its message.',
    broken: read`
      select pack.id, pack.state, pack.count, pack.total, contained.count as payments, contained.sum
      from rail_packs pack join rail_messages message
        on message.pack_id = pack.id and message.direction = 'OUT' and message.message_id = pack.message_id
      cross join lateral (
        select count(*) as count, coalesce(sum(amount), 0) as sum from rail_payments payment
        where payment.pack_id = pack.id and payment.state <> 'DROPPED') as contained
      where contained.count <> pack.count or contained.sum <> pack.total`,
  },
  {
    name: 'packs have a participation',
    meaning: 'A pack was made by a version of the participation of its rail that exists, is active and is of its currency.',
    broken: read`
      select pack.id, pack.rail, pack.participation, version.state from rail_packs pack
      left join participations version on version.rail = pack.rail and version.version = pack.participation
      where version.version is null or version.state <> 'ACTIVE' or version.currency <> pack.currency`,
  },
  {
    name: 'sent payments are committed',
    meaning: 'A payment that is walked into its pack is in a message only after its transfer has moved to SENT_TO_CLEAR.',
    broken: read`
      select payment.venture_id, payment.transfer_id, payment.attempt from rail_payments payment
      where payment.walks and payment.state in (${standing}) and not exists (
        select from transfer_moves move
        where move.venture_id = payment.venture_id and move.transfer_id = payment.transfer_id and move.to_status = 'SENT_TO_CLEAR')`,
  },
  {
    name: 'messages have the bytes of their hash',
    meaning: 'The sealed SHA-256 of a message matches its bytes.',
    broken: read`
      select id, direction, file, pack_id, sha256, encode(sha256(body), 'hex') as of_body from rail_messages
      where sha256 <> encode(sha256(body), 'hex')`,
  },
]
