// Fills the tables of transfers, references and texts with a history: many transfers of one venture, spread over a year, with rare and
// common values in every column that a list can filter by.
// column that a list can filter by.
import pg from 'pg'
import { transferStatuses } from '../transfers/life/transfers.status.ts'

/** The payers and payees of the transfers. */
export type Payer = { venture_id: string; account_id: string; beneficiary_id: string }

const batch = 50_000

const secondaryIndexes = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
  where indrelid in ('transfers'::regclass, 'transfer_texts'::regclass) and not indisprimary`

export async function fillTransfers(
  ownerUrl: string,
  accounts: readonly Payer[],
  count: number,
  onProgress: (done: number, count: number) => void = () => {},
): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await owner.query(
      'create table if not exists fill_accounts (number int primary key, venture_id uuid, account_id uuid, beneficiary_id uuid)',
    )
    await owner.query('truncate fill_accounts')
    await owner.query(
      'insert into fill_accounts select row_number() over () - 1, account.* from unnest($1::uuid[], $2::uuid[], $3::uuid[]) account',
      (['venture_id', 'account_id', 'beneficiary_id'] as const).map((field) => accounts.map((account) => account[field])),
    )
    // The rows are valid by construction, and there are many of them.
    await owner.query('set session_replication_role = replica')
    await owner.query('set synchronous_commit = off')
    const { rows: indexes } = await owner.query<{ name: string; definition: string }>(secondaryIndexes)
    // Created at the end, which takes a third of the time of updating the indexes with each row.
    if (count > batch) for (const { name } of indexes) await owner.query(`drop index ${name}`)
    for (let done = 0; done < count; done += batch) {
      await owner.query(insertBatch, [done, Math.min(count, done + batch) - 1, count, accounts.length, transferStatuses])
      onProgress(Math.min(count, done + batch), count)
    }
    await owner.query('insert into transfer_references select unique_reference, venture_id, id from transfers on conflict do nothing')
    await owner.query(fillTexts)
    await owner.query(`set maintenance_work_mem = '1GB'`)
    if (count > batch) for (const { definition } of indexes) await owner.query(definition)
    await owner.query('vacuum analyze transfers, transfer_references, transfer_texts')
  } finally {
    await owner.end()
  }
}

const fillTexts = `
  insert into transfer_texts (venture_id, id, others, words)
  select venture_id, min(id::text)::uuid, array_remove(array_agg(id), min(id::text)::uuid),
    lower(string_agg(concat_ws(E'\\n', unique_reference, purpose, cr_name, dr_name), E'\\n'))
  from (select *, row_number() over (partition by venture_id order by id) / 32 as part from transfers
    where unique_reference like 'fill-%' and venture_id in (select venture_id from fill_accounts)) as transfer
  group by venture_id, part`

// One in five hundred has a rare status, one in a thousand a rare currency. Ids contain their creation time.
const insertBatch = `
  insert into transfers (venture_id, id, account_id, unique_reference, direction, method, transfer_type, status, is_instant, purpose,
    settlement_date, credit_amount, debit_amount, credit_currency, debit_currency, cr_name, cr_iban, dr_name, dr_iban, beneficiary_id,
    created_at, updated_at, sequence, scanned, screened, held, sent, received, hold, suspended)
  select venture_id,
    (lpad(to_hex(ms >> 16), 8, '0') || '-' || lpad(to_hex(ms & 65535), 4, '0') || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
    account_id, 'fill-' || n, case when n % 3 = 0 then 'INBOUND' else 'OUTBOUND' end,
    (array['SEPA', 'SEPA', 'SEPA', 'INST', 'SWIFT', 'INTERNAL', 'CARD', 'DOMESTIC'])[1 + n % 8],
    case when n % 1000 = 7 then 'PAYMENT_RETURN' when n % 50 = 9 then 'FEE' else 'PAYMENT' end,
    case when n % 500 = 3 then ($5::text[])[1 + (n / 500) % 30] else 'COMPLETED' end,
    n % 8 = 3, 'Invoice ' || n, '2026-01-01', '10.00', '10.00', currency, currency, 'Creditor ' || md5(n::text), 'DE89370400440532013000',
    'Debtor ' || md5((n * 7)::text), 'LT759999078964960131', case when n % 3 = 0 then null else beneficiary_id end,
    to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0), 1, true, true, true, true, true, 0, 0
  from (select n, (extract(epoch from timestamptz '2025-11-01')::bigint + n * 31536000 / $3::bigint) * 1000 + n % 1000 as ms,
      case when n % 1000 = 5 then 'CHF' else 'EUR' end as currency
    from generate_series($1::bigint, $2::bigint) n) as made
  join fill_accounts on number = n % $4::int`
