// What people have noted about a case.
import { Stack, Text } from '@mantine/core'
import type { CaseWithSubject } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { FormAction } from '../../ui/form.tsx'
import { PersonName } from '../../ui/names.tsx'
import { Block, Empty } from '../../ui/page.tsx'
import { minuteOf } from '../../ui/words.ts'

export function Notes({ of: { id, notes } }: { of: CaseWithSubject }) {
  return (
    <Block
      title="Notes"
      actions={
        <FormAction
          operation="addCaseNote"
          label="Add a note"
          fields={[{ name: 'text', label: 'Note', type: 'long' }]}
          run={({ text = '' }) => api.operator.cases.addNote(id, { text })}
          done="The note is added."
        >
          Nobody can change or delete it later.
        </FormAction>
      }
    >
      {notes.length === 0 ? (
        <Empty title="No notes." />
      ) : (
        <Stack gap="sm">
          {notes.map((note) => (
            <div key={note.id}>
              <Text size="sm">{note.text}</Text>
              <Text size="xs" c="dimmed" component="div">
                <PersonName id={note.created_by} nobody="The admin key" />, {minuteOf(note.created_at)}
              </Text>
            </div>
          ))}
        </Stack>
      )}
    </Block>
  )
}
