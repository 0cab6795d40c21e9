// Onboarding details: what a client declares about money and work. They are submitted once, and the submission starts the verification.

import { getClient, getLockedClient, saveClient } from '../clients/clients.ts'
import { emit } from '../events/events.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import { rowsByVenture } from '../platform/database/database.placement.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { columnsOf, fixed, read, write } from '../platform/database/sql.ts'
import { shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import { enqueue } from '../platform/jobs.ts'
import { refuse } from '../values/refusals.ts'
import { OnboardingDetails, type OnboardingSubmission } from './onboarding.schemas.ts'
import { volumeLimits } from './onboarding.values.ts'

export { OnboardingDetails }

export type OnboardingRow = OnboardingDetails & { venture_id: string; client_id: string; sequence: number }

/** The job that opens an application at the verifier; kyc/ runs it. */
export const openApplicationJob = 'kyc.open_application'

const columns = columnsOf(OnboardingDetails)

export function submitOnboardingDetails(
  database: Database,
  { venture_id, client_id }: { venture_id: string; client_id: string },
  { account_purposes_input, ...answers }: OnboardingSubmission,
  companions?: Companions,
): Promise<OnboardingDetails> {
  const submit = async (tx: Tx): Promise<OnboardingDetails> => {
    const client = await getLockedClient(tx, venture_id, client_id)
    const at = now().toISOString()
    const details: OnboardingDetails = {
      ...unsetOptionalFields,
      ...answers,
      id: uuidv7(),
      account_purposes: account_purposes_input,
      kyc_application_id: null,
      kyc_link: null,
      created_at: at,
      updated_at: at,
    }
    const inserted = await insertDetails(tx, { ...details, venture_id, client_id, sequence: 1 })
    if (!inserted) refuse('onboarding_exists')
    emit(tx, { venture_id, type: 'onboarding.submitted', object: shown(OnboardingDetails, details), sequence: 1 })
    if (client.kyc_status === 'NOT_STARTED')
      await saveClient(tx, { ...client, kyc_status: 'CREATED' }, 'client.kyc_updated', client.kyc_status)
    await enqueue(tx, openApplicationJob, { venture_id, client_id })
    return details
  }
  return database.transaction((tx) => accompanied(tx, companions, () => submit(tx)))
}

const unsetOptionalFields = {
  funds_origin_country_id: null,
  other_occupation: null,
  other_source_of_funds: null,
  tax_identification_number: null,
}

export async function getOnboardingDetails(database: Database, venture_id: string, client_id: string): Promise<OnboardingDetails> {
  const details = await database.first(
    read<OnboardingDetails>`select ${columns} from onboarding_details where venture_id = ${venture_id} and client_id = ${client_id}`,
  )
  if (details !== undefined) return details
  await getClient(database, venture_id, client_id)
  return refuse('onboarding_not_found')
}

type ClientKey = { venture_id: string; client_id: string }

/** The maximum that a client has declared to pay and to receive in a month; null if the answer has no upper bound. */
export type ExpectedVolumes = ClientKey & { outgoing: string | null; incoming: string | null }

/** What those clients have declared who have submitted their details. */
export async function findExpectedVolumes(reader: Reader, all: readonly ClientKey[]): Promise<ExpectedVolumes[]> {
  const rows = await rowsByVenture(reader, all, (clients) =>
    reader.rows(read<ClientKey & Pick<OnboardingDetails, 'expected_monthly_outgoing_volume' | 'expected_monthly_incoming_volume'>>`
    select venture_id, client_id, expected_monthly_outgoing_volume, expected_monthly_incoming_volume from onboarding_details
    where (venture_id, client_id) in (
      select * from unnest(${clients.map(({ venture_id }) => venture_id)}::uuid[], ${clients.map(({ client_id }) => client_id)}::uuid[]))
      ${reader.placement.narrow(fixed`venture_id`, clients)}`),
  )
  return rows.map(({ venture_id, client_id, expected_monthly_outgoing_volume, expected_monthly_incoming_volume }) => ({
    venture_id,
    client_id,
    outgoing: volumeLimits[expected_monthly_outgoing_volume],
    incoming: volumeLimits[expected_monthly_incoming_volume],
  }))
}

/** Lock the client first, so that the details cannot change in the meantime. */
export function findOnboarding(tx: Tx, venture_id: string, client_id: string): Promise<OnboardingRow | undefined> {
  return tx.first(read<OnboardingRow>`
    select ${columns}, venture_id, client_id, sequence from onboarding_details where venture_id = ${venture_id} and client_id = ${client_id}`)
}

/** Stores the application that the verifier has opened. */
export async function saveApplication(
  tx: Tx,
  onboarding: OnboardingRow,
  application: { id: string; link: string },
): Promise<OnboardingRow> {
  const saved = {
    ...onboarding,
    kyc_application_id: application.id,
    kyc_link: application.link,
    updated_at: now().toISOString(),
    sequence: onboarding.sequence + 1,
  }
  const { venture_id, client_id, sequence } = saved
  await tx.run(write`
    update onboarding_details
    set kyc_application_id = ${saved.kyc_application_id}, kyc_link = ${saved.kyc_link}, updated_at = ${saved.updated_at}, sequence = ${sequence}
    where venture_id = ${venture_id} and client_id = ${client_id}`)
  emit(tx, { venture_id, type: 'onboarding.updated', object: shown(OnboardingDetails, saved), sequence })
  return saved
}

/** The clients that onboarding details are about. */
export async function findClientsOf(database: Database, venture_id: string, ids: readonly string[]): Promise<string[]> {
  const rows = await database.rows(read<{ client_id: string }>`
    select client_id from onboarding_details where venture_id = ${venture_id} and id = any(${ids})`)
  return rows.map(({ client_id }) => client_id)
}

/** Returns false if the client already has details. */
async function insertDetails(tx: Tx, details: OnboardingRow): Promise<boolean> {
  // A distributed database reports only rows that it returns, not rows that it inserts, so the statement returns them.
  const inserted = await tx.first(write<{ id: string }>`
    insert into onboarding_details
    select * from json_populate_record(null::onboarding_details, ${JSON.stringify(details)})
    on conflict do nothing returning id`)
  return inserted !== undefined
}
