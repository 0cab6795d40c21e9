// The days on which money settles: rules of the service, and the years that people have entered.
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CalendarYear } from '@vostro/sdk'
import { useState } from 'react'
import { api } from '../../ui/api.ts'
import { type Field, FormAction } from '../../ui/form.tsx'
import { linesOf } from '../../ui/lines.ts'
import { useFilters } from '../../ui/list.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { codeOf } from '../../ui/problem.tsx'
import { counted, dayOf, minuteOf } from '../../ui/words.ts'
import { weekdays, weekendOf } from './days.ts'

const back = { to: '/bank/schemes', label: 'Schemes' }

export function Page() {
  const [{ calendar = 'TARGET', year = String(new Date().getUTCFullYear()) }, change] = useFilters()
  const found = useQuery({
    queryKey: ['bank', 'calendars', calendar, year],
    queryFn: () => api.operator.calendars.getYear(calendar, year),
    retry: false,
  })
  const isMissing = codeOf(found.error) === 'calendar_year_not_found'
  return (
    <Frame title="Calendars" back={back}>
      <Block>
        <Group gap="sm" align="end">
          <TextInput
            label="Calendar"
            description="TARGET, FED, ALWAYS, or a name of your own."
            defaultValue={calendar}
            onBlur={(event) => change({ calendar: event.currentTarget.value.trim().toUpperCase() })}
          />
          <TextInput
            label="Year"
            inputMode="numeric"
            maxLength={4}
            defaultValue={year}
            onBlur={({ currentTarget: { value } }) => /^2\d{3}$/.test(value) && change({ year: value })}
          />
        </Group>
      </Block>
      {isMissing ? (
        <Block title={`${calendar} ${year}`} actions={<Enter calendar={calendar} year={Number(year)} />}>
          <Empty title="Nobody has entered this year.">Payments of a rail with this calendar wait for it.</Empty>
        </Block>
      ) : (
        <Answered query={found}>{found.data && <Shown year={found.data} />}</Answered>
      )}
    </Frame>
  )
}

const shownAtMost = 60

function Shown({ year: found }: { year: CalendarYear }) {
  const { calendar, year, weekend, closed, version, created_at } = found
  return (
    <Block title={`${calendar} ${year}`} actions={version > 0 && <Enter key={version} calendar={calendar} year={year} before={found} />}>
      <Stack gap="sm">
        <Facts
          facts={[
            ['Version', version === 0 ? 'A rule of the service' : `${version}, entered ${created_at === null ? '' : minuteOf(created_at)}`],
            ['Always closed', weekend.map((day) => weekdays[day - 1]).join(', ')],
            ['Closed', counted(closed.length, 'day')],
          ]}
        />
        <Group gap={6}>
          {closed.slice(0, shownAtMost).map((day) => (
            <span key={day} className="status quiet mono">
              {dayOf(day)}
            </span>
          ))}
          {closed.length > shownAtMost && <Text size="sm">and {closed.length - shownAtMost} more</Text>}
        </Group>
      </Stack>
    </Block>
  )
}

const fields: readonly Field[] = [
  { name: 'closed', label: 'Closed days', hint: 'One date per line, such as 2027-12-25.', type: 'long', optional: true },
  { name: 'weekend', label: 'Weekend', hint: 'The weekdays that are always closed.', placeholder: 'Saturday, Sunday', optional: true },
]

function Enter({ calendar, year, before }: { calendar: string; year: number; before?: CalendarYear }) {
  const [refused, setRefused] = useState<string>()
  return (
    <FormAction
      operation="enterCalendarYear"
      label={before === undefined ? 'Enter the year' : 'Change'}
      title={`Enter ${calendar} ${year}`}
      columns={1}
      fields={fields}
      initial={{
        closed: before?.closed.join('\n') ?? '',
        weekend: (before?.weekend ?? [6, 7]).map((day) => weekdays[day - 1]).join(', '),
      }}
      more={refused && <Text size="sm">{refused}</Text>}
      run={async (given) => {
        const weekend = weekendOf(given['weekend'] ?? '')
        if (weekend === undefined) {
          const sentence = 'The weekend must be names of weekdays, separated by commas.'
          setRefused(sentence)
          throw new Error(sentence)
        }
        setRefused(undefined)
        return api.operator.calendars.enterYear(calendar, String(year), { closed: linesOf(given['closed'] ?? ''), weekend })
      }}
      done="The year was entered."
    >
      Replaces the days of this year. A second person must approve.
    </FormAction>
  )
}
