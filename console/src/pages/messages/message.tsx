// A message: its state, what it concerns, and its XML.
import { Button, CopyButton, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { RailMessage } from '@vostro/sdk'
import { useDoing } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { CasesAbout } from '../../ui/cases-about.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { save } from '../../ui/download.ts'
import { fileOf, shownUpTo_bytes } from '../../ui/message-file.ts'
import { bytesOf, directions, meaningOf, railOf } from '../../ui/messages.ts'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { ProblemNote } from '../../ui/problem.tsx'
import { Status } from '../../ui/status.tsx'
import { To } from '../../ui/to.tsx'
import { secondOf, words } from '../../ui/words.ts'
import { prettyXml } from '../../ui/xml.ts'
import { AnswerBlock } from './answer.tsx'
import { answerOf } from './xml.ts'

const back = { to: '/bank/messages', label: 'Messages' }

export function Page() {
  const { message: id = '' } = useParams({ strict: false }) as { message?: string }
  const message = useQuery({ queryKey: ['bank', 'messages', id], queryFn: () => api.operator.messages.get(id) })
  if (message.data === undefined)
    return (
      <Frame title="Message" back={back}>
        <Answered query={message}>{null}</Answered>
      </Frame>
    )
  return <Shown message={message.data} />
}

function Shown({ message }: { message: RailMessage }) {
  const { id, type, direction, state, message_id, sender, file, pack_id, size_bytes, sha256, reason, detail } = message
  const isShown = size_bytes <= shownUpTo_bytes
  const content = useQuery({
    queryKey: ['bank', 'messages', id, 'file'],
    enabled: isShown,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await fileOf(id)).text(),
  })
  const answer = content.data === undefined ? undefined : answerOf(content.data)
  return (
    <Frame title={type ?? file} aside={<Status value={state} />} back={back}>
      <Block>
        <Facts
          facts={[
            ['Type', type === null ? 'Unreadable file' : meaningOf(type)],
            ['Direction', directions[direction]],
            ['Rail', words(railOf(message_id) ?? '')],
            ['Message id', message_id === null ? null : <Copyable key="id" text={message_id} />],
            [
              'From',
              sender === null ? null : (
                <span key="from" className="mono">
                  {sender}
                </span>
              ),
            ],
            [direction === 'OUT' ? 'Sealed' : 'Received', secondOf(message.created_at)],
            ['Last change', secondOf(message.updated_at)],
            [
              type?.startsWith('pacs.028') ? 'Asks about' : 'Pack',
              pack_id === null ? null : (
                <To key="pack" to={`/bank/packs/${pack_id}`}>
                  Show the pack
                </To>
              ),
            ],
            ['Refusal reason', reason === null ? null : words(reason)],
            ['Detail', detail],
            ['File', `${file} (${bytesOf(size_bytes)})`],
            ['SHA-256', <Copyable key="sha" text={sha256} shown={`${sha256.slice(0, 16)}…`} label="Copy the SHA-256" />],
          ]}
        />
      </Block>
      <CasesAbout id={id} />
      {answer && <AnswerBlock answer={answer} direction={direction} />}
      <Block title="Content" actions={<Handing id={id} file={file} xml={content.data} />}>
        {isShown ? (
          <Answered query={content}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
            <pre className="xml" tabIndex={0}>
              {prettyXml(content.data ?? '')}
            </pre>
          </Answered>
        ) : (
          <Text size="sm">The file is too large to display. Download it instead.</Text>
        )}
      </Block>
    </Frame>
  )
}

function Handing({ id, file, xml }: { id: string; file: string; xml: string | undefined }) {
  const { mutate, isPending, error } = useDoing({
    run: async () => save(file, await fileOf(id)),
    done: 'File downloaded.',
  })
  return (
    <Group gap="xs">
      <ProblemNote error={error} />
      {xml !== undefined && (
        <CopyButton value={xml}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      )}
      <Button size="compact-sm" variant="default" loading={isPending} onClick={() => mutate()}>
        Download
      </Button>
    </Group>
  )
}
