// A case, with everything needed to decide it.
import { Alert, Button, Kbd, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Approval, CaseWithSubject } from '@vostro/sdk'
import { useDoing } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { Approving } from '../../ui/approving.tsx'
import { kindWords } from '../../ui/cases.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { PersonName, usePersonName, VentureName } from '../../ui/names.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { useMay, useSession } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { minuteOf } from '../../ui/words.ts'
import { decisionWords, nextOf } from './cases.words.ts'
import { Decide } from './decide.tsx'
import { Due } from './due.tsx'
import { Files } from './files.tsx'
import { CaseHistory } from './history.tsx'
import { Links } from './links.tsx'
import { Notes } from './notes.tsx'
import { Questions } from './questions.tsx'
import { Findings } from './subject.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useQuery({ queryKey: ['bank', 'case', id], queryFn: () => api.operator.cases.get(id) })
  if (query.data) return <CasePage key={id} of={query.data} />
  return (
    <Frame title="Case" back={{ to: '/bank/cases', label: 'Cases' }}>
      <Answered query={query}>{null}</Answered>
    </Frame>
  )
}

function CasePage({ of }: { of: CaseWithSubject }) {
  const { id, venture_id, kind, state, severity, resource_id, created_at, assignee_id } = of
  const pending = useQuery({
    queryKey: ['bank', 'approvals', resource_id, 'pending'],
    queryFn: async () => (await api.operator.approvals.list({ resource_id, state: 'PENDING', limit: 1 }).page()).items[0] ?? null,
  })
  const isOpen = state === 'OPEN'
  return (
    <Frame
      title={kindWords(kind)}
      back={{ to: '/bank/cases', label: 'Cases' }}
      aside={<Status value={isOpen ? (severity === 'URGENT' ? 'URGENT' : 'OPEN') : 'DECIDED'} />}
      actions={
        <>
          {isOpen && <Assign of={of} />}
          <Next current={id} />
        </>
      }
    >
      <Block title="Case">
        <Facts
          facts={[
            ['Venture', <VentureName key="venture" id={venture_id} isLink />],
            ['Due', <Due key="due" of={of} />],
            ['Opened', minuteOf(created_at)],
            ['Assignee', <PersonName key="person" id={assignee_id} nobody="Unassigned" />],
            ['Id', <Copyable key="id" text={id} />],
          ]}
        />
      </Block>
      {pending.data && <SecondPerson approval={pending.data} of={of} />}
      {!isOpen && <Decided of={of} />}
      <Findings of={of} />
      {isOpen && !pending.data && <Decide of={of} />}
      <Notes of={of} />
      <Files of={of} />
      <Questions of={of} />
      <Links of={of} />
      <CaseHistory of={of} />
    </Frame>
  )
}

/** Assigns the case to the person, or releases it. */
function Assign({ of: { id, assignee_id } }: { of: CaseWithSubject }) {
  const { user } = useSession()
  const may = useMay()
  const isMine = assignee_id === user.id
  const other = usePersonName(isMine ? null : assignee_id)
  const { mutate, isPending, error } = useDoing({
    run: () => api.operator.cases.assign(id, { assignee_id: isMine ? null : user.id }),
    done: isMine ? 'The case is unassigned.' : 'The case is assigned to you.',
  })
  useHotkeys([['alt + C', () => may('assignCase') && !isPending && mutate(), { usePhysicalKeys: true }]], [])
  if (!may('assignCase')) return null
  const label = isMine ? 'Unassign' : assignee_id === null ? 'Assign to me' : `Reassign from ${other} to me`
  return (
    <>
      <ProblemNote error={error} />
      <Button size="sm" variant="default" loading={isPending} onClick={() => mutate()} aria-keyshortcuts="Alt+C">
        {label}
        <Kbd size="xs" ml={8} visibleFrom="sm" aria-hidden="true">
          Alt C
        </Kbd>
      </Button>
    </>
  )
}

function Next({ current }: { current: string }) {
  const { user } = useSession()
  const navigate = useNavigate()
  const { data = [] } = useQuery({
    queryKey: ['bank', 'cases', 'next'],
    queryFn: async () => (await api.operator.cases.list({ state: 'OPEN', limit: 100 }).page()).items,
  })
  const next = nextOf(data, current, user.id)
  const go = () => {
    if (next !== undefined) void navigate({ to: `/bank/cases/${next.id}` })
  }
  useHotkeys([['alt + N', go, { usePhysicalKeys: true }]], [])
  if (next === undefined) return null
  return (
    <Button id="next-case" size="sm" variant="default" onClick={go} aria-keyshortcuts="Alt+N">
      Next case
      <Kbd size="xs" ml={8} visibleFrom="sm" aria-hidden="true">
        Alt N
      </Kbd>
    </Button>
  )
}

/** A decision that waits for approval by a second person. */
function SecondPerson({ approval, of: { kind } }: { approval: Approval; of: CaseWithSubject }) {
  const { decision, comment } = approval.payload as { decision?: string; comment?: string | null }
  const wanted = decision === undefined ? undefined : decisionWords(kind, decision)
  return (
    <Alert color="orange" variant="light" title="A second person must approve" role="status">
      <Stack gap="xs">
        <Text size="sm">
          Requested by <PersonName id={approval.maker_id} />: <strong>{wanted?.label ?? 'another action on the same payment'}</strong>
          {wanted && `. ${wanted.what}`}
        </Text>
        {comment && <Text size="sm">“{comment}”</Text>}
        <Approving approval={approval} isLink />
      </Stack>
    </Alert>
  )
}

function Decided({ of: { kind, decision, comment, decided_by, decided_at } }: { of: CaseWithSubject }) {
  return (
    <Block title="Decision">
      <Facts
        facts={[
          ['Decision', decision === null ? null : decisionWords(kind, decision).label],
          ['Reason', comment],
          ['By', <PersonName key="by" id={decided_by} nobody="The service, or the admin key" />],
          ['When', decided_at === null ? null : minuteOf(decided_at)],
        ]}
      />
    </Block>
  )
}
