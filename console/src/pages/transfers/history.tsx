// The history of a transfer, numbered as in the diagram.
import { Text, Timeline } from '@mantine/core'
import type { TransferMove } from '@vostro/sdk'
import { Actor } from '../../ui/actor.tsx'
import { secondOf, words } from '../../ui/words.ts'

export function History({ moves }: { moves: readonly TransferMove[] }) {
  return (
    <Timeline active={moves.length - 1} bulletSize={22} lineWidth={2}>
      {moves.map(({ id, to_status, actor, actor_id, reason, reason_code, third_party_status, created_at }, at) => (
        <Timeline.Item key={id} bullet={<span className="bullet">{at + 1}</span>} title={words(to_status)}>
          <Text size="sm" c="dimmed">
            {secondOf(created_at)} · by <Actor kind={actor} id={actor_id} />
          </Text>
          {(reason ?? reason_code ?? third_party_status) && (
            <Text size="sm">
              {[reason, reason_code, third_party_status && `scheme: ${third_party_status}`].filter(Boolean).join(' · ')}
            </Text>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  )
}
