// A question of the bank, and its answer.
import { FileInput, Stack, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Question } from '@vostro/sdk'
import { useState } from 'react'
import { Action } from '../../ui/action.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { counted, dayOf, minuteOf } from '../../ui/words.ts'

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { question: id = '' } = useParams({ strict: false }) as { question?: string }
  const query = useQuery({ queryKey: [venture, 'question', id], queryFn: () => api.questions.get(id) })
  const question = query.data
  return (
    <Frame
      title="Question"
      back={{ to: `/v/${venture}/questions`, label: 'Questions' }}
      aside={question && <Status value={question.state} />}
      actions={question?.state === 'OPEN' && <Reply question={question} />}
    >
      <Answered query={query}>{question && <Shown question={question} />}</Answered>
    </Frame>
  )
}

function Shown({ question: { id, text, due_on, answer, file_ids, created_at, answered_at } }: { question: Question }) {
  return (
    <>
      <Block title="The bank asks">
        <Stack gap="sm">
          <Text>{text}</Text>
          <Facts
            facts={[
              ['Answer due', dayOf(due_on)],
              ['Asked', minuteOf(created_at)],
              ['Id', <Copyable key="id" text={id} />],
            ]}
          />
        </Stack>
      </Block>
      <Block title="Answer">
        {answer === null ? (
          <Empty title="No answer yet." />
        ) : (
          <Stack gap="sm">
            <Text>{answer}</Text>
            <Facts
              facts={[
                ['Files', file_ids.length > 0 && counted(file_ids.length, 'file')],
                ['Answered', answered_at === null ? null : minuteOf(answered_at)],
              ]}
            />
          </Stack>
        )}
      </Block>
    </>
  )
}

/** Sends the files first, and then the answer. */
function Reply({ question: { id } }: { question: Question }) {
  const api = useVentureApi()
  const [answer, setAnswer] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const run = async () => {
    for (const file of files) await api.questions.addFile(id, { file })
    return api.questions.answer(id, { answer: answer.trim() })
  }
  return (
    <Action
      operation="answerQuestion"
      label="Answer"
      title="Answer the question"
      button={{ variant: 'filled' }}
      isReady={answer.trim() !== ''}
      run={run}
      done="The bank has your answer."
    >
      <Stack gap="sm">
        <span>The answer cannot be changed later.</span>
        <Textarea
          label="Answer"
          required
          rows={4}
          maxLength={2000}
          value={answer}
          onChange={(event) => setAnswer(event.currentTarget.value)}
        />
        <FileInput
          label="Files"
          description="PDF, PNG, JPEG or plain text, each at most 10 MiB."
          placeholder="Choose files"
          accept="application/pdf,image/png,image/jpeg,text/plain"
          multiple
          clearable
          value={files}
          onChange={setFiles}
        />
      </Stack>
    </Action>
  )
}
