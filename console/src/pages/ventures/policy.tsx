// The policy of a venture, shown and edited.
import { Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Policy } from '@vostro/sdk'
import { useState } from 'react'
import { api } from '../../ui/api.ts'
import { PersonName } from '../../ui/names.tsx'
import { Answered, Block } from '../../ui/page.tsx'
import { fieldNames, fields, fieldWords, groups } from '../../ui/policy.fields.ts'
import { type Rule, ruleWords } from '../../ui/policy.rules.ts'
import { useMay } from '../../ui/session.ts'
import { minuteOf } from '../../ui/words.ts'
import { PolicyForm } from './policy.edit.tsx'

export function PolicyBlock({ venture }: { venture: string }) {
  const may = useMay()
  const [isEdited, setEdited] = useState(false)
  const query = useQuery({ queryKey: ['bank', 'venture', venture, 'policy'], queryFn: () => api.ventures.getPolicy(venture) })
  const policy = query.data
  return (
    <Block
      title="Policy"
      note={policy && <Version policy={policy} />}
      actions={
        policy &&
        !isEdited &&
        may('updatePolicy') && (
          <Button variant="default" size="sm" onClick={() => setEdited(true)}>
            Edit the policy
          </Button>
        )
      }
    >
      <Answered query={query}>
        {policy &&
          (isEdited ? <PolicyForm key={policy.version} policy={policy} close={() => setEdited(false)} /> : <Said policy={policy} />)}
      </Answered>
    </Block>
  )
}

function Version({ policy: { version, actor, actor_id, created_at } }: { policy: Policy }) {
  if (created_at === null) return 'The bank’s defaults'
  return (
    <>
      Version {version}, by {actor_id === null && actor === 'operator' ? 'the admin key' : <PersonName id={actor_id} />},{' '}
      {minuteOf(created_at)}
    </>
  )
}

function Said({ policy }: { policy: Policy }) {
  const rules = policy.rules as Rule[]
  return (
    <Stack gap="md">
      {groups.map((group) => (
        <div key={group}>
          <Title order={3} size="h6" mb={4}>
            {group}
          </Title>
          <Table aria-label={group} verticalSpacing={6} className="said">
            <Table.Tbody>
              {fieldNames
                .filter((name) => fields[name].group === group)
                .map((name) => (
                  <Table.Tr key={name}>
                    <Table.Th scope="row">{fields[name].label}</Table.Th>
                    <Table.Td>
                      <Text size="sm">{fieldWords(name, policy[name])}</Text>
                      <Text size="xs" c="dimmed">
                        {fields[name].meaning}
                      </Text>
                    </Table.Td>
                  </Table.Tr>
                ))}
            </Table.Tbody>
          </Table>
        </div>
      ))}
      <div>
        <Title order={3} size="h6" mb={4}>
          Rules
        </Title>
        <Group gap={4}>
          {rules.length === 0 ? (
            <Text size="sm">None. No rule sends payments to review.</Text>
          ) : (
            <ul className="rules">
              {rules.map((rule) => (
                <li key={JSON.stringify(rule)}>{ruleWords(rule)}</li>
              ))}
            </ul>
          )}
        </Group>
      </div>
    </Stack>
  )
}
