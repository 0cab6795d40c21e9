// The actions on a pending approval: approve or reject it, or withdraw one's own request.
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
    FAILED: ['red', `The request could not be carried out. Nothing has changed. ${reason ?? ''}`],
    REJECTED: ['teal', 'The request was rejected.'],
    WITHDRAWN: ['teal', 'Your request was withdrawn.'],
  } as Partial<Record<Approval['state'], [string, string]>>
  const [color, message] = said[state] ?? ['gray', state]
  notifications.show({ color, message, autoClose: state === 'FAILED' ? 20_000 : 4_000 })
}

/** `isLink`: links to the approval where it is not the subject of the page. */
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
          The request is carried out at once, in your name and the requester’s.
        </Action>
      )}
      {state === 'PENDING' && <Refuse id={id} isMine={isMine} after={decided} />}
      {state === 'PENDING' && isMine && (
        <Text size="sm" c="dimmed">
          This is your own request, so another person must approve it.
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
        label={isMine ? 'Reason (optional)' : 'Reason, shown to the requester'}
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
