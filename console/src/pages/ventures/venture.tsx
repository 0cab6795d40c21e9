// A venture as the bank sees it: its control, its policy and its keys.
import { Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Venture } from '@vostro/sdk'
import { useState } from 'react'
import { Action, isApproval } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { Answered, Block, Facts, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { minuteOf, words } from '../../ui/words.ts'
import { controls } from './controls.ts'
import { Keys } from './keys.tsx'
import { PolicyBlock } from './policy.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const query = useQuery({ queryKey: ['bank', 'venture', id], queryFn: () => api.ventures.get(id) })
  const venture = query.data
  return (
    <Frame
      title={venture?.name ?? 'Venture'}
      back={{ to: '/bank/ventures', label: 'Ventures' }}
      aside={venture && <Status value={venture.status} />}
      actions={
        venture && (
          <>
            <Button size="sm" renderRoot={(props) => <Link {...props} to={`/v/${id}/overview`} />}>
              Open console
            </Button>
            <Rename venture={venture} />
            <SetStatus venture={venture} />
          </>
        )
      }
    >
      <Answered query={query}>
        {venture && (
          <>
            <Block title="Venture">
              <Facts
                facts={[
                  ['Id', <Copyable key="id" text={venture.id} />],
                  ['Registered', minuteOf(venture.created_at)],
                  [
                    'Oldest valid key',
                    venture.api_key_prefix === null ? (
                      'None'
                    ) : (
                      <span key="key" className="mono">
                        {venture.api_key_prefix}…
                      </span>
                    ),
                  ],
                ]}
              />
              <Group gap="md" mt="md">
                <Near to={`/bank/cases?venture_id=${id}`}>Cases</Near>
                <Near to={`/bank/approvals?venture_id=${id}`}>Approvals</Near>
                <Near to={`/bank/requests?venture_id=${id}`}>Requests</Near>
                <Near to={`/bank/audit?venture_id=${id}`}>Audit log</Near>
              </Group>
            </Block>
            <Block title={`Control: ${words(venture.control).toLowerCase()}`} actions={<SetControl venture={venture} />}>
              <Text size="sm">
                {controls[venture.control]} Control can change only while the venture has no clients, transfers or entries.
              </Text>
            </Block>
            <PolicyBlock venture={id} />
            <Keys venture={venture} />
          </>
        )}
      </Answered>
    </Frame>
  )
}

/** A link whose target has filters. */
function Near({ to, children }: { to: string; children: string }) {
  const [path = '', search = ''] = to.split('?')
  const filters = Object.fromEntries(new URLSearchParams(search))
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to={path} search={filters as never} />}>
      {children}
    </Anchor>
  )
}

function Rename({ venture }: { venture: Venture }) {
  const [name, setName] = useState(venture.name)
  return (
    <Action
      operation="updateVenture"
      label="Rename"
      isReady={name.trim() !== '' && name.trim() !== venture.name}
      run={() => api.ventures.update(venture.id, { name: name.trim() })}
      done="The venture was renamed."
    >
      <TextInput label="Name" required maxLength={140} value={name} onChange={(e) => setName(e.currentTarget.value)} data-autofocus />
    </Action>
  )
}

function SetStatus({ venture: { id, name, status } }: { venture: Venture }) {
  const isActive = status === 'ACTIVE'
  return (
    <Action
      operation="updateVenture"
      label={isActive ? 'Disable' : 'Enable'}
      danger={isActive}
      run={() => api.ventures.update(id, { status: isActive ? 'DISABLED' : 'ACTIVE' })}
      done={isActive ? `${name} is disabled.` : `${name} is enabled.`}
    >
      {isActive ? (
        <Stack gap="xs">
          <span>
            All keys of {name} stop working at once, and its people cannot act for it. What was sent is still settled; what was not sent
            stays where it is.
          </span>
          <span>Disabling needs one person. With four-eyes approval on, enabling it again needs a second one.</span>
        </Stack>
      ) : (
        `The keys and users of ${name} can act again. With four-eyes approval on, a second person must approve.`
      )}
    </Action>
  )
}

function SetControl({ venture: { id, name, control } }: { venture: Venture }) {
  const [wanted, setWanted] = useState<Venture['control']>(control)
  return (
    <Action
      operation="updateVenture"
      label="Change control"
      isReady={wanted !== control}
      run={() => api.ventures.update(id, { control: wanted })}
      done={(result) => (isApproval(result) ? '' : `The control of ${name} was changed.`)}
    >
      <Select
        label="Who processes its transfers"
        description={controls[wanted]}
        allowDeselect={false}
        value={wanted}
        onChange={(value) => value && setWanted(value as Venture['control'])}
        data={Object.keys(controls).map((value) => ({ value, label: words(value) }))}
      />
    </Action>
  )
}
