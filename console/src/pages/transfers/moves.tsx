// What may follow, what stands in the way, and the button that does it.
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
  if (transitions.length === 0) return <Empty title="This is its end.">No move follows {words(transfer.status)}.</Empty>
  return (
    <div className="table-frame">
      {transitions.some(({ blocked_by }) => blocked_by === 'decided_by_case') && <Case id={transfer.id} />}
      <Table aria-label="Next moves" className="moves" verticalSpacing={7}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>To</Table.Th>
            <Table.Th className="wide">What stands in the way</Table.Th>
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

/** The bank's people decide the case instead. */
function Case({ id }: { id: string }) {
  const may = useMay()
  if (!may('listCases')) return null
  return (
    <Text size="sm" mb="xs">
      <Link to="/bank/cases" search={{ resource_id: id } as never}>
        Show the case that decides it
      </Link>
    </Text>
  )
}

function InTheWay({ move }: { move: TransferTransition }) {
  const { blocked_by, needs_third_party_status } = move
  if (needs_third_party_status) return 'Needs the answer of the scheme.'
  if (blocked_by === 'approval_required') return 'A second person has to agree.'
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

/** Ends that the money does not reach. */
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
      done={(result) => (isApproval(result) ? 'It waits for a second person.' : `The transfer is ${words(status)} now.`)}
      after={() => setFields(nothing)}
    >
      <Stack gap="sm">
        <Sentence transfer={transfer} status={status} />
        {needs_third_party_status && (
          <>
            <TextInput label="Answer of the scheme" description="Such as ACSC or RJCT." required {...field('third_party_status')} />
            <TextInput label="Reason code of the scheme" description="Such as AC04." {...field('third_party_status_code')} />
            <TextInput label="Reason of the scheme in words" {...field('third_party_status_reason')} />
          </>
        )}
        {status !== 'SIGNED' && (
          <>
            <TextInput label="Reason" description="In words, for whoever reads the history." {...field('status_reason')} />
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
        {transfer.cr_iban && `, ${transfer.cr_iban}`}, settled on {dayOf(transfer.settlement_date)}. The signature binds exactly this.
      </span>
    )
  return (
    <span>
      The transfer of <b className="amount">{signedAmount(transfer)}</b> goes from {words(transfer.status)} to {words(status)}.
      {sadEnds.includes(status) && ' That is an end: it cannot be undone.'}
      {status === 'COMPLETED' && ' Its money is booked, and it cannot be undone.'}
      {status === 'RESERVED' && ' Its money is held on the account.'}
    </span>
  )
}
