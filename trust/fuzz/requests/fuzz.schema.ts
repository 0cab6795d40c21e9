// The part of JSON Schema that the routes use.

export type Schema = {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: unknown
}

/** `signed`: JSON in an envelope that the verifier signs. */
export type Encoding = 'json' | 'form' | 'signed' | 'none'

export function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type
}
