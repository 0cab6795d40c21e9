// Activates, freezes and closes an account, makes sandbox deposits, and shows why an action is not possible now.
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Account } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { AmountInput } from '../../ui/amount-input.tsx'
import { isAmount } from '../../ui/amounts.ts'
import { useSandbox } from '../../ui/sandbox.ts'
import { useMay, useVenture, useVentureApi } from '../../ui/session.ts'
import { type Move, whyNot } from './moves.ts'

/** For each action, the reason against it or undefined. */
function useReasons(account: Account): (move: Move) => string | undefined {
  const api = useVentureApi()
  const { client_id } = account
  const { data } = useQuery({ queryKey: [useVenture(), 'client', client_id], queryFn: () => api.clients.get(client_id) })
  return (move) => whyNot(move, account, data)
}

export function Moves({ account }: { account: Account }) {
  const api = useVentureApi()
  const reason = useReasons(account)
  const { id, account_name } = account
  return (
    <>
      <Deposit account={account} />
      {reason('activate') === undefined && (
        <Action operation="activateAccount" label="Activate" run={() => api.accounts.activate(id)} done="The account is active.">
          “{account_name}” can then send and receive money.
        </Action>
      )}
      {reason('freeze') === undefined && (
        <Action operation="freezeAccount" label="Freeze" danger run={() => api.accounts.freeze(id)} done="The account is frozen.">
          No new transfers can be ordered from “{account_name}” until it is activated again. Transfers already sent still settle.
        </Action>
      )}
      {reason('close') === undefined && (
        <Action operation="closeAccount" label="Close" danger run={() => api.accounts.close(id)} done="The account is closed.">
          “{account_name}” is closed permanently and cannot be reopened.
        </Action>
      )}
    </>
  )
}

const verbs = { activate: 'be activated', freeze: 'be frozen', close: 'be closed' } as const
const operations = { activate: 'activateAccount', freeze: 'freezeAccount', close: 'closeAccount' } as const

/** Actions that are blocked, with the reason. Actions that make no sense, such as activating an active account, are not listed. */
export function Obstacles({ account }: { account: Account }) {
  const may = useMay()
  const reason = useReasons(account)
  const { status } = account
  const wanted: readonly Move[] = status === 'PENDING' ? ['activate'] : status === 'CLOSED' ? [] : ['activate', 'close']
  const reasons = wanted
    .filter((move) => may(operations[move]) && !(move === 'activate' && status === 'ACTIVE'))
    .map((move) => [move, reason(move)] as const)
    .filter(([, why]) => why !== undefined)
  return reasons.map(([move, why]) => (
    <Text key={move} size="sm" mt="sm">
      The account cannot {verbs[move]} now. {why}
    </Text>
  ))
}

function Deposit({ account: { id, status, currency } }: { account: Account }) {
  const api = useVentureApi()
  const isSandbox = useSandbox()
  const [amount, setAmount] = useState('100')
  if (!isSandbox || status !== 'ACTIVE') return null
  return (
    <Action
      operation="depositInSandbox"
      label="Deposit"
      isReady={isAmount(amount)}
      run={() => api.sandbox.accounts.deposit(id, { amount })}
      done={({ status: reached }) => (reached === 'COMPLETED' ? 'The money is on the account.' : 'The money is on its way.')}
    >
      <Stack gap="sm">
        Simulates an incoming payment. Only in the sandbox.
        <AmountInput label={`Amount in ${currency}`} currency={currency} required value={amount} onChange={setAmount} />
      </Stack>
    </Action>
  )
}
