// The rails: their cut-offs and their reachable banks.
import { Group, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { linesOf } from '../../ui/lines.ts'
import { Answered, Block, Page as Frame } from '../../ui/page.tsx'
import { useMay } from '../../ui/session.ts'
import { counted } from '../../ui/words.ts'
import { instantRails, railNames, rails } from '../../values.made.ts'

type Rail = (typeof rails)[number]

const atOnce: readonly Rail[] = instantRails

export function Page() {
  return (
    <Frame title="Rails">
      {rails.map((rail) => (
        <Block key={rail} title={railNames[rail]} note={rail}>
          <Stack gap="lg">
            <Cycles rail={rail} />
            <Banks rail={rail} />
          </Stack>
        </Block>
      ))}
    </Frame>
  )
}

function Cycles({ rail }: { rail: Rail }) {
  const cycles = useQuery({ queryKey: ['bank', 'rails', rail, 'cycles'], queryFn: () => api.operator.rails.getCycles(rail) })
  const cutOffs = cycles.data?.cut_offs ?? []
  return (
    <Setting
      rail={rail}
      title="Cut-offs"
      label={`Change the cut-offs of ${rail}`}
      operation="setCycles"
      now={cutOffs}
      query={cycles}
      words="Collected payments leave at these times, in the zone of the participation, on the days on which the rail settles. Without any times, payments leave continuously. A change is in force two minutes after it is decided."
      hint="One time per line, such as 15:30."
      run={(cut_offs) => api.operator.rails.setCycles(rail, { cut_offs })}
    >
      {atOnce.includes(rail)
        ? 'Instant payments always leave at once.'
        : cutOffs.length === 0
          ? 'None. Payments leave as soon as they are collected.'
          : 'In the zone of the participation, on the days on which the rail settles.'}
    </Setting>
  )
}

function Banks({ rail }: { rail: Rail }) {
  const banks = useQuery({ queryKey: ['bank', 'rails', rail, 'banks'], queryFn: () => api.operator.rails.getReachableBanks(rail) })
  const bics = banks.data?.bics ?? []
  return (
    <Setting
      rail={rail}
      title="Reachable banks"
      label={`Change the banks of ${rail}`}
      operation="setReachableBanks"
      now={bics}
      query={banks}
      words="A payment to any other bank becomes INVALID with the code bank_unreachable. If the list is empty, all banks are reachable."
      hint="One BIC per line. Branch codes are ignored."
      run={(wanted) => api.operator.rails.setReachableBanks(rail, { bics: wanted })}
    >
      {bics.length === 0 ? 'All banks are reachable.' : counted(bics.length, 'bank')}
    </Setting>
  )
}

type SettingOptions = {
  rail: Rail
  title: string
  label: string
  operation: 'setCycles' | 'setReachableBanks'
  now: readonly string[]
  query: { isPending: boolean; error: unknown }
  words: string
  hint: string
  run(lines: string[]): Promise<unknown>
  children: string
}

const shownAtMost = 24

function Setting({ rail, title, label, operation, now, query, words, hint, run, children }: SettingOptions) {
  const may = useMay()
  return (
    <section aria-label={`${title} of ${rail}`}>
      <Group justify="space-between" mb={4}>
        <Text fw={600} size="sm">
          {title}
        </Text>
        {may(operation) && !query.isPending && !query.error && (
          // The dialog starts with the current values.
          <Change key={now.join()} label={label} operation={operation} now={now} words={words} hint={hint} run={run} />
        )}
      </Group>
      <Answered query={query}>
        <Group gap={6} mb={now.length > 0 ? 4 : 0}>
          {now.slice(0, shownAtMost).map((text) => (
            <span key={text} className="status quiet mono">
              {text}
            </span>
          ))}
          {now.length > shownAtMost && <Text size="sm">and {now.length - shownAtMost} more</Text>}
        </Group>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </Answered>
    </section>
  )
}

function Change({ label, operation, now, words, hint, run }: Omit<SettingOptions, 'rail' | 'title' | 'query' | 'children'>) {
  const [text, setText] = useState(now.join('\n'))
  return (
    <Action operation={operation} label="Change" title={label} button={{ size: 'compact-sm' }} run={() => run(linesOf(text))} done="Saved.">
      <Stack gap="xs">
        <span>{words}</span>
        <Textarea label="New list" description={hint} rows={6} value={text} onChange={(e) => setText(e.currentTarget.value)} />
      </Stack>
    </Action>
  )
}
