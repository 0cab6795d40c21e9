// The files of a case. They are downloaded and never shown in the page: others made them.
import { Button, FileInput, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { CaseFile, CaseWithSubject } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { save } from '../../ui/download.ts'
import { Rows } from '../../ui/list.tsx'
import { bytesOf } from '../../ui/messages.ts'
import { PersonName } from '../../ui/names.tsx'
import { Block, Empty } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { minuteOf } from '../../ui/words.ts'

export function Files({ of: { id, files } }: { of: CaseWithSubject }) {
  return (
    <Block title="Files" actions={<AddFile case_id={id} />}>
      {files.length === 0 ? (
        <Empty title="No files." />
      ) : (
        <Rows
          label="Files"
          rows={files}
          idOf={(file) => file.id}
          columns={[
            { label: 'Name', cell: ({ name }) => name },
            { label: 'Size', align: 'right', cell: ({ size }) => bytesOf(size) },
            {
              label: 'From',
              wide: true,
              cell: ({ question_id, created_by }) =>
                question_id === null ? <PersonName id={created_by} nobody="The admin key" /> : 'The venture',
            },
            { label: 'Added', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
            { label: '', cell: (file) => <Download case_id={id} file={file} /> },
          ]}
        />
      )}
    </Block>
  )
}

function AddFile({ case_id }: { case_id: string }) {
  const [file, setFile] = useState<File | null>(null)
  return (
    <Action
      operation="addCaseFile"
      label="Add a file"
      isReady={file !== null}
      run={() => api.operator.cases.addFile(case_id, { file: file ?? new Blob() })}
      done={({ name }) => `${name} is added.`}
      after={() => setFile(null)}
    >
      <Stack gap="sm">
        <span>A PDF, PNG, JPEG or plain text of at most 10 MiB. Nobody can change or delete it later.</span>
        <FileInput
          label="File"
          required
          placeholder="Choose a file"
          accept="application/pdf,image/png,image/jpeg,text/plain"
          clearable
          value={file}
          onChange={setFile}
        />
      </Stack>
    </Action>
  )
}

function Download({ case_id, file: { id, name } }: { case_id: string; file: CaseFile }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => save(name, await api.operator.cases.getFile(case_id, id)),
  })
  return (
    <>
      <Button size="compact-sm" variant="default" loading={isPending} onClick={() => mutate()} aria-label={`Download ${name}`}>
        Download
      </Button>
      <ProblemNote error={error} />
    </>
  )
}
