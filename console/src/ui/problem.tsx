// An error, with what support needs to investigate it.
import { Alert, Code, Text } from '@mantine/core'
import { VostroProblem } from '@vostro/sdk'
import { Copyable } from './copyable.tsx'
import { passkeyTrouble } from './passkeys.words.ts'

export const codeOf = (error: unknown): string | undefined => (error instanceof VostroProblem ? error.code : undefined)

export function ProblemNote({ error, title }: { error: unknown; title?: string }) {
  if (error === null || error === undefined) return null
  if (!(error instanceof VostroProblem)) {
    const trouble = passkeyTrouble(error, location.origin)
    const usual = trouble === undefined ? 'The service did not respond.' : 'The passkey was not used.'
    return (
      <Alert color="red" variant="light" title={title ?? usual} role="alert">
        {trouble ?? (error instanceof Error ? error.message : String(error))}
      </Alert>
    )
  }
  return (
    <Alert color="red" variant="light" title={title ?? error.title} role="alert">
      <Text size="sm">{error.detail}</Text>
      {error.errors.length > 0 && (
        <ul className="problem-fields">
          {error.errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <Code>{field}</Code> {message}
            </li>
          ))}
        </ul>
      )}
      <Text size="xs" mt={6}>
        <Code>{error.code}</Code> · request <Copyable text={error.request_id} />
      </Text>
    </Alert>
  )
}
