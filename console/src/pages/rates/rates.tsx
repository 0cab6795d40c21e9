import { useQuery } from '@tanstack/react-query'
import type { Rate } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Field, FormAction } from '../../ui/form.tsx'
import { type Column, Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { minuteOf } from '../../ui/words.ts'
import { percentOf } from './percent.ts'

const columns: readonly Column<Rate>[] = [
  { label: 'From and to', cell: ({ from_currency, to_currency }) => `${from_currency} → ${to_currency}` },
  { label: 'Rate', align: 'right', cell: ({ rate }) => rate },
  { label: 'Margin', align: 'right', cell: ({ margin }) => percentOf(margin) },
  { label: 'Valid from', wide: true, cell: ({ valid_from }) => minuteOf(valid_from) },
  { label: 'Valid until', wide: true, cell: ({ valid_until }) => (valid_until === null ? 'Until replaced' : minuteOf(valid_until)) },
]

export function Page() {
  const rates = useQuery({ queryKey: ['bank', 'rates'], queryFn: () => api.operator.rates.list() })
  return (
    <Frame title="Rates" actions={<SetRate />}>
      <Answered query={rates}>
        {rates.data?.length === 0 ? (
          <Block>
            <Empty title="No rates.">Set a rate for each currency pair and direction that managed ventures may exchange.</Empty>
          </Block>
        ) : (
          <Rows label="Rates" rows={rates.data ?? []} idOf={({ id }) => id} columns={columns} />
        )}
      </Answered>
    </Frame>
  )
}

const fields: readonly Field[] = [
  { name: 'from_currency', label: 'From', hint: 'The debited currency.', placeholder: 'EUR' },
  { name: 'to_currency', label: 'To', hint: 'The credited currency.', placeholder: 'USD' },
  {
    name: 'rate',
    label: 'Rate',
    hint: 'The value of one unit.',
    placeholder: '1.0825',
    amount: { number: { name: 'A rate', decimals: 10 } },
  },
  {
    name: 'margin',
    label: 'Margin',
    hint: 'The bank’s share: 0.005 is 0.5 %.',
    placeholder: '0.005',
    amount: { number: { name: 'A share', decimals: 10 }, isZeroAllowed: true, say: percentOf },
  },
  {
    name: 'valid_from',
    label: 'Valid from',
    hint: 'In UTC. Leave empty for now.',
    placeholder: '2027-02-19T09:00:00Z',
    optional: true,
  },
  { name: 'valid_until', label: 'Valid until', hint: 'In UTC. Leave empty if the rate is valid until replaced.', optional: true },
]

function SetRate() {
  return (
    <FormAction
      operation="setRate"
      label="Set a rate"
      size="lg"
      fields={fields}
      run={(given) => api.operator.rates.set(given as never)}
      done="The rate was set."
    >
      Sets the rate of a currency pair in one direction. The inverse is never derived. If several rates are valid, the latest one counts.
    </FormAction>
  )
}
