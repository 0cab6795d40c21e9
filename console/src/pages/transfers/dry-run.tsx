// The service's dry run of the order.
import { Alert, Button, Code, Group, Progress, Stack, Text } from '@mantine/core'
import type { Beneficiary, TransferDryRun } from '@vostro/sdk'
import type { ReactNode } from 'react'
import { useDoing } from '../../ui/action.tsx'
import { shareOf } from '../../ui/amounts.ts'
import { Block, Empty, Facts } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { useMay, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { dayOf, grouped, minuteOf, money, words } from '../../ui/words.ts'
import { leaves, textSent } from './dry-run.words.ts'
import { waitInWords } from './order.ts'

type Options = { result: TransferDryRun | undefined; isFresh: boolean; error: unknown; beneficiary: Beneficiary | undefined }

export function DryRun({ result, isFresh, error, beneficiary }: Options) {
  return (
    <Block title="What would happen" note={result !== undefined && !isFresh ? 'Asking…' : undefined}>
      <div aria-live="polite">
        <ProblemNote error={error} />
        {result === undefined && !error && (
          <Empty title="No preview yet.">Choose an account and a beneficiary, and enter an amount. Nothing is ordered yet.</Empty>
        )}
        {result !== undefined && (
          <Stack gap="md" className={isFresh ? '' : 'stale'}>
            <Verdict result={result} />
            <Costs result={result} />
            <Walk result={result} />
            <Message result={result} />
            <Limits result={result} />
            <Payee result={result} beneficiary={beneficiary} />
          </Stack>
        )}
      </div>
    </Block>
  )
}

function Verdict({ result: { accepted, refusal, stopped_by, funds } }: { result: TransferDryRun }) {
  if (!accepted)
    return (
      <Alert color="red" variant="light" title="The transfer would be refused">
        <Text size="sm">{refusal?.detail}</Text>
        <Code>{refusal?.code}</Code>
      </Alert>
    )
  if (stopped_by !== null || funds.sufficient === false)
    return (
      <Alert color="orange" variant="light" title="The transfer would be accepted, then stop">
        <Text size="sm">{stopped_by?.detail ?? 'The account has insufficient funds.'}</Text>
        {stopped_by && <Code>{stopped_by.code}</Code>}
      </Alert>
    )
  return (
    <Alert color="teal" variant="light" title="The transfer would be accepted">
      <Text size="sm">Nothing blocks it now.</Text>
    </Alert>
  )
}

function Costs({ result: { transfer, funds, sending_day } }: { result: TransferDryRun }) {
  const { exchange_rate, fx_fee_amount, debit_currency = '', credit_currency = '' } = transfer ?? {}
  return (
    <Facts
      facts={[
        ['Costs', funds.needed && <b className="amount">{money(funds.needed, funds.currency)}</b>],
        ['Available', money(funds.available, funds.currency)],
        ['Payee receives', transfer && money(transfer.credit_amount, credit_currency)],
        ['Rate', exchange_rate && `1 ${debit_currency} = ${grouped(exchange_rate)} ${credit_currency}`],
        ['Fee', transfer && (fx_fee_amount ? money(fx_fee_amount, debit_currency) : 'None')],
        ['Method', transfer && words(transfer.method)],
        ['Starts on', sending_day && dayOf(sending_day)],
        ['Settles', transfer && dayOf(transfer.settlement_date)],
      ]}
    />
  )
}

function Walk({ result: { walk, waits_for, waits_until, screening } }: { result: TransferDryRun }) {
  if (walk.length === 0) return null
  const until = waits_until === null ? '' : `, until ${minuteOf(waits_until)} at the latest`
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        Steps
      </Text>
      <Group gap={6} component="div">
        {walk.map((status, at) => (
          <Group key={status} gap={6}>
            {at > 0 && <span aria-hidden="true">→</span>}
            <Status value={status} />
          </Group>
        ))}
      </Group>
      <Text size="sm" c="dimmed">
        {waits_for === null ? 'It ends there.' : `It waits there for ${waitInWords(waits_for)}${until}.`}
        {screening !== null && screening !== 'CLEAR' && ` Screening: ${words(screening).toLowerCase()}.`}
      </Text>
    </Stack>
  )
}

