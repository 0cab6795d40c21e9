// In the sandbox, ends a transfer with a chosen result.
import { SegmentedControl, Stack } from '@mantine/core'
import type { SandboxSettlement, Transfer } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { useSandbox } from '../../ui/sandbox.ts'
import { useVentureApi } from '../../ui/session.ts'
import { ends } from './hold.ts'

const outcomes: readonly { value: SandboxSettlement['outcome']; label: string }[] = [
  { value: 'COMPLETED', label: 'Completed' },
  { value: 'REJECTED', label: 'Rejected' },
  { value: 'RETURNED', label: 'Returned' },
]

export function Settle({ transfer: { id, status } }: { transfer: Transfer }) {
  const api = useVentureApi()
  const isSandbox = useSandbox()
  const [outcome, setOutcome] = useState<SandboxSettlement['outcome']>('COMPLETED')
  if (!isSandbox || ends.includes(status)) return null
  return (
    <Action
      operation="settleInSandbox"
      label="Settle"
      title="Settle in the sandbox"
      run={() => api.sandbox.transfers.settle(id, { outcome })}
      done="The transfer is settled."
    >
      <Stack gap="sm">
        <span>The sandbox makes all remaining moves of the transfer, as the rails and other banks would.</span>
        <SegmentedControl
          aria-label="Result"
          value={outcome}
          data={[...outcomes]}
          onChange={(value) => setOutcome(outcomes.find((each) => each.value === value)?.value ?? 'COMPLETED')}
        />
      </Stack>
    </Action>
  )
}
