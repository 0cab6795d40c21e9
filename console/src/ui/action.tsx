// What people do: a button that asks before it acts, says what came of it, lets people prove again who they are, and says when a second person has
// to agree.
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

/** Whoever has a passkey and has signed in with the password has to use it now. Whose role needs one is asked for it at the entrance. */
async function wantsProof(error: unknown, queries: QueryClient): Promise<boolean> {
  if (codeOf(error) === 'reauthentication_required') return true
  if (codeOf(error) !== 'passkey_required') return false
  return !(await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })).passkey_required
}

/** What somebody of the bank asked for is done only after a second person has agreed. */
export function isApproval(result: unknown): result is Approval {
  return typeof result === 'object' && result !== null && 'maker_id' in result && 'payload_hash' in result && 'state' in result
}

function tellOfApproval({ id, state, approvers }: Approval): void {
  if (state !== 'PENDING') return
  const isStuck = approvers === 0
  notifications.show({
    title: 'A second person has to agree',
    message: (
      <>
        {isStuck && 'Your request waits, and nobody else at the bank can approve it yet. '}
        <Anchor inherit renderRoot={(props) => <Link {...props} to={`/bank/approvals/${id}`} />}>
          {isStuck ? 'Let in another admin' : 'Show the approval that waits'}
        </Anchor>
      </>
    ),
    color: 'orange',
    autoClose: isStuck ? 30_000 : 15_000,
  })
}

export type ActionOptions<Result> = Doing<Result> & {
  /** Whoever may not do it does not see it. */
  operation: Operation
  label: string
  /** Of the dialog, where the label alone would not say enough. */
  title?: string
  /** What happens, in a sentence, with the fields that it needs. */
  children: ReactNode
  /** Whether what is filled in will do. */
  isReady?: boolean
  danger?: boolean
  button?: ButtonProps
  /** How wide the dialog is, for many fields. */
  size?: 'md' | 'lg' | 'xl'
  /** Fills the fields anew before they are shown. */
  onOpen?(): void
}

/** A button whose dialog says what it does before it does it. */
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
