// Step 4: seal. The message of a pack is written from rows alone and stored, once all of its payments are committed. Its bytes and its id
// never change again: a crash before the COMMIT repeats the step with the same result.
import { openFirstCase } from '../../cases/cases.ts'
import { MessageFault as Fault, type MessageFault } from '../../iso20022/iso20022.ts'
import { holdParticipations } from '../../schemes/schemes.ts'
import { formatMoney, fromNumeric } from '../../values/money.ts'
import { houseId } from '../../ventures/ventures.ts'
import { insertSealed, sealedOf } from '../rails.messages.ts'
import { writePack as writeMessageOf } from './rails.kinds.ts'
import { activePacks, type Packing } from './rails.packing.ts'
import {
  changedPack,
  countContents,
  lockPack,
  type PackRow,
  selectPacks,
  selectWritten,
  type WrittenPayment,
  writePack,
  writeStatesOf,
} from './rails.packs.sql.ts'

/** Returns how many packs are no longer open. */
export async function sealPacks(packing: Packing): Promise<number> {
  let done = 0
  for (const pack of await activePacks(packing, await selectPacks(packing.database, 'OPEN'))) if (await sealPack(packing, pack)) done++
  return done
}

async function sealPack(packing: Packing, pack: PackRow): Promise<boolean> {
  const { database, transfers, now } = packing
  const { packed, revocable } = await countContents(database, pack.id)
  if (revocable > 0) return false
  if (packed === 0) return closePack(packing, pack, { state: 'DROPPED' })
  const payments = await selectWritten(database, pack.id)
  // Another instance was faster: a message without payments would count as invalid.
  if (payments.length !== packed) return false
  const sealed = await writeSealed(packing, pack, payments)
  if (sealed instanceof Fault) return refuseWhole(packing, pack, sealed)
  const total = formatMoney(
    payments.reduce((sum, { amount }) => sum + fromNumeric(amount), 0n),
    pack.currency,
  )
  return database.transaction(async (tx) => {
    // From here to the commit, nobody can suspend the rail.
    await holdParticipations(tx, true)
    if (!(await transfers.participations.read(tx)).isActive(pack.rail, now())) return false
    const locked = await lockPack(tx, pack.id)
    // Another instance was faster.
    if (locked?.state !== 'OPEN') return false
    // A payment has left the pack meanwhile. None can join an open pack, so comparing the numbers is enough.
    const current = await countContents(tx, pack.id)
    if (current.revocable > 0 || current.packed !== payments.length) return false
    const at = now()
    insertSealed(tx, { ...sealed, pack_id: pack.id }, at)
    writeStatesOf(tx, pack.id, { from: 'PACKED', to: 'SENT', now: at.toISOString() })
    writePack(tx, changedPack(locked, { state: 'SEALED', count: payments.length, total }, at.toISOString()))
    return true
  })
}

/** The message, or the rule that it breaks although each of its payments was valid. */
async function writeSealed({ transfers, reader }: Packing, pack: PackRow, payments: readonly WrittenPayment[]) {
  try {
    const { bic } = transfers.bank
    const envelope = (await transfers.participations.current()).envelopeOf(pack)
    const { type, bytes } = writeMessageOf(pack, { bic, envelope }, payments)
    await reader.validate(bytes)
    return sealedOf({ type, message_id: pack.message_id, body: bytes }, transfers.bank.bic)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
}

/** Nothing of it is delivered: people decide whether its payments are sent again. */
function refuseWhole({ database, log, now }: Packing, pack: PackRow, fault: MessageFault): Promise<boolean> {
  log.error({ pack_id: pack.id, reason: fault.message }, 'the message of a pack is not valid, so nothing of it is sent')
  return database.transaction(async (tx) => {
    const locked = await lockPack(tx, pack.id)
    if (locked?.state !== 'OPEN') return false
    const reason = fault.message.slice(0, 1000)
    writePack(tx, changedPack(locked, { state: 'INVALID', reason }, now().toISOString()))
    const payload = { message_id: pack.message_id, reason }
    openFirstCase(tx, { venture_id: houseId, kind: 'delivery', resource_id: pack.id, payload, severity: 'URGENT', due_h: 4 })
    return true
  })
}

function closePack({ database, now }: Packing, { id }: PackRow, changes: Pick<PackRow, 'state'>): Promise<boolean> {
  return database.transaction(async (tx) => {
    const locked = await lockPack(tx, id)
    if (locked?.state !== 'OPEN' || (await countContents(tx, id)).packed > 0) return false
    writePack(tx, changedPack(locked, changes, now().toISOString()))
    return true
  })
}
