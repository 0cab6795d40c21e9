// The current state of what a case concerns: the hit, the payment, the people, or the file.
import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CaseWithSubject, ExplainedScreening, ScreeningHit, Transfer, TransferMove } from '@vostro/sdk'
import type { ReactNode } from 'react'
import { api } from '../../ui/api.ts'
import { isVenture } from '../../ui/names.tsx'
import { Block } from '../../ui/page.tsx'
import { type Rule, ruleWords } from '../../ui/policy.rules.ts'
import { Raw, Readable } from '../../ui/readable.tsx'
import { Hit } from './hit.tsx'
import { ClientOfAccount, Named } from './people.tsx'
import { Behind, TransferBlock } from './transfer.tsx'

type Reviewed = Transfer & { history?: TransferMove[]; screening?: ExplainedScreening | null; payments?: Transfer[] }
type Subject = { [name: string]: unknown }

export function Findings({ of }: { of: CaseWithSubject }) {
  if (of.subject === null) return null
  const shown = byKind[of.kind] ?? ((other: CaseWithSubject) => <Plain of={other} />)
  return (
    <>
      <Why of={of} />
      {shown(of)}
    </>
  )
}

const byKind: Readonly<Record<string, (of: CaseWithSubject) => ReactNode>> = {
  hit: (of) => <Review of={of} />,
  rule: (of) => <Review of={of} />,
  amount: (of) => <Review of={of} />,
  name_hit: (of) => <NameHit of={of} />,
  screening_overdue: (of) => <Plain of={of} title="Screening" />,
  suspended: (of) => <Review of={of} />,
  recall: (of) => <Recalled of={of} />,
  delivery: (of) => <Plain of={of} title="Pack" link={{ to: `/bank/packs/${of.resource_id}`, label: 'Show the pack' }} />,
  reconciliation: (of) => <Reconciled of={of} />,
  break: (of) => <Broken of={of} />,
  manual: (of) => <ByHand of={of} />,
  unapplied: (of) => (
    <Plain of={of} title="Unapplied payment" link={{ to: `/bank/unapplied/${of.resource_id}`, label: 'Show the payment' }} />
  ),
  calendar_missing: (of) => <Plain of={of} title="Calendar" link={{ to: '/bank/calendars', label: 'Show the calendars' }} />,
  message: (of) => <Plain of={of} title="Message" value={(of.subject as Subject)['message'] as object} />,
  nostro_statement: (of) => (
    <Plain of={of} title="Nostro" link={{ to: `/bank/reconciliation/${of.resource_id}`, label: 'Show the nostro' }} />
  ),
}

type Fired = { rule: Rule; figures?: object }

/** Why the service asks for a decision. */
function Why({ of: { kind, payload } }: { of: CaseWithSubject }) {
  const { rules = [] } = payload as { rules?: readonly Fired[] }
  if (kind === 'amount')
    return (
      <Block title="Why">
        <Readable
          value={payload}
          names={[
            ['debit_amount', 'Amount'],
            ['debit_currency', 'Currency'],
            ['review_above', 'Review above'],
            ['policy_version', 'Policy version'],
          ]}
        />
      </Block>
    )
  if (rules.length === 0) return null
  return (
    <Block title="Why">
      <Stack gap="sm">
        {rules.map(({ rule, figures = {} }) => (
          <div key={JSON.stringify(rule)}>
            <Text size="sm" mb={4}>
              Matches a rule of the policy: {ruleWords(rule)}
            </Text>
            <Readable value={figures} />
          </div>
        ))}
      </Stack>
    </Block>
  )
}

/** A payment that waits for a decision. */
function Review({ of }: { of: CaseWithSubject }) {
  const { history, screening, payments, ...transfer } = of.subject as Reviewed
  return (
    <>
      {screening?.hits.map((hit) => (
        <Hit key={hit.id} hit={hit} thresholds={screening} />
      ))}
      <TransferBlock transfer={transfer} venture={of.venture_id} history={history} />
      {payments && <Behind payments={payments} venture={of.venture_id} />}
      {isVenture(of.venture_id) && transfer.account_id && <ClientOfAccount venture={of.venture_id} account={transfer.account_id} />}
    </>
  )
}

