// A QR code that prefills a payment to the account.
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Account } from '@vostro/sdk'
import { isRead } from '../../ui/amount.reading.ts'
import { AmountInput } from '../../ui/amount-input.tsx'
import { filledIn, useFields } from '../../ui/fields.ts'
import { Answered, Block } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'

export function Receive({ account }: { account: Account }) {
  const isPossible = account.status === 'ACTIVE' && account.currency === 'EUR'
  return (
    <Block title="Receive money">
      {isPossible ? (
        <Code account={account} />
      ) : (
        <Text size="sm">QR codes for banking apps (EPC) are available only for active accounts in euros.</Text>
      )}
    </Block>
  )
}

function Code({ account: { id, account_name } }: { account: Account }) {
  const api = useVentureApi()
  const { values, text, amount } = useFields({ amount: '', purpose: '' })
  const [wanted] = useDebouncedValue(filledIn(values), 400)
  const query = useQuery({
    queryKey: [useVenture(), 'epc-qr', id, wanted],
    enabled: isRead(wanted.amount ?? ''),
    queryFn: async () => (await api.accounts.getEpcQr(id, wanted)).text(),
    placeholderData: keepPreviousData,
  })
  return (
    <Stack gap="sm">
      <Text size="sm">Payers scan it with a banking app, which prefills a SEPA transfer.</Text>
      <Group align="start" gap="md">
        {isRead(values.amount) && isRead(wanted.amount ?? '') ? (
          <Answered query={query}>
            <img
              className="qr"
              width={168}
              height={168}
              alt={`QR code for a payment to ${account_name}`}
              src={`data:image/svg+xml,${encodeURIComponent(query.data ?? '')}`}
            />
          </Answered>
        ) : (
          // Otherwise the payer would pay another amount.
          <Text size="sm" w={168} h={168}>
            The code appears when the amount is complete.
          </Text>
        )}
        <Stack gap="xs" flex="1 1 180px">
          <AmountInput label="Amount in EUR" currency="EUR" placeholder="The payer enters it" {...amount('amount')} />
          <TextInput label="Purpose" maxLength={140} {...text('purpose')} />
        </Stack>
      </Group>
    </Stack>
  )
}
