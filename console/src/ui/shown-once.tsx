// Secrets and links that the service shows only once. They stay on the screen until the person confirms having stored them.
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
        <Alert color="orange" variant="light" title="Shown only once">
          Copy it now. The service cannot show it again.
        </Alert>
        <Group justify="flex-end">
          <Button onClick={onClose}>I have copied it</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** The code of a link that two bank users create; undefined for other results. */
export function codeShown(result: unknown): Shown | undefined {
  if (!isApproval(result) || !('code' in result) || typeof result.code !== 'string') return undefined
  return {
    title: 'Code for the link',
    text: result.code,
    note: 'A second bank user must approve, and then gets the link. The link works only with this code: give the code to the recipient yourself.',
  }
}
