// A request that needs a second person: what it does, who asked for it, and its outcome.
import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Approval, PolicyUpdate } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { Approving } from '../../ui/approving.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { PersonName, VentureName } from '../../ui/names.tsx'
import { NobodyToAsk } from '../../ui/nobody-to-ask.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { PolicyChanges } from '../../ui/policy.changes.tsx'
import { changeWords } from '../../ui/policy.fields.ts'
import { Raw, Readable } from '../../ui/readable.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, minuteOf, money, words } from '../../ui/words.ts'
import { actionWords, placeOf } from './approvals.words.ts'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useQuery({ queryKey: ['bank', 'approval', id], queryFn: () => api.operator.approvals.get(id) })
  const approval = query.data
  return (
    <Frame
      title={approval === undefined ? 'Approval' : actionWords(approval.action)}
      back={{ to: '/bank/approvals', label: 'Approvals' }}
      aside={approval && <Status value={approval.state} />}
      actions={approval && <Approving approval={approval} />}
    >
      <Answered query={query}>{approval && <Shown approval={approval} />}</Answered>
    </Frame>
  )
}

function Shown({ approval }: { approval: Approval }) {
  const { id, venture_id, action, payload, payload_hash, maker_id, checker_id, state, reason, created_at, expires_at, decided_at } =
    approval
  const place = placeOf(approval)
  return (
    <>
      {approval.approvers === 0 && <NobodyToAsk />}
      {state === 'FAILED' && (
        <Alert color="red" variant="light" title="The request was approved, but could not be carried out.">
          {reason}
        </Alert>
      )}
      <Block
        title="What will be done"
        note={place && <Anchor renderRoot={(props) => <Link {...props} to={place.to} />}>{place.label}</Anchor>}
      >
        <Stack gap="sm">
          {approval.subject ? (
            <Subject subject={approval.subject} />
          ) : action === 'change-policy' && state === 'PENDING' ? (
            <Changes venture={venture_id} payload={payload} />
          ) : Object.keys(payload).length === 0 ? (
            <Empty title={`${actionWords(action)}.`}>There are no further details.</Empty>
          ) : (
            <Readable value={withoutHashes(payload)} />
          )}
          <Raw
            value={{ action, resource_id: approval.resource_id, payload, payload_hash, sequence: approval.sequence }}
            label="Original request"
          />
        </Stack>
      </Block>
      <Block title="Details">
        <Facts
          facts={[
            ['Requested by', <PersonName key="maker" id={maker_id} isLink />],
            ['Requested', minuteOf(created_at)],
            ['Expires', state === 'PENDING' ? minuteOf(expires_at) : null],
            ['Decided by', checker_id && <PersonName key="checker" id={checker_id} isLink />],
            ['Decided', decided_at && minuteOf(decided_at)],
            ['Reason', state === 'FAILED' ? null : reason],
            ['Venture', <VentureName key="venture" id={venture_id} isLink />],
            ['Id', <Copyable key="id" text={id} />],
          ]}
        />
      </Block>
    </>
  )
}

/** Payer, payee, amounts and changes: enough to decide without opening another page. */
function Subject({ subject }: { subject: NonNullable<Approval['subject']> }) {
  const { amount, currency, credit_amount, credit_currency, payer, payer_account, payee, payee_account } = subject
  const account = (text: string | null) => text && <span className="amount">{inFours(text)}</span>
  return (
    <Stack gap="sm">
      {amount !== null && currency !== null && (
        <Text size="xl" fw={600} className="amount">
          {money(amount, currency)}
        </Text>
      )}
      <Facts
        facts={[
          ['To', payee],
          ['Payee’s account', account(payee_account)],
          ['Payee’s bank', [subject.payee_bank, subject.payee_bic].filter(Boolean).join(', ')],
          ['Payee receives', credit_amount && credit_currency && money(credit_amount, credit_currency)],
          ['From', payer],
          ['Payer’s account', account(payer_account)],
          ['Purpose', subject.purpose],
          ['Settles', subject.settlement_date && dayOf(subject.settlement_date)],
          ...subject.changes.map(({ field, from, to }) => [words(field), from === null ? to : `${from} → ${to ?? 'none'}`] as const),
        ]}
      />
    </Stack>
  )
}

/** IBANs in groups of four; other numbers unchanged. */
const inFours = (text: string): string => (/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) ? text.replace(/(.{4})(?=.)/g, '$1 ') : text)

/** Next to the current policy, because the request contains only the changes. */
function Changes({ venture, payload }: { venture: string; payload: PolicyUpdate }) {
  const query = useQuery({ queryKey: ['bank', 'venture', venture, 'policy'], queryFn: () => api.ventures.getPolicy(venture) })
  return <Answered query={query}>{query.data && <PolicyChanges changes={changeWords(query.data, payload)} />}</Answered>
}

/** People have no use for the hash of a code. */
function withoutHashes(payload: object): object {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !name.endsWith('_hash') && name !== 'case_sequence'))
}
