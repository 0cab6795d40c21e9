// The ids, references and times of a transfer, to copy.
import { Link } from '@tanstack/react-router'
import type { Transfer } from '@vostro/sdk'
import type { ReactNode } from 'react'
import { Copyable } from '../../ui/copyable.tsx'
import { Block, Facts } from '../../ui/page.tsx'
import { useVenture } from '../../ui/session.ts'
import { secondOf } from '../../ui/words.ts'

export function Ids({ transfer }: { transfer: Transfer }) {
  const venture = useVenture()
  const { parent_transaction_id, account_id, beneficiary_id, mandate_id, bank_partner_id, bank_partner_trx_id } = transfer
  return (
    <Block title="References and times">
      <Facts
        facts={[
          ['Id', <Copyable key="id" text={transfer.id} label="Copy the id" />],
          ['Reference', <Copyable key="reference" text={transfer.unique_reference} label="Copy the reference" />],
          ['Account', <Leading key="account" id={account_id} to={`/v/${venture}/accounts/${account_id}`} />],
          ['Beneficiary', beneficiary_id && <Leading id={beneficiary_id} to={`/v/${venture}/beneficiaries/${beneficiary_id}`} />],
          [
            'Belongs to',
            parent_transaction_id && <Leading id={parent_transaction_id} to={`/v/${venture}/transfers/${parent_transaction_id}`} />,
          ],
          ['Mandate', mandate_id && <Leading id={mandate_id} to={`/v/${venture}/mandates/${mandate_id}`} />],
          ['Partner bank', [bank_partner_id, bank_partner_trx_id].filter((part) => part !== null).join(' · ')],
          ['Created', secondOf(transfer.created_at)],
          ['Signed', transfer.signed_at && secondOf(transfer.signed_at)],
          ['Last changed', secondOf(transfer.updated_at)],
        ]}
      />
    </Block>
  )
}

function Leading({ id, to }: { id: string; to: string }): ReactNode {
  return (
    <>
      <Copyable text={id} label="Copy the id" /> <Link to={to}>Show</Link>
    </>
  )
}
