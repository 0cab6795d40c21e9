import { useQuery } from '@tanstack/react-query'
import type { CaseWithSubject } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { Rows } from '../../ui/list.tsx'
import { PersonName } from '../../ui/names.tsx'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { operationWords, secondOf } from '../../ui/words.ts'

export function CaseHistory({ of: { id } }: { of: CaseWithSubject }) {
  const query = useQuery({
    queryKey: ['bank', 'audit', id],
    queryFn: async () => (await api.operator.auditLog.list({ resource: id, limit: 50 }).page()).items,
  })
  return (
    <Block title="History of the case">
      <Answered query={query}>
        {query.data?.length === 0 ? (
          <Empty title="No activity yet." />
        ) : (
          <Rows
            label="History of the case"
            rows={query.data ?? []}
            idOf={(entry) => entry.id}
            columns={[
              { label: 'Action', cell: ({ action }) => operationWords(action) },
              { label: 'Who', cell: ({ actor_id }) => <PersonName id={actor_id} nobody="The admin key" /> },
              { label: 'When', cell: ({ at }) => secondOf(at) },
            ]}
          />
        )}
      </Answered>
    </Block>
  )
}
