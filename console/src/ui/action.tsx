// What people do: a button that asks before it acts, says what came of it, lets people prove again who they are, and says when a second person has
// to agree.
import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Approval } from '@vostro/sdk'
import { type FormEvent, type ReactNode, useId } from 'react'
import { codeOf, ProblemNote } from './problem.tsx'
import { askForProof } from './proof.ts'
import { type Operation, useMay } from './session.ts'

type Doing<Result> = {
  run(): Promise<Result>
  /** What to say when it is done. */
  done: string | ((result: Result) => ReactNode)
  after?(result: Result): void
}

/** Does something, asks for a proof if the service wants one, and then asks everything on the page again. */
export function useDoing<Result>({ run, done, after }: Doing<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      try {
        return await run()
      } catch (error) {
        if (codeOf(error) !== 'reauthentication_required') throw error
        await askForProof()
        return run()
      }
    },
    onSuccess: (result) => {
      void queries.invalidateQueries()
      if (isApproval(result)) tellOfApproval(result)
      else notifications.show({ message: typeof done === 'string' ? done : done(result), color: 'teal' })
      after?.(result)
    },
  })
}

/** What somebody of the bank asked for is done only after a second person has agreed. */
export function isApproval(result: unknown): result is Approval {
  return typeof result === 'object' && result !== null && 'maker_id' in result && 'payload_hash' in result && 'state' in result
}

function tellOfApproval({ id, state }: Approval): void {
  if (state !== 'PENDING') return
  notifications.show({
    title: 'A second person has to agree',
    message: <Link to={`/bank/approvals/${id}`}>Show the approval that waits</Link>,
    color: 'orange',
    autoClose: 15_000,
  })
}

type ActionOptions<Result> = Doing<Result> & {
  /** Whoever may not do it does not see it. */
  operation: Operation
  label: string
  /** What happens, in a sentence, with the fields that it needs. */
  children: ReactNode
  /** Whether what is filled in will do. */
  isReady?: boolean
  danger?: boolean
  button?: ButtonProps
  /** How wide the dialog is. */
  size?: 'md' | 'lg'
}

/** A button whose dialog says what it does before it does it. */
export function Action<Result>({
  operation,
  label,
  children,
  isReady = true,
  danger = false,
  button,
  size = 'md',
  ...doing
}: ActionOptions<Result>) {
  const may = useMay()
  const [isOpen, { open, close }] = useDisclosure()
  const form = useId()
  const { mutate, isPending, error, reset } = useDoing<Result>({
    ...doing,
    after: (result) => {
      close()
      doing.after?.(result)
    },
  })
  if (!may(operation)) return null
  const shut = () => {
    close()
    reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !isPending) mutate()
  }
  return (
    <>
      <Button size="sm" variant={danger ? 'outline' : 'default'} {...(danger && { color: 'red' })} {...button} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={shut} title={label} size={size} centered>
        <form id={form} onSubmit={submit}>
          <Stack gap="sm">
            <Text size="sm" component="div">
              {children}
            </Text>
            <ProblemNote error={error} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={shut}>
                Not now
              </Button>
              <Button type="submit" loading={isPending} disabled={!isReady} {...(danger && { color: 'red' })}>
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
