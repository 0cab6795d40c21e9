import { VostroProblem } from '@vostro/sdk'

export function Problem({ error }: { error: unknown }) {
  if (error === undefined) return null
  const text = error instanceof VostroProblem ? error.detail : 'There is no answer from the service. Check your connection and try again.'
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

/** What the service says about a field. */
export function faultOf(error: unknown, field: string): string | undefined {
  return error instanceof VostroProblem ? error.errors.find((one) => one.field === field)?.message : undefined
}
