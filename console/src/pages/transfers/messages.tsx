// The interbank messages about a payment, with their XML.
import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { RailMessage, Transfer } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { fileOf, shownUpTo_bytes } from '../../ui/message-file.ts'
import { directions, meaningOf, shortType } from '../../ui/messages.ts'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { useMay } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { To } from '../../ui/to.tsx'
import { secondOf } from '../../ui/words.ts'
import { partAbout, prettyXml } from '../../ui/xml.ts'

/** Messages contain payments of other ventures, so only the bank sees them. */
export function Messages({ transfer }: { transfer: Transfer }) {
  const isAllowed = useMay()('listMessages')
  const { id, updated_at } = transfer
  const messages = useQuery({
    queryKey: ['bank', 'messages', 'of transfer', id, updated_at],
    enabled: isAllowed,
    queryFn: () => api.operator.messages.list({ transfer_id: id, limit: 100 }).page(),
  })
  if (!isAllowed) return null
  return (
    <Block title="Messages" note="Visible only to the bank.">
      <Answered query={messages}>
        {messages.data?.items.length === 0 ? (
          <Empty title="No messages.">No message about this transfer was sent or received.</Empty>
        ) : (
          <ul className="happenings">
            {/* Oldest first. */}
            {messages.data?.items.toReversed().map((message) => (
              <Exchanged key={message.id} message={message} transfer={id} />
            ))}
          </ul>
        )}
      </Answered>
    </Block>
  )
}

function Exchanged({ message, transfer }: { message: RailMessage; transfer: string }) {
  const { id, type, file, direction, state, created_at, size_bytes } = message
  const [isOpen, { toggle }] = useDisclosure()
  return (
    <li>
      <Group gap="xs">
        <To to={`/bank/messages/${id}`}>{type === null ? file : `${directions[direction]}: ${shortType(type)}`}</To>
        <Text size="sm">{type !== null && meaningOf(type)}</Text>
        <Status value={state} />
        <Text size="sm" c="dimmed">
          {secondOf(created_at)}
        </Text>
        {size_bytes <= shownUpTo_bytes && (
          <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? 'Hide the XML' : 'Show the XML'}
          </Button>
        )}
      </Group>
      {isOpen && <Part message={id} transfer={transfer} />}
    </li>
  )
}

/** Shows only the part of the message that concerns this payment. */
function Part({ message, transfer }: { message: string; transfer: string }) {
  const content = useQuery({
    queryKey: ['bank', 'messages', message, 'file'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await fileOf(message)).text(),
  })
  const xml = content.data ?? ''
  return (
    <Answered query={content}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre className="xml" tabIndex={0}>
        {prettyXml(partAbout(xml, transfer.replaceAll('-', '')) ?? xml)}
      </pre>
    </Answered>
  )
}
