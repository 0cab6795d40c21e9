// The first steps of a new venture: a checklist that ticks itself, with commands to run and links to the same actions in the console.
import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Api } from '../../ui/api.ts'
import { CreateKey } from '../../ui/key-actions.tsx'
import { Block } from '../../ui/page.tsx'
import { codeOf } from '../../ui/problem.tsx'
import { useSandbox } from '../../ui/sandbox.ts'
import { useMay, useSession, useVenture, useVentureApi } from '../../ui/session.ts'
import { type Shown, ShownOnce } from '../../ui/shown-once.tsx'
import { Snippet } from '../../ui/snippet.tsx'
import { isDone, type Step, stepsOf, type There } from './first-steps.words.ts'

/** The scopes that the steps need. */
const scopes = ['read', 'clients', 'accounts', 'transfers'] as const

async function findOut(api: Api, mayListKeys: boolean): Promise<Omit<There, 'origin' | 'isSandbox' | 'hasVerifier'>> {
  const [venture, keys, clients] = await Promise.all([
    api.venture.get(),
    mayListKeys ? api.venture.listKeys({ limit: 100 }).toArray() : [],
    api.clients.list({ limit: 1 }).page(),
  ])
  const isKeyUsed = keys.some(({ last_used_at, revoked_at }) => last_used_at !== null && revoked_at === null)
  const [client] = clients.items
  if (client === undefined) return { venture, isKeyUsed }
  const of = { client_id: client.id, limit: 1 }
  const [details, accounts, beneficiaries] = await Promise.all([
    api.clients.getOnboardingDetails(client.id).catch(noneYet),
    api.accounts.list(of).page(),
    api.beneficiaries.list(of).page(),
  ])
  const [account] = accounts.items
  const paid = account && (await api.transfers.list({ account_id: account.id, direction: 'OUTBOUND', limit: 1 }).page())
  return { venture, isKeyUsed, client, details, account, beneficiary: beneficiaries.items[0], transfer: paid?.items[0] }
}

function noneYet(error: unknown): undefined {
  if (codeOf(error) === 'onboarding_not_found') return undefined
  throw error
}

/** Shown to new ventures, and kept until the page is left, so that the last tick is seen. */
export function FirstSteps() {
  const api = useVentureApi()
  const venture = useVenture()
  const may = useMay()
  const isSandbox = useSandbox()
  const { bank_role, has_verifier: hasVerifier } = useSession()
  const isOfBank = bank_role !== null
  const [shown, show] = useState<Shown>()
  const [isSeen, setSeen] = useState(false)
  const { data } = useQuery({
    queryKey: [venture, 'first steps'],
    queryFn: () => findOut(api, may('listKeys')),
    refetchInterval: ({ state }) => (state.data?.transfer === undefined ? 2_000 : false),
  })
  if (data === undefined) return null
  const steps = stepsOf({ ...data, origin: location.origin, isSandbox, hasVerifier })
  if (isDone(steps) && !isSeen) return null
  if (!isSeen) setSeen(true)
  const done = steps.filter((step) => step.isDone).length
  return (
    <Block title="First steps" note={`${done} of ${steps.length} done`}>
      <ShownOnce shown={shown} onClose={() => show(undefined)} />
      <ol className="steps">
        {steps.map((step) => (
          <li key={step.name} className={step.isDone ? 'done' : ''} data-step={step.name}>
            <Group gap="xs" justify="space-between">
              <Text fw={600}>
                {step.title}
                {step.isDone && <span className="visually-hidden"> (done)</span>}
                {step.isDone && step.outcome !== undefined && (
                  <Text span fw={400} c="dimmed" ml={8}>
                    {step.outcome}
                  </Text>
                )}
              </Text>
              {step.name === 'key' && !step.isDone && <CreateKey onSecret={show} preset={{ name: 'First steps', scopes }} />}
              {step.at && <Place step={step} />}
            </Group>
            {!step.isDone && (
              <Text size="sm" c="dimmed">
                {step.text}
                {step.name === 'key' &&
                  isOfBank &&
                  ' A key created by the bank cannot pay outside of the sandbox. An admin of the venture can create one that does.'}
              </Text>
            )}
            {step.commands.map((command) => (
              <Snippet key={command} text={command} />
            ))}
          </li>
        ))}
      </ol>
    </Block>
  )
}

function Place({ step: { at } }: { step: Step }) {
  const venture = useVenture()
  if (at === undefined) return null
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/v/${venture}/${at.to}`} />}>
      {at.label}
    </Anchor>
  )
}
