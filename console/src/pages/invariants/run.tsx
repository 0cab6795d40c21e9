// A verification run: its progress and its findings.
import { Code, Progress, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { VerificationReport } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { counted, secondOf } from '../../ui/words.ts'
import { Outcome, tookOf } from './outcome.tsx'

const back = { to: '/bank/invariants', label: 'Invariants' }

export function Page() {
  const { run: id = '' } = useParams({ strict: false }) as { run?: string }
  const run = useQuery({
    queryKey: ['bank', 'verifications', id],
    queryFn: () => api.operator.verifications.get(id),
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? 1_000 : false),
  })
  if (run.data === undefined)
    return (
      <Frame title="Verification" back={back}>
        <Answered query={run}>{null}</Answered>
      </Frame>
    )
  return <Shown run={run.data} />
}

function Shown({ run }: { run: VerificationReport }) {
  const { status, started_at, ended_at, invariants, done, step, detail, broken, findings } = run
  return (
    <Frame title="Verification" aside={<Outcome run={run} />} back={back}>
      {status === 'RUNNING' && (
        <Block title="Progress" note={`${done} of ${invariants}`}>
          <Stack gap="xs">
            <Progress value={invariants === 0 ? 0 : (100 * done) / invariants} aria-label="Invariants that were checked" />
            <Text size="sm" role="status">
              {step === null ? 'Starting.' : `Checking: ${step}`}
            </Text>
          </Stack>
        </Block>
      )}
      <Block>
        <Facts
          facts={[
            ['Started', secondOf(started_at)],
            ['Ended', ended_at === null ? null : secondOf(ended_at)],
            ['Duration', tookOf(run)],
            ['Checked', `${done} of ${counted(invariants, 'invariant')}`],
            ['Why it failed', detail],
          ]}
        />
      </Block>
      {status === 'DONE' && broken.length === 0 && (
        <Block title="Findings">
          <Text size="sm">All invariants hold. Every amount is where the books say it is.</Text>
        </Block>
      )}
      {findings.map((finding) => (
        <Block
          key={finding.name}
          title={finding.name}
          actions={<Status value={`${counted(finding.violations, 'violating row')}`} tone="bad" />}
        >
          <Stack gap="sm">
            <Text size="sm">{finding.meaning}</Text>
            {finding.examples.map((example) => (
              <Code key={example} block tabIndex={0}>
                {example}
              </Code>
            ))}
          </Stack>
        </Block>
      ))}
    </Frame>
  )
}
