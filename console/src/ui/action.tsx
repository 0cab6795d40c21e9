// Action buttons: confirm in a dialog, ask for a proof of identity if the service requires one, report the result, and say when a second
// person must approve.
import { Anchor, Button, type ButtonProps, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Approval } from '@vostro/sdk'
import { type FormEvent, type ReactNode, useId } from 'react'
import { AmountNotes, WithAmountNotes } from './amount-notes.tsx'
import { Dialog } from './dialog.tsx'
import { codeOf, ProblemNote } from './problem.tsx'
import { askForProof } from './proof.ts'
import { type Operation, sessionQuery, useMay } from './session.ts'

type Doing<Result> = {
  run(): Promise<Result>
  /** The notification after success. */
  done: string | ((result: Result) => ReactNode)
  after?(result: Result): void
}

/** Runs the operation, asks for a proof of identity if required, and then refetches the page's queries. */
export function useDoing<Result>({ run, done, after }: Doing<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      try {
        return await run()
      } catch (error) {
        if (!(await wantsProof(error, queries))) throw error
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

/** People with a passkey who signed in with the password must use the passkey now. If their role requires one, the entrance asks for it. */
async function wantsProof(error: unknown, queries: QueryClient): Promise<boolean> {
  if (codeOf(error) === 'reauthentication_required') return true
  if (codeOf(error) !== 'passkey_required') return false
  return !(await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })).passkey_required
}

/** Whether the result is an approval, which waits for a second person. */
export function isApproval(result: unknown): result is Approval {
  return typeof result === 'object' && result !== null && 'maker_id' in result && 'payload_hash' in result && 'state' in result
}

function tellOfApproval({ id, state, approvers }: Approval): void {
  if (state !== 'PENDING') return
  const isStuck = approvers === 0
  notifications.show({
    title: 'A second person must approve',
    message: (
      <>
        {isStuck && 'Your request is waiting, but nobody else at the bank can approve it yet. '}
        <Anchor inherit renderRoot={(props) => <Link {...props} to={`/bank/approvals/${id}`} />}>
          {isStuck ? 'Add another admin' : 'Show the approval'}
        </Anchor>
      </>
    ),
    color: 'orange',
    autoClose: isStuck ? 30_000 : 15_000,
  })
}

export type ActionOptions<Result> = Doing<Result> & {
  /** Hidden from people who may not perform the operation. */
  operation: Operation
  label: string
  /** Title of the dialog, if the label is not enough. */
  title?: string
  /** A sentence about the effect, and the fields. */
  children: ReactNode
  /** Whether the form is complete. */
  isReady?: boolean
  danger?: boolean
  button?: ButtonProps
  /** Width of the dialog, for forms with many fields. */
  size?: 'md' | 'lg' | 'xl'
  /** Resets the fields before they are shown. */
  onOpen?(): void
}

/** A button with a confirmation dialog. */
export function Action<Result>({
  operation,
  label,
  title = label,
  children,
  isReady = true,
  danger = false,
  button,
  size = 'md',
  onOpen,
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
  const show = () => {
    onOpen?.()
    open()
  }
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
      <Button
        size="sm"
        variant={danger ? 'outline' : 'default'}
        {...(danger && { color: 'red' })}
        {...button}
        onClick={show}
        {...(title !== label && { 'aria-label': title })}
      >
        {label}
      </Button>
      <Dialog isOpen={isOpen} onClose={shut} title={title} size={size}>
        <WithAmountNotes>
          <form id={form} onSubmit={submit}>
            <Stack gap="sm">
              <Text size="sm" component="div">
                {children}
              </Text>
              <ProblemNote error={error} />
              <Group justify="flex-end" gap="xs">
                <AmountNotes />
                <Button variant="default" onClick={shut}>
                  Not now
                </Button>
                <Button type="submit" loading={isPending} disabled={!isReady} {...(danger && { color: 'red', mod: { danger } })}>
                  {label}
                </Button>
              </Group>
            </Stack>
          </form>
        </WithAmountNotes>
      </Dialog>
    </>
  )
}
