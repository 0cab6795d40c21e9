import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Mandate } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { History } from '../../ui/history.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { AccountTie } from '../../ui/tied.tsx'
import { dayOf, ibanOf, minuteOf } from '../../ui/words.ts'

const schemes = { CORE: 'Core: any debtor', B2B: 'B2B: no consumers, and no refunds' }
const uses = { RCUR: 'Recurring', OOFF: 'One-off' }

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { mandate: id = '' } = useParams({ strict: false }) as { mandate?: string }
  const query = useQuery({ queryKey: [venture, 'mandate', id], queryFn: () => api.mandates.get(id) })
  const mandate = query.data
  return (
    <Frame
      title={mandate === undefined ? 'Mandate' : `Mandate ${mandate.reference}`}
      back={{ to: `/v/${venture}/mandates`, label: 'Mandates' }}
      aside={mandate && <Status value={mandate.state} />}
      actions={mandate?.state === 'ACTIVE' && <Cancel mandate={mandate} />}
    >
      <Answered query={query}>
        {mandate && (
          <>
            <Block title="Details">
              <Facts
                facts={[
                  ['Debtor', mandate.debtor_name],
                  ['Debtor’s IBAN', <Copyable key="iban" text={mandate.debtor_iban} shown={ibanOf(mandate.debtor_iban)} />],
                  ['Credited account', <AccountTie key="account" id={mandate.account_id} />],
                  ['Creditor identifier', mandate.creditor_id],
                  ['Scheme', schemes[mandate.scheme]],
                  ['Use', uses[mandate.sequence_type]],
                  ['Signed', dayOf(mandate.signed_on)],
                  ['Last used', mandate.last_used_on === null ? 'Never' : dayOf(mandate.last_used_on)],
                  [mandate.state === 'EXPIRED' ? 'Expired' : 'Expires unless used', dayOf(mandate.expires_on)],
                  ['Registered', minuteOf(mandate.created_at)],
                  ['Id', <Copyable key="id" text={mandate.id} label="Copy the id" />],
                ]}
              />
            </Block>
            <Block title="History">
              <History id={id} />
            </Block>
          </>
        )}
      </Answered>
    </Frame>
  )
}

function Cancel({ mandate: { id, debtor_name } }: { mandate: Mandate }) {
  const api = useVentureApi()
  return (
    <Action
      operation="cancelMandate"
      label="Cancel the mandate"
      danger
      run={() => api.mandates.cancel(id)}
      done="The mandate was cancelled."
    >
      No further collections from {debtor_name} are possible with this mandate. This is permanent. Collections already sent are not
      recalled.
    </Action>
  )
}
