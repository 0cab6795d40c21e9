// How the bank takes part in payment schemes: the terms in force, those to come, and what people may change.
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Participation } from '@vostro/sdk'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { type Field, FormAction } from '../../ui/form.tsx'
import { type Column, Rows } from '../../ui/list.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { To } from '../../ui/to.tsx'
import { counted, minuteOf, money } from '../../ui/words.ts'
import { instantRails, railNames, rails } from '../../values.made.ts'
import { envelopeOf, fieldsOf, givenEnvelope, givenTerms, spanOf, termsOf } from './terms.ts'

type Rail = (typeof rails)[number]

const atOnce: readonly Rail[] = instantRails

export function Page() {
  const all = useQuery({ queryKey: ['bank', 'participations'], queryFn: () => api.operator.participations.list() })
  return (
    <Frame title="Schemes" actions={<To to="/bank/calendars">Calendars</To>}>
      <Answered query={all}>
        {rails.map((rail) => {
          const [current, ...later] = (all.data ?? []).filter((one) => one.rail === rail)
          return current && <Shown key={rail} current={current} later={later} />
        })}
      </Answered>
    </Frame>
  )
}

function Shown({ current, later }: { current: Participation; later: readonly Participation[] }) {
  const { rail, state, currency } = current
  const newest = later.at(-1) ?? current
  return (
    <Block title={railNames[rail]} note={rail}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Status value={state} />
          <Group gap="xs">
            <Change key={`${rail} ${newest.version}`} newest={newest} />
            <ChangeEnvelope key={`${rail} ${newest.version} envelope`} newest={newest} />
            {state === 'ACTIVE' && <Suspend rail={rail} />}
            {newest.state === 'SUSPENDED' && <Resume rail={rail} />}
          </Group>
        </Group>
        <Facts
          facts={[
            ['Version', `${current.version}, since ${minuteOf(current.created_at)}`],
            ['Calendar', current.calendar],
            ['Cut-offs', cutOffsOf(current)],
            ['Sent', `${counted(current.lead_days, 'settlement day')} before it settles`],
            ['Amounts', spanOf(current, (amount) => money(amount, currency))],
            [
              'Answer',
              current.answer_hours === null ? 'As the setting of the service says' : `After ${counted(current.answer_hours, 'hour')}`,
            ],
            ['Preference', current.prefers],
            ['Clearing system', current.envelope.clearing_code ?? current.envelope.clearing_system],
            ['Instructed agent', current.envelope.instructed_bic],
            ['Header', current.envelope.header === null ? null : `${current.envelope.header.root}, to ${current.envelope.header.to_bic}`],
          ]}
        />
        {later.length > 0 && (
          <div>
            <Text fw={600} size="sm" mb={4}>
              To come
            </Text>
            <Rows label={`Versions of ${rail} to come`} rows={later} idOf={({ version }) => String(version)} columns={columns} />
          </div>
        )}
      </Stack>
    </Block>
  )
}

const columns: readonly Column<Participation>[] = [
  { label: 'Version', cell: ({ version }) => version },
  { label: 'State', cell: ({ state }) => <Status value={state} /> },
  { label: 'In force from', cell: ({ effective_at }) => minuteOf(effective_at) },
  { label: 'Cut-offs', wide: true, cell: cutOffsOf },
  { label: 'Calendar', wide: true, cell: ({ calendar }) => calendar },
]

function cutOffsOf({ rail, cut_offs, zone }: Participation): string {
  if (atOnce.includes(rail)) return 'None: each payment leaves at once'
  return cut_offs.length === 0 ? 'None: payments leave as soon as they are collected' : `${cut_offs.join(', ')} (${zone})`
}

const fields: readonly Field[] = [
  { name: 'calendar', label: 'Calendar', hint: 'TARGET, FED, ALWAYS, or one whose years were entered.', placeholder: 'TARGET' },
  { name: 'zone', label: 'Time zone', hint: 'Of the cut-offs.', placeholder: 'Europe/Berlin' },
  { name: 'cut_offs', label: 'Cut-offs', hint: 'One time per line, such as 15:30. Empty: continuously.', type: 'long', optional: true },
  { name: 'lead_days', label: 'Lead days', hint: 'Settlement days before the settlement date.' },
  { name: 'answer_hours', label: 'Answer within hours', hint: 'Empty: as the setting of the service says.', optional: true },
  { name: 'smallest', label: 'Smallest amount', hint: 'Empty: none.', optional: true, amount: { currencyIn: 'currency' } },
  { name: 'largest', label: 'Largest amount', hint: 'Empty: that of the scheme.', optional: true, amount: { currencyIn: 'currency' } },
  { name: 'prefers', label: 'Preference', hint: 'The smallest number is taken first.' },
  {
    name: 'effective_at',
    label: 'In force from',
    hint: 'In UTC. Empty: two minutes after it is decided.',
    placeholder: '2027-02-19T09:00:00Z',
    optional: true,
  },
]

function Change({ newest }: { newest: Participation }) {
  return (
    <FormAction
      operation="changeParticipation"
      label="Change"
      title={`Change the terms of ${newest.rail}`}
      size="lg"
      fields={fields}
      initial={fieldsOf(newest)}
      run={(given) => api.operator.participations.change({ rail: newest.rail, ...givenTerms(given, termsOf(newest)) })}
      done="The change was made. It is in force in two minutes at the earliest."
    >
      A change is a new version. Packs that exist keep theirs.
    </FormAction>
  )
}

const envelopeFields: readonly Field[] = [
  { name: 'clearing_code', label: 'Clearing system code', hint: 'Three characters, in ClrSys.', optional: true },
  { name: 'clearing_system', label: 'Clearing system name', hint: 'Instead of a code.', optional: true },
  { name: 'instructed_bic', label: 'Instructed agent', hint: 'A BIC, in InstdAgt.', optional: true },
  { name: 'root', label: 'Root of the envelope', hint: 'Empty: documents without a header.', optional: true },
  { name: 'to_bic', label: 'Receiver in the header', optional: true },
  { name: 'from_bic', label: 'Sender in the header', hint: 'Empty: the BIC of the bank.', optional: true },
  { name: 'business_service', label: 'Business service', hint: 'In BizSvc.', optional: true },
]

function ChangeEnvelope({ newest }: { newest: Participation }) {
  return (
    <FormAction
      operation="changeParticipation"
      label="Envelope"
      title={`Change the envelope of ${newest.rail}`}
      size="lg"
      fields={envelopeFields}
      initial={envelopeOf(newest.envelope)}
      run={(given) => api.operator.participations.change({ rail: newest.rail, envelope: givenEnvelope(given) as never })}
      done="The change was made. It is in force in two minutes at the earliest."
    >
      What the clearing system wants in each message, and in a header before it.
    </FormAction>
  )
}

function Suspend({ rail }: { rail: Rail }) {
  return (
    <Action
      operation="suspendRail"
      label="Suspend"
      title={`Suspend ${rail}`}
      danger
      run={() => api.operator.participations.suspendRail(rail)}
      done={`${rail} is suspended.`}
    >
      At once, new orders for {rail} are refused, and nothing more is collected or sealed. Answers and incoming messages are still applied.
      A version that is still to come has to be decided again.
    </Action>
  )
}

function Resume({ rail }: { rail: Rail }) {
  return (
    <Action
      operation="resumeRail"
      label="Resume"
      title={`Resume ${rail}`}
      run={() => api.operator.participations.resumeRail(rail)}
      done={`${rail} is resumed in two minutes.`}
    >
      In two minutes, payments over {rail} leave again. A second person must approve.
    </Action>
  )
}
