// The verification of a client: its steps, the declarations, and in the sandbox the verdict.
import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Client, SandboxDecision } from '@vostro/sdk'
import { useDoing } from '../../ui/action.tsx'
import { Steps } from '../../ui/history.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { Answered, Block, Facts } from '../../ui/page.tsx'
import { codeOf, ProblemNote } from '../../ui/problem.tsx'
import { useSandbox } from '../../ui/sandbox.ts'
import { useMay, useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { minuteOf, words } from '../../ui/words.ts'
import { volumes } from './declared.ts'
import { Submit } from './submit.tsx'

export function Verification({ client }: { client: Client }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      <Block title="KYC timeline">
        <Timeline id={client.id} />
      </Block>
      <Onboarding client={client} />
    </SimpleGrid>
  )
}

function Timeline({ id }: { id: string }) {
  const api = useVentureApi()
  const query = useQuery({ queryKey: [useVenture(), 'kyc-history', id], queryFn: () => api.clients.listKycHistory(id) })
  const moves = query.data?.toReversed() ?? []
  return (
    <Answered query={query}>
      <Steps
        steps={moves.map(({ id: key, from_status, to_status, reason, at, actor, actor_id }) => ({
          key,
          at,
          actor,
          actor_id,
          note: reason,
          by: actor === 'connector' ? 'the verifier' : undefined,
          title: (
            <>
              {from_status === null ? 'Registered ' : `${words(from_status)} → `}
              <Status value={to_status} />
            </>
          ),
        }))}
      />
    </Answered>
  )
}

function Onboarding({ client }: { client: Client }) {
  const api = useVentureApi()
  const query = useQuery({
    queryKey: [useVenture(), 'onboarding', client.id],
    queryFn: () => api.clients.getOnboardingDetails(client.id).catch(noneYet),
  })
  const details = query.data
  return (
    <Block title="Onboarding details" {...(details && { note: `Submitted ${minuteOf(details.created_at)}` })}>
      <Answered query={query}>
        {details ? (
          <Stack gap="md">
            <Facts
              facts={[
                ['Purpose of the accounts', details.account_purposes.map(words).join(', ')],
                ['Expected to receive per month', volumes[details.expected_monthly_incoming_volume]],
                ['Expected to pay per month', volumes[details.expected_monthly_outgoing_volume]],
                ['Occupation', details.other_occupation ?? words(details.occupation)],
                ['Sector', words(details.occupation_sector)],
                ['Source of funds', details.other_source_of_funds ?? words(details.source_of_funds)],
                ['US person', details.is_us_person ? 'Yes' : 'No'],
                ['Tax number', details.tax_identification_number],
                ['At the verifier', details.kyc_link && <VerifierLink to={details.kyc_link} />],
              ]}
            />
            <Verdicts client={client} />
          </Stack>
        ) : (
          <Stack gap="sm" align="start">
            <Text size="sm">No details submitted yet. Submitting them starts the verification.</Text>
            <Submit client={client} />
          </Stack>
        )}
      </Answered>
    </Block>
  )
}

function noneYet(error: unknown): null {
  if (codeOf(error) === 'onboarding_not_found') return null
  throw error
}

function VerifierLink({ to }: { to: string }) {
  return <OutsideLink to={to}>Page for the client ↗</OutsideLink>
}

const verdicts: readonly { outcome: SandboxDecision['outcome']; label: string }[] = [
  { outcome: 'APPROVED', label: 'Approve' },
  { outcome: 'REVIEW', label: 'Send to review' },
  { outcome: 'DECLINED', label: 'Decline' },
  { outcome: 'ABORTED', label: 'Abort' },
]

/** In the sandbox, the user chooses the verifier's decision. */
function Verdicts({ client }: { client: Client }) {
  const isSandbox = useSandbox()
  const may = useMay()
  if (!isSandbox || !may('decideSandboxVerification')) return null
  return (
    <div>
      <Text size="sm" fw={600} mb={6}>
        Sandbox: decide as the verifier
      </Text>
      <Group gap="xs" align="start">
        {verdicts.map((verdict) => (
          <Verdict key={verdict.outcome} client={client} {...verdict} />
        ))}
      </Group>
    </div>
  )
}

function Verdict({ client, outcome, label }: { client: Client; outcome: SandboxDecision['outcome']; label: string }) {
  const api = useVentureApi()
  const { mutate, isPending, error } = useDoing({
    run: () => api.sandbox.clients.decideVerification(client.id, { outcome }),
    done: 'The verifier has decided. Its event is on its way.',
  })
  return (
    <>
      <Button variant="default" size="compact-sm" loading={isPending} onClick={() => mutate()}>
        {label}
      </Button>
      <ProblemNote error={error} />
    </>
  )
}
