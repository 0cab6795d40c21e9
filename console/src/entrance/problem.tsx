import { VostroProblem } from '@vostro/sdk'
import { passkeyTrouble } from '../ui/passkeys.words.ts'

const noAnswer = 'The service did not respond. Check your connection and try again.'

export function Problem({ error }: { error: unknown }) {
  if (error === undefined) return null
  const text = error instanceof VostroProblem ? error.detail : (passkeyTrouble(error, location.origin) ?? noAnswer)
  return (
    <p className="entrance-problem" role="alert">
      {text}
      {error instanceof VostroProblem && (
        <small>
          {error.code} · request {error.request_id}
        </small>
      )}
    </p>
  )
}

/** The error of a field in a refusal. */
export function faultOf(error: unknown, field: string): string | undefined {
  return error instanceof VostroProblem ? error.errors.find((one) => one.field === field)?.message : undefined
}
