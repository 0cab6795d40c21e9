// Activating, freezing and closing an account, paying money in in the sandbox, and why something is not possible now.
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

/** The reason against each move, or undefined. */
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
          Money can then be sent from “{account_name}” and received on it.
        </Action>
      )}
      {reason('freeze') === undefined && (
        <Action operation="freezeAccount" label="Freeze" danger run={() => api.accounts.freeze(id)} done="The account is frozen.">
          Nothing new can be ordered from “{account_name}” until it is activated again. What has been sent settles.
        </Action>
      )}
      {reason('close') === undefined && (
        <Action operation="closeAccount" label="Close" danger run={() => api.accounts.close(id)} done="The account is closed.">
          “{account_name}” is closed for ever: it cannot be opened again.
        </Action>
      )}
    </>
  )
}

const verbs = { activate: 'be activated', freeze: 'be frozen', close: 'be closed' } as const
const operations = { activate: 'activateAccount', freeze: 'freezeAccount', close: 'closeAccount' } as const

/** What cannot be done now, with the reason. That a move makes no sense, such as activating what is active, needs no words. */
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
      It cannot {verbs[move]} now. {why}
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
        In the sandbox, as if somebody had paid into the account.
        <AmountInput label={`Amount in ${currency}`} currency={currency} required value={amount} onChange={setAmount} />
      </Stack>
    </Action>
  )
}