function NameHit({ of: { venture_id, subject, payload } }: { of: CaseWithSubject }) {
  const { kind, id, hits } = subject as { kind: 'client' | 'beneficiary' | 'transfer'; id: string; hits: ScreeningHit[] }
  const screening_id = String(payload['screening_id'] ?? '')
  const screening = useQuery({
    queryKey: ['bank', 'screening', screening_id],
    enabled: screening_id !== '',
    queryFn: () => api.ventures.getScreening(venture_id, screening_id),
  })
  return (
    <>
      {hits.map((hit) => (
        <Hit key={hit.id} hit={hit} thresholds={screening.data} />
      ))}
      <Named kind={kind} id={id} venture={venture_id} />
    </>
  )
}

function Recalled({ of: { subject, venture_id } }: { of: CaseWithSubject }) {
  const { recall, transfer } = subject as { recall: object; transfer: Transfer | null }
  return (
    <>
      <Block title="Recall">
        <Readable value={recall} names={['reason', 'state', ['due_on', 'Answer due'], 'case_reference', 'created_at']} />
      </Block>
      {transfer && <TransferBlock transfer={transfer} venture={venture_id} />}
      {transfer?.account_id && <ClientOfAccount venture={venture_id} account={transfer.account_id} />}
    </>
  )
}

const breakOf = (of: CaseWithSubject) => ({ to: `/bank/breaks/${of.resource_id}`, label: 'Show the break' })

/** A break about a client, with the payment that it is about. */
function Broken({ of }: { of: CaseWithSubject }) {
  const { payment, ...broken } = of.subject as { payment: Transfer | null; account_venture_id: string | null; account_id: string | null }
  const { account_venture_id: venture, account_id: account } = broken
  return (
    <>
      <Plain of={of} title="Break" value={broken} link={breakOf(of)} />
      {payment && venture && <TransferBlock transfer={payment} venture={venture} />}
      {venture && account && isVenture(venture) && <ClientOfAccount venture={venture} account={account} />}
    </>
  )
}

/** A break of the reconciliation, with both sides: the entry of the statement, and the payment as it was booked. */
function Reconciled({ of }: { of: CaseWithSubject }) {
  const { entry, payment, ...broken } = of.subject as { entry: object | null; payment: { venture_id: string; id: string } | null }
  const paths = payment && isVenture(payment.venture_id) ? `/v/${payment.venture_id}/transfers/${payment.id}` : undefined
  return (
    <>
      <Plain of={of} title="Break" value={broken} link={breakOf(of)} />
      {entry && (
        <Block title="Entry of the statement">
          <Readable
            value={entry}
            names={[
              'amount',
              ['booked_on', 'Booked'],
              ['value_on', 'Value date'],
              ['counterparty_name', 'Counterparty'],
              'counterparty_iban',
              ['end_to_end_id', 'End-to-end id'],
              ['tx_id', 'Transaction id'],
              ['message_id', 'Message'],
              ['servicer_reference', "The bank's reference"],
              ['information', 'Text'],
              'transaction_code',
            ]}
          />
        </Block>
      )}
      {payment && (
        <Block title="Payment" note={paths && <Anchor renderRoot={(props) => <Link {...props} to={paths} />}>Show the transfer</Anchor>}>
          <Readable
            value={payment}
            names={['rail', 'references', ['counterparty_name', 'Counterparty'], 'counterparty_iban', ['expected_on', 'Expected'], 'id']}
          />
        </Block>
      )}
    </>
  )
}

/** What a person opened the case about. */
function ByHand({ of: { venture_id, subject, payload } }: { of: CaseWithSubject }) {
  const { kind, transfer, account } = subject as { kind: string; id: string; transfer?: Transfer; account?: { id: string } }
  const { id } = subject as { id: string }
  return (
    <>
      <Block title="Why">
        <Text size="sm">{String(payload['reason'] ?? '')}</Text>
      </Block>
      {transfer && <TransferBlock transfer={transfer} venture={venture_id} />}
      {transfer?.account_id && <ClientOfAccount venture={venture_id} account={transfer.account_id} />}
      {account && <ClientOfAccount venture={venture_id} account={account.id} />}
      {kind === 'client' && <Named kind="client" id={id} venture={venture_id} />}
    </>
  )
}

type PlainOptions = { of: CaseWithSubject; title?: string; value?: object; link?: { to: string; label: string } }

/** All fields, as names and values. */
function Plain({ of, title = 'Subject', value = of.subject as object, link }: PlainOptions) {
  return (
    <Block title={title} note={link && <Anchor renderRoot={(props) => <Link {...props} to={link.to} />}>{link.label}</Anchor>}>
      <Stack gap="sm">
        <Readable value={value ?? {}} />
        <Raw value={{ subject: of.subject, payload: of.payload }} />
      </Stack>
    </Block>
  )
}
