// Every operation of the service with its declaration, for code that deals with all operations rather than one request.
import type { RefusalCode } from '../../values/refusals.ts'
import type { Access } from './access.ts'
import type { AuditRule } from './declaration.ts'
import type { Example } from './examples.ts'

/** `url`: with parameter names, as in `/api/v1/accounts/:account_id`. */
export type DeclaredOperation = {
  access: Access
  audit: AuditRule | undefined
  refusals: readonly RefusalCode[]
  example: Example
  method: string
  url: string
}

export class Operations {
  readonly #declared = new Map<string, DeclaredOperation>()

  declare(operationId: string, operation: DeclaredOperation): void {
    this.#declared.set(operationId, operation)
  }

  /** In the order of their registration. */
  list(): [operationId: string, operation: DeclaredOperation][] {
    return [...this.#declared]
  }

  accessOf(operationId: string): Access {
    const operation = this.#declared.get(operationId)
    if (operation === undefined) throw new Error(`there is no operation ${operationId}`)
    return operation.access
  }
}
