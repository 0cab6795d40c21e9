// What is shown once: a key, a link or a code. It stays on the screen until somebody says that they have it.
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Copyable } from './copyable.tsx'

export type Secret = {
  title: string
  text: string
  note?: ReactNode
  /** What happens once somebody has it. */
  done?(): void
}

/** What to call with a secret, and the dialog that shows it. */
export function useSecret(): [(secret: Secret) => void, ReactNode] {
  const [secret, setSecret] = useState<Secret>()
  const close = () => {
    setSecret(undefined)
    secret?.done?.()
  }
  const dialog = (
    <Modal
      opened={secret !== undefined}
      onClose={close}
      title={secret?.title}
      centered
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Alert color="orange" variant="light" title="This is shown only once." role="status">
          Copy it now. Nobody, not even the bank, can read it later.
        </Alert>
        <div className="secret">
          <Copyable text={secret?.text ?? ''} />
        </div>
        {secret?.note && (
          <Text size="sm" component="div">
            {secret.note}
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={close}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  )
  return [setSecret, dialog]
}

/** The secret in the answer to a request, or in what an approval has made; undefined if there is none. */
export function secretOf(result: unknown): Secret | undefined {
  const { api_key, url, code, state } = (result ?? {}) as Partial<Record<'api_key' | 'url' | 'code' | 'state', unknown>>
  if (typeof api_key === 'string') return { title: 'The new API key', text: api_key, note: 'It belongs on a server, never in an app.' }
  if (typeof url === 'string')
    return { title: 'The link', text: url, note: 'The service sends no mail: hand the link over yourself. It works once.' }
  if (typeof code === 'string' && state === 'PENDING')
    return {
      title: 'The code for the link',
      text: code,
      note: 'Somebody else has to agree, and gets the link. It works only with this code: hand it over yourself, on another way than the link.',
    }
  return undefined
}
