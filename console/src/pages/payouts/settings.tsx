// The account that receives payouts of card money.
import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { Block } from '../../ui/page.tsx'
import { AccountPicker } from '../../ui/picker.tsx'
import { useVentureApi } from '../../ui/session.ts'
import { AccountTie } from '../../ui/tied.tsx'

export function Settings({ account }: { account: string | null }) {
  return (
    <Block
      title="Payout account"
      actions={
        <Group gap="xs">
          <Choose />
          {account !== null && <Stop />}
        </Group>
      }
    >
      {account === null ? (
        <Text size="sm">No payout account is set, so nothing is paid out.</Text>
      ) : (
        <Text size="sm">
          Card money is paid out once a day to <AccountTie id={account} />. Money in other currencies than that of the account stays
          payable.
        </Text>
      )}
    </Block>
  )
}

function Choose() {
  const api = useVentureApi()
  const [chosen, setChosen] = useState('')
  return (
    <Action
      operation="updatePayoutSettings"
      label="Choose an account"
      isReady={chosen !== ''}
      onOpen={() => setChosen('')}
      run={() => api.payoutSettings.update({ payout_account_id: chosen })}
      done="Card money is now paid out to this account."
    >
      <Stack gap="sm">
        Card money in the currency of the account is paid out to it once a day.
        <AccountPicker value={chosen} onChange={setChosen} />
      </Stack>
    </Action>
  )
}

function Stop() {
  const api = useVentureApi()
  return (
    <Action
      operation="updatePayoutSettings"
      label="Stop payouts"
      danger
      run={() => api.payoutSettings.update({ payout_account_id: null })}
      done="Payouts are stopped."
    >
      Card money stays payable until you choose an account again.
    </Action>
  )
}
