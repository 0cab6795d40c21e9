// The sandbox: its clock, and the simulated bank behind the rails.
import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { useMay } from '../../ui/session.ts'
import { secondOf } from '../../ui/words.ts'
import { aheadOf } from './ahead.ts'
import { SimulatedBank } from './simulated-bank.tsx'

export function Page() {
  return (
    <Frame title="Sandbox">
      <Clock />
      <SimulatedBank />
    </Frame>
  )
}

const steps = [
  ['PT1H', 'An hour'],
  ['P1D', 'A day'],
  ['P7D', 'A week'],
] as const

function Clock() {
  const may = useMay()
  const clock = useQuery({ queryKey: ['bank', 'sandbox', 'clock'], queryFn: () => api.sandbox.clock.get(), refetchInterval: 5_000 })
  return (
    <Block title="Clock" note="Due dates, expiries, cycles and retries follow it.">
      <Answered query={clock}>
        <Stack gap="md">
          <Facts
            facts={[
              ['Service time', clock.data && secondOf(clock.data.now)],
              ['Ahead of real time', clock.data && aheadOf(clock.data.ahead_s)],
            ]}
          />
          {may('advanceTestClock') && <Advance />}
        </Stack>
      </Answered>
    </Block>
  )
}

function Advance() {
  const [chosen, setChosen] = useState('P1D')
  const [own, setOwn] = useState('')
  const by = chosen === 'other' ? own.trim() : chosen
  return (
    <Group gap="sm" align="end">
      <div>
        <Text size="sm" fw={500} id="advance-label">
          Move forward by
        </Text>
        <SegmentedControl
          aria-labelledby="advance-label"
          value={chosen}
          onChange={setChosen}
          data={[...steps.map(([value, label]) => ({ value, label })), { value: 'other', label: 'Other' }]}
        />
      </div>
      {chosen === 'other' && (
        <TextInput
          label="Duration"
          placeholder="P1DT12H"
          aria-description="In ISO 8601, or a number of seconds"
          value={own}
          onChange={(e) => setOwn(e.currentTarget.value)}
        />
      )}
      <Action
        operation="advanceTestClock"
        label="Move the clock"
        isReady={by !== ''}
        run={() => api.sandbox.clock.advance({ advance: /^\d+$/.test(by) ? Number(by) : by })}
        done={({ now }) => `It is ${secondOf(now)} now.`}
      >
        The clock cannot be moved back. Everything due by then happens: keys, links and approvals expire. Sessions follow real time, so you
        stay signed in.
      </Action>
    </Group>
  )
}
