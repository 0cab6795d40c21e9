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
import { TransferBlock } from './transfer.tsx'

type Reviewed = Transfer & { history?: TransferMove[]; screening?: ExplainedScreening | null }
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
  reconciliation: (of) => <Plain of={of} title="Break" link={{ to: `/bank/breaks/${of.resource_id}`, label: 'Show the break' }} />,
  break: (of) => <Plain of={of} title="Break" link={{ to: `/bank/breaks/${of.resource_id}`, label: 'Show the break' }} />,
  unapplied: (of) => (
    <Plain of={of} title="Unapplied payment" link={{ to: `/bank/unapplied/${of.resource_id}`, label: 'Show the payment' }} />
  ),
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
  const { history, screening, ...transfer } = of.subject as Reviewed
  return (
    <>
      {screening?.hits.map((hit) => (
        <Hit key={hit.id} hit={hit} thresholds={screening} />
      ))}
      <TransferBlock transfer={transfer} venture={of.venture_id} history={history} />
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
