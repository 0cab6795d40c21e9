// The next moves of a transfer, what blocks them, and the button for each.
import { Code, Stack, Table, Text, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Transfer, TransferTransition, TransferUpdate } from '@vostro/sdk'
import { useState } from 'react'
import { Action, isApproval } from '../../ui/action.tsx'
import { Empty } from '../../ui/page.tsx'
import { useMay, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { signedAmount } from '../../ui/transfers.ts'
import { dayOf, words } from '../../ui/words.ts'
import { failedStatuses } from '../../values.made.ts'
import { blockSentence } from './blocks.ts'
import { kindOf } from './machine.ts'
import { signedHashOf } from './signing.ts'

type Options = { transfer: Transfer; transitions: readonly TransferTransition[] }

export function NextMoves({ transfer, transitions }: Options) {
  if (transitions.length === 0) return <Empty title="This status is final.">There are no moves from {words(transfer.status)}.</Empty>
  return (
    <div className="table-frame">
      {transitions.some(({ blocked_by }) => blocked_by === 'decided_by_case') && <Case id={transfer.id} />}
      <Table aria-label="Next moves" className="moves" verticalSpacing={7}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>To</Table.Th>
            <Table.Th className="wide">Blocked by</Table.Th>
            <Table.Th>
              <span className="visually-hidden">Move</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {transitions.map((move) => (
            <Table.Tr key={move.status}>
              <Table.Td>
                <Status value={move.status} />
                <Text size="xs" hiddenFrom="sm" component="div" mt={2}>
                  <InTheWay move={move} />
                </Text>
              </Table.Td>
              <Table.Td className="wide">
                <Text size="sm" component="div">
                  <InTheWay move={move} />
                </Text>
              </Table.Td>
              <Table.Td className="right">{kindOf(move) === 'may' && <Move transfer={transfer} move={move} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Case({ id }: { id: string }) {
  const may = useMay()
  if (!may('listCases')) return null
  return (
    <Text size="sm" mb="xs">
      <Link to="/bank/cases" search={{ resource_id: id } as never}>
        Show the case
      </Link>
    </Text>
  )
}

function InTheWay({ move }: { move: TransferTransition }) {
  const { blocked_by, needs_third_party_status } = move
  if (needs_third_party_status) return 'Needs the scheme’s answer.'
  if (blocked_by === 'approval_required') return 'A second person must approve.'
  if (blocked_by === null)
    return (
      <Text inherit span c="dimmed">
        Nothing
      </Text>
    )
  return (
    <>
      {blockSentence(blocked_by)} <Code>{blocked_by}</Code>
    </>
  )
}

/** Final statuses in which the money does not arrive. */
const sadEnds: readonly string[] = failedStatuses

const nothing = {
  status_reason: '',
  status_reason_code: '',
  third_party_status: '',
  third_party_status_code: '',
  third_party_status_reason: '',
}

type Fields = typeof nothing

function Move({ transfer, move }: { transfer: Transfer; move: TransferTransition }) {
  const { status, needs_third_party_status } = move
  const api = useVentureApi()
  const [fields, setFields] = useState(nothing)
  const field = (name: keyof Fields) => ({
    value: fields[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => setFields({ ...fields, [name]: currentTarget.value }),
  })
  const run = async () => {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== '')) as Partial<TransferUpdate>
    const signed = status === 'SIGNED' ? { signed_hash: await signedHashOf(transfer) } : {}
    return api.transfers.update(transfer.id, { status, ...given, ...signed })
  }
  return (
    <Action
      operation="updateTransfer"
      label={status === 'SIGNED' ? 'Sign' : 'Move'}
      title={status === 'SIGNED' ? 'Sign the transfer' : `Move to ${words(status)}`}
      button={{ size: 'compact-sm' }}
      danger={sadEnds.includes(status)}
      isReady={!needs_third_party_status || fields.third_party_status.trim() !== ''}
      run={run}
      done={(result) => (isApproval(result) ? 'Waiting for a second person’s approval.' : `The transfer is now ${words(status)}.`)}
      after={() => setFields(nothing)}
    >
      <Stack gap="sm">
        <Sentence transfer={transfer} status={status} />
        {needs_third_party_status && (
          <>
            <TextInput label="Scheme answer" description="Such as ACSC or RJCT." required {...field('third_party_status')} />
            <TextInput label="Scheme reason code" description="Such as AC04." {...field('third_party_status_code')} />
            <TextInput label="Scheme reason" {...field('third_party_status_reason')} />
          </>
        )}
        {status !== 'SIGNED' && (
          <>
            <TextInput label="Reason" description="Shown in the history." {...field('status_reason')} />
            <TextInput label="Reason code" {...field('status_reason_code')} />
          </>
        )}
      </Stack>
    </Action>
  )
}

function Sentence({ transfer, status }: { transfer: Transfer; status: Transfer['status'] }) {
  if (status === 'SIGNED')
    return (
      <span>
        You sign <b className="amount">{signedAmount(transfer)}</b> to <b>{transfer.cr_name}</b>
        {transfer.cr_iban && `, ${transfer.cr_iban}`}, settled on {dayOf(transfer.settlement_date)}. The signature covers exactly these
        details.
      </span>
    )
  return (
    <span>
      The transfer of <b className="amount">{signedAmount(transfer)}</b> goes from {words(transfer.status)} to {words(status)}.
      {sadEnds.includes(status) && ' This status is final and cannot be undone.'}
      {status === 'COMPLETED' && ' The money is booked. This cannot be undone.'}
      {status === 'RESERVED' && ' The money is held on the account.'}
    </span>
  )
}
