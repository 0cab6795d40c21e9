// A modal dialog. Mantine's own adds a second banner landmark and an unnamed button.
import { Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { markBeginning } from './focus.ts'

type Options = {
  isOpen: boolean
  onClose(): void
  title: string
  size?: 'md' | 'lg' | 'xl'
  zIndex?: number
  children: ReactNode
}

export function Dialog({ isOpen, onClose, title, size = 'md', zIndex = 200, children }: Options) {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size={size} zIndex={zIndex} centered>
      <Modal.Overlay />
      <Modal.Content>
        <Group justify="space-between" wrap="nowrap" p="md" pb={0}>
          <Modal.Title fw={600}>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Group>
        <Modal.Body pt="sm" ref={markBeginning}>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
