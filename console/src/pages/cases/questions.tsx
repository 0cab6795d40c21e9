// The questions to the venture about a case, and its answers.
import { Group, Stack, Text } from '@mantine/core'
import type { CaseWithSubject } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { FormAction } from '../../ui/form.tsx'
import { PersonName } from '../../ui/names.tsx'
import { Block, Empty } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, minuteOf } from '../../ui/words.ts'

export function Questions({ of: { id, state, questions } }: { of: CaseWithSubject }) {
  return (
    <Block title="Questions to the venture" actions={state === 'OPEN' && <Ask case_id={id} />}>
      {questions.length === 0 ? (
        <Empty title="No questions." />
      ) : (
        <Stack gap="md">
          {questions.map((question) => (
            <Stack key={question.id} gap={4}>
              <Group gap="sm">
                <Status value={question.state} />
                <Text size="xs" c="dimmed" component="div">
                  <PersonName id={question.asked_by} nobody="The admin key" />, {minuteOf(question.created_at)}. Answer due{' '}
                  {dayOf(question.due_on)}.
                </Text>
              </Group>
              <Text size="sm" fw={600}>
                {question.text}
              </Text>
              {question.answer !== null && <Text size="sm">{question.answer}</Text>}
              {question.answered_at !== null && (
                <Text size="xs" c="dimmed">
                  Answered {minuteOf(question.answered_at)}
                  {question.file_ids.length > 0 && `, with ${question.file_ids.length} of the files above`}.
                </Text>
              )}
            </Stack>
          ))}
        </Stack>
      )}
    </Block>
  )
}

function Ask({ case_id }: { case_id: string }) {
  return (
    <FormAction
      operation="askVenture"
      label="Ask the venture"
      fields={[
        { name: 'text', label: 'Question', type: 'long' },
        { name: 'due_on', label: 'Answer due', type: 'date' },
      ]}
      run={({ text = '', due_on = '' }) => api.operator.cases.ask(case_id, { text, due_on })}
      done="The venture is asked."
    >
      The venture sees this text and the day, and nothing of the case. Do not say what the case is about: name the payment by its date and
      amount, and never a person on a list.
    </FormAction>
  )
}
