// What somebody may do about a request that waits for a second person: agree or refuse, or withdraw what they asked for themselves.
import { Anchor, Group, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Link } from '@tanstack/react-router'
import type { Approval, DecidedApproval } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from './action.tsx'
import { api } from './api.ts'
import { secretOf, useSecret } from './secret.tsx'
import { useSession } from './session.ts'

function tell({ state, reason }: DecidedApproval): void {
  const said = {
    APPROVED: ['teal', 'Approved and carried out.'],
    FAILED: ['red', `It could not be carried out, and nothing has changed. ${reason ?? ''}`],
    REJECTED: ['teal', 'The request was rejected.'],
    WITHDRAWN: ['teal', 'Your request was withdrawn.'],
  } as Partial<Record<Approval['state'], [string, string]>>
  const [color, message] = said[state] ?? ['gray', state]
  notifications.show({ color, message, autoClose: state === 'FAILED' ? 20_000 : 4_000 })
}

/** `isLink`: where the approval itself is not what the page shows. */
export function Approving({ approval, isLink = false }: { approval: Approval; isLink?: boolean }) {
  const { user } = useSession()
  const [show, secret] = useSecret()
  const { id, state, maker_id } = approval
  const isMine = maker_id === user.id
  const decided = (result: DecidedApproval) => {
    tell(result)
    const made = secretOf(result.result)
    if (made) show(made)
  }
  return (
    <Group gap="xs">
      {state === 'PENDING' && !isMine && (
        <Action
          operation="approveApproval"
          label="Approve"
          button={{ variant: 'filled' }}
          run={() => api.operator.approvals.approve(id)}
          done=""
          after={decided}
        >
          What was asked for is done at once, in your name and in that of whoever asked for it.
        </Action>
      )}
      {state === 'PENDING' && <Refuse id={id} isMine={isMine} after={decided} />}
      {state === 'PENDING' && isMine && (
        <Text size="sm" c="dimmed">
          You asked for this, so somebody else has to agree.
        </Text>
      )}
      {isLink && (
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/bank/approvals/${id}`} />}>
          Show the approval
        </Anchor>
      )}
      {secret}
    </Group>
  )
}

function Refuse({ id, isMine, after }: { id: string; isMine: boolean; after(result: DecidedApproval): void }) {
  const [reason, setReason] = useState('')
  return (
    <Action
      operation="rejectApproval"
      label={isMine ? 'Withdraw' : 'Reject'}
      danger
      isReady={isMine || reason.trim() !== ''}
      run={() => api.operator.approvals.reject(id, reason.trim() === '' ? {} : { reason: reason.trim() })}
      done=""
      after={after}
    >
      <Textarea
        label={isMine ? 'Why you no longer want it (if you like)' : 'Reason, for whoever asked for it'}
        required={!isMine}
        autosize
        minRows={2}
        maxLength={255}
        value={reason}
        onChange={(e) => setReason(e.currentTarget.value)}
        data-autofocus
      />
    </Action>
  )
}
