// Groups requests with the same response. Counts cover only the loaded requests, and the page says so.
import { Button, Paper, Group as Row, Stack, Text, UnstyledButton } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { LoggedRequest, Page } from '@vostro/sdk'
import type { ReactNode } from 'react'
import { Rows } from '../../ui/list.tsx'
import { Answered } from '../../ui/page.tsx'
import { counted, minuteOf } from '../../ui/words.ts'
import { Answer, RouteName } from './answer.tsx'
import { type Group, groupsOf } from './groups.ts'

type Options = {
  name: readonly unknown[]
  read(cursor: { after?: string }): Promise<Page<LoggedRequest>>
  empty: ReactNode
  onChoose(group: Group): void
}

export function Groups({ name, read, empty, onChoose }: Options) {
  const query = useInfiniteQuery({
    queryKey: [...name],
    queryFn: ({ pageParam }) => read(pageParam === '' ? {} : { after: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const requests = query.data?.pages.flatMap(({ items }) => items) ?? []
  const oldest = requests.at(-1)
  return (
    <Answered query={query}>
      {oldest === undefined ? (
        <Paper withBorder p="xl">
          {empty}
        </Paper>
      ) : (
        <Stack gap="xs">
          <Text size="sm" c="dimmed" role="status">
            The latest {counted(requests.length, 'request')}, since {minuteOf(oldest.at)}.
          </Text>
          <Rows
            label="Groups of requests"
            rows={groupsOf(requests)}
            idOf={({ key }) => key}
            columns={[
              {
                label: 'Request',
                cell: (group) => (
                  <UnstyledButton fz="sm" className="row-link" onClick={() => onChoose(group)} title="Show each request">
                    <RouteName {...group} />
                  </UnstyledButton>
                ),
              },
              { label: 'Count', align: 'right', cell: ({ count }) => count },
              { label: 'Response', cell: (group) => <Answer {...group} /> },
              { label: 'Slowest', wide: true, align: 'right', cell: ({ slowest_ms }) => `${slowest_ms} ms` },
              { label: 'Latest', wide: true, cell: ({ at }) => minuteOf(at) },
            ]}
          />
        </Stack>
      )}
      {query.hasNextPage && (
        <Row justify="center">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load older requests
          </Button>
        </Row>
      )}
    </Answered>
  )
}
