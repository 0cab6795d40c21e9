// Secrets and links that the service shows only once: they stay on the screen until somebody says that they have them.
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isApproval } from './action.tsx'
import { Snippet } from './snippet.tsx'

export type Shown = { title: string; text: string; note: ReactNode }

export function ShownOnce({ shown, onClose }: { shown: Shown | undefined; onClose(): void }) {
  return (
    <Modal
      opened={shown !== undefined}
      onClose={onClose}
      title={shown?.title}
      centered
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Snippet text={shown?.text ?? ''} label="Copy" wraps isFirst />
        <Text size="sm" component="div">
          {shown?.note}
        </Text>
        <Alert color="orange" variant="light" title="It is shown only this once.">
          Copy it now. The service does not keep it in a form that could be shown again.
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** The code of a link that two people of the bank make; undefined if the result is nothing of that kind. */
export function codeShown(result: unknown): Shown | undefined {
  if (!isApproval(result) || !('code' in result) || typeof result.code !== 'string') return undefined
  return {
    title: 'Code for the link',
    text: result.code,
    note: 'A second person of the bank has to agree, and then gets the link. It works only together with this code: give the code to the person yourself.',
  }
}
