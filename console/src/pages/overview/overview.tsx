import { useQuery } from '@tanstack/react-query'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { words } from '../../ui/words.ts'

export function Page() {
  const api = useVentureApi()
  const venture = useQuery({ queryKey: [useVenture(), 'venture'], queryFn: () => api.venture.get() })
  return (
    <Frame title="Overview">
      <Answered query={venture}>
        <Block title="Venture">
          <Facts
            facts={[
              ['Name', venture.data?.name],
              ['Status', words(venture.data?.status ?? '')],
              ['Control', words(venture.data?.control ?? '')],
            ]}
          />
        </Block>
      </Answered>
    </Frame>
  )
}
