// What a client accepts, in its own order of preference.
import type { FastifyRequest } from 'fastify'

/** The values of an Accept header with their weights, between 0 and 1; 0 means "not this one". */
function weightsIn(header: string | string[] | undefined): Map<string, number> {
  const parts = String(header ?? '').split(',')
  return new Map(
    parts.map((part) => {
      const [value = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
      return [value, Number.isNaN(weight) ? 0 : weight]
    }),
  )
}

/** Browsers ask for HTML by name. Everyone else, including clients that accept anything, gets JSON. */
export function prefersHtml({ headers }: FastifyRequest): boolean {
  const weights = weightsIn(headers.accept)
  const html = weights.get('text/html') ?? 0
  return html > 0 && html >= (weights.get('application/json') ?? 0)
}

/** The best of our encodings that the client accepts. */
export function encodingFor({ headers }: FastifyRequest): 'br' | 'gzip' | 'identity' {
  const weights = weightsIn(headers['accept-encoding'])
  const isAccepted = (encoding: string) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  return (['br', 'gzip'] as const).find(isAccepted) ?? 'identity'
}
