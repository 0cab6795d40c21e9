// A request from the log, which never has its path, query, body or address.
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { LoggedRequest } from '@vostro/sdk'
import { actorWords } from '../../ui/actor.tsx'
import { Copyable } from '../../ui/copyable.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { secondOf } from '../../ui/words.ts'
import { Answer } from './answer.tsx'

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const { request: id } = useParams({ strict: false }) as { request: string }
  const query = useQuery({ queryKey: [venture, 'requests', id], queryFn: () => api.requests.get(id), staleTime: Number.POSITIVE_INFINITY })
  const request = query.data
  return (
    <Frame
      title={request === undefined ? 'Request' : `${request.method} ${request.route ?? 'unknown path'}`}
      back={{ to: `/v/${venture}/requests`, label: 'Requests' }}
    >
      <Answered query={query}>{request && <Known request={request} />}</Answered>
    </Frame>
  )
}

function Known({ request }: { request: LoggedRequest }) {
  const { at, method, route, status, code, duration_ms, actor, key_prefix, request_id } = request
  return (
    <>
      <Block title="Answer">
        <Facts
          facts={[
            ['Status', <Answer key="answer" status={status} code={null} />],
            ['Code', code === null ? null : <Copyable key="code" text={code} />],
            ['Duration', `${duration_ms} ms`],
            ['When', secondOf(at)],
          ]}
        />
        {code !== null && (
          <Text size="sm" mt="sm">
            <Anchor size="sm" href={`/docs/errors#${code}`}>
              What {code} means
            </Anchor>
          </Text>
        )}
      </Block>
      <Block title="Request">
        <Facts
          facts={[
            ['Method', method],
            ['Route', route],
            ['By', actor === null ? 'Unknown' : actorWords(actor)],
            [
              'Key',
              key_prefix === null ? null : (
                <span key="key" className="mono">
                  {key_prefix}…
                </span>
              ),
            ],
            ['Request id', <Copyable key="id" text={request_id} />],
          ]}
        />
      </Block>
      <Block title="Similar requests">
        <Alike label="Same route" search={route === null ? undefined : { route, method }} />
        <Alike label="Same error code" search={code === null ? undefined : { code }} />
        <Alike label="Same request id" search={{ request_id }} />
        <Alike label="Same key" search={key_prefix === null ? undefined : { key_prefix }} />
      </Block>
    </>
  )
}

function Alike({ label, search }: { label: string; search: Record<string, string> | undefined }) {
  const venture = useVenture()
  if (search === undefined) return null
  return (
    <Text size="sm">
      <Anchor size="sm" renderRoot={(props) => <Link {...props} to={`/v/${venture}/requests`} search={search as never} />}>
        {label}
      </Anchor>
    </Text>
  )
}
