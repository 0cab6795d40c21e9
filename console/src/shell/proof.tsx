// Asks people to confirm their identity with a passkey, or with the password if they have none.
import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState, useSyncExternalStore } from 'react'
import { api } from '../ui/api.ts'
import { Dialog } from '../ui/dialog.tsx'
import { proveByPasskey } from '../ui/passkeys.ts'
import { ProblemNote } from '../ui/problem.tsx'
import { proof } from '../ui/proof.ts'
import { sessionQuery, useSession } from '../ui/session.ts'

export function Proof() {
  const isAsked = useSyncExternalStore(proof.subscribe, proof.isAsked)
  const queries = useQueryClient()
  const { has_passkey } = useSession()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const doing = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      proof.given()
      setPassword('')
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void doing(() => api.session.reauthenticate({ password }))
  }
  return (
    <Dialog isOpen={isAsked} onClose={proof.refused} title="Confirm it is you" zIndex={400}>
      <Stack gap="sm">
        <Text size="sm">This is a sensitive action. Confirm your identity{has_passkey ? ' with your passkey' : ''}.</Text>
        {has_passkey ? (
          <>
            <ProblemNote error={error} />
            <Button loading={isBusy} onClick={() => void doing(proveByPasskey)} data-autofocus>
              Use a passkey
            </Button>
          </>
        ) : (
          <form onSubmit={submit}>
            <Stack gap="sm">
              <PasswordInput
                label="Password"
                autoComplete="current-password"
                value={password}
                onChange={(e) => setPassword(e.currentTarget.value)}
              />
              <ProblemNote error={error} />
              <Button type="submit" loading={isBusy} disabled={password === ''}>
                Confirm
              </Button>
            </Stack>
          </form>
        )}
      </Stack>
    </Dialog>
  )
}