/** The texts as the other bank would receive them: converted to the scheme's character set. */
function Message({ result: { message } }: { result: TransferDryRun }) {
  if (message === null) return null
  const { rail, type, texts, reachable } = message
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        Message to the other bank
      </Text>
      <Facts
        facts={[
          ['Message', <span key="type" className="mono">{`${type}, ${rail}`}</span>],
          ['Leaves', leaves(message)],
          [
            'Other bank',
            reachable !== null && <Status key="bank" value={reachable ? 'Reachable' : 'Not reachable'} tone={reachable ? 'good' : 'bad'} />,
          ],
          ...texts.map((text): [string, ReactNode] => {
            const { label, sent, note } = textSent(text)
            return [label, <Sent key={label} sent={sent} note={note} />]
          }),
        ]}
      />
    </Stack>
  )
}

function Sent({ sent, note }: { sent: string | null; note: string | undefined }) {
  return (
    <>
      {sent}
      {note !== undefined && (
        <Text size="xs" c="dimmed" component="span" display="block">
          {note}
        </Text>
      )}
    </>
  )
}

function Limits({ result: { limits, funds } }: { result: TransferDryRun }) {
  const limited = limits.filter(({ limit }) => limit !== null)
  if (limited.length === 0) return null
  return (
    <Stack gap={8}>
      <Text size="sm" fw={600}>
        Limits including this transfer
      </Text>
      {limited.map(({ period, limit, used, left }) => (
        <div key={period}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">Per {period}</Text>
            <Text size="sm" className="amount">
              {grouped(used)} of {money(limit ?? '0', funds.currency)}, {grouped(left ?? '0')} left
            </Text>
          </Group>
          <Progress value={shareOf(used, limit ?? '0')} size="sm" aria-label={`Share used of the limit per ${period}`} />
        </div>
      ))}
    </Stack>
  )
}

const results: Record<string, string> = {
  MATCH: 'The name matches the account.',
  CLOSE_MATCH: 'The name is similar to the account’s.',
  NO_MATCH: 'The name does not match the account.',
  NOT_POSSIBLE: 'The name could not be checked.',
}

function Payee({ result: { payee_check }, beneficiary }: { result: TransferDryRun; beneficiary: Beneficiary | undefined }) {
  if (payee_check === null) return null
  const { policy, result, matched_name, valid_until } = payee_check
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        Payee check
      </Text>
      {result !== null && (
        <Group gap="xs">
          <Status value={result} />
          <Text size="sm">
            {results[result]}
            {matched_name !== null && ` The holder is ${matched_name}.`}
            {valid_until !== null && ` Valid until ${minuteOf(valid_until)}.`}
          </Text>
        </Group>
      )}
      {result === null && (
        <Group gap="xs">
          <Text size="sm">{policy === 'require' ? 'This transfer needs a payee check.' : 'The payee has not been checked.'}</Text>
          {beneficiary && <CheckPayee beneficiary={beneficiary} />}
        </Group>
      )}
    </Stack>
  )
}

function CheckPayee({ beneficiary: { name, iban } }: { beneficiary: Beneficiary }) {
  const api = useVentureApi()
  const may = useMay()
  const { mutate, isPending, error } = useDoing({
    run: () => api.payeeVerifications.create({ name, iban: iban ?? '' }),
    done: ({ result }) => results[result] ?? 'The payee was checked.',
  })
  if (iban === null || !may('verifyPayee')) return null
  return (
    <>
      <Button size="compact-sm" variant="default" loading={isPending} onClick={() => mutate()}>
        Check now
      </Button>
      <ProblemNote error={error} />
    </>
  )
}
