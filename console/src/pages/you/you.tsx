// The person's own sign-in: passkeys, password, sessions and sign-in history.
import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Action, useDoing } from '../../ui/action.tsx'
import { api } from '../../ui/api.ts'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty, Facts, Page as Frame } from '../../ui/page.tsx'
import { addPasskey } from '../../ui/passkeys.ts'
import { ProblemNote } from '../../ui/problem.tsx'
import { useSession } from '../../ui/session.ts'
import { SignIns } from '../../ui/sign-ins.tsx'
import { minuteOf, words } from '../../ui/words.ts'
import { Sessions } from './sessions.tsx'

export function Page() {
  const { user, bank_role, by_passkey, expires_at } = useSession()
  return (
    <Frame title="Your sign-in">
      <Block title="You">
        <Facts
          facts={[
            ['Name', user.name],
            ['Email', user.email],
            ['Role at the bank', bank_role === null ? null : words(bank_role)],
            ['Signed in with', by_passkey ? 'A passkey' : 'A password'],
            ['The session ends', minuteOf(expires_at)],
          ]}
        />
      </Block>
      <Passkeys />
      <Password />
      <Sessions />
      <Block title="Sign-in history" note="If you do not recognize an entry, change your password and tell an admin.">
        <SignIns name={['sign-ins']} read={(cursor) => api.session.listSignIns({ ...cursor, limit: 10 }).page()} />
      </Block>
    </Frame>
  )
}

function Passkeys() {
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: () => api.session.listPasskeys() })
  const [name, setName] = useState('')
  const { mutate, isPending, error } = useDoing({
    run: () => addPasskey(name.trim() || 'Passkey'),
    done: 'The passkey was added.',
    after: () => setName(''),
  })
  return (
    <Block
      title="Passkeys"
      note="A passkey cannot be guessed, stolen or typed into the wrong page. Your other sessions end when you add one."
    >
      <Stack gap="sm">
        <Answered query={passkeys}>
          {passkeys.data?.length === 0 ? (
            <Empty title="No passkeys yet." />
          ) : (
            <Rows
              label="Passkeys"
              rows={passkeys.data ?? []}
              idOf={({ id }) => id}
              columns={[
                { label: 'Name', cell: (passkey) => passkey.name },
                { label: 'Added', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
                { label: 'Last used', cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : minuteOf(last_used_at)) },
                {
                  label: '',
                  align: 'right',
                  cell: (passkey) => (
                    <Action
                      operation="removePasskey"
                      label="Remove"
                      danger
                      button={{ size: 'compact-sm' }}
                      run={() => api.session.removePasskey(passkey.id)}
                      done="The passkey was removed."
                    >
                      Removes “{passkey.name}” from your sign-in and ends your other sessions.
                    </Action>
                  ),
                },
              ]}
            />
          )}
        </Answered>
        <ProblemNote error={error} />
        <Group align="end" gap="xs">
          <TextInput
            label="Name of the new passkey"
            placeholder="My laptop"
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
          />
          <Button loading={isPending} onClick={() => mutate()}>
            Add a passkey
          </Button>
        </Group>
      </Stack>
    </Block>
  )
}

function Password() {
  const [password, setPassword] = useState('')
  return (
    <Block title="Password">
      <Group justify="space-between">
        <Text size="sm">Changing the password ends your other sessions.</Text>
        <Action
          operation="changePassword"
          label="Change the password"
          isReady={password.length >= 12}
          run={() => api.session.changePassword({ new_password: password })}
          done="The password was changed."
          after={() => setPassword('')}
        >
          <PasswordInput
            label="New password"
            description="At least 12 characters, such as several unrelated words."
            autoComplete="new-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
          />
        </Action>
      </Group>
    </Block>
  )
}
