// The stand-in for a card gateway of the BPC / RBS family: its REST endpoints, and the pages where a payer enters a test card.
import type { Database } from '../../platform/database/database.ts'
import { takeForms } from '../../platform/http/forms.ts'
import type { App } from '../../platform/http/http.ts'
import { checkoutRoutes } from './sandbox.gateway.checkout.ts'
import { restRoutes } from './sandbox.gateway.rest.ts'

type Options = {
  database: Database
  /** Our public URL. */
  publicUrl(): string
  /** The delay of the test card with the late success. */
  lateBy_s?: number
  /** The longest time for which a request about a silent order hangs. */
  silence_s?: number
}

/** Not secret: they give access only to the sandbox. */
export const sandboxGatewayCredentials = { user: 'sandbox', password: 'sandbox' }

const prefix = '/sandbox/gateway'

/** Mounted at the root; the adapter's address is `<our url>/sandbox/gateway`. */
export async function sandboxGatewayRoutes(app: App, { database, publicUrl, lateBy_s = 15, silence_s = 30 }: Options): Promise<void> {
  await app.register(
    async (gateway: App) => {
      takeForms(gateway)
      restRoutes(gateway, {
        database,
        formUrl: (id) => `${publicUrl()}${prefix}/form/${id}`,
        silence_s,
        credentials: sandboxGatewayCredentials,
      })
      checkoutRoutes(gateway, { database, prefix, lateBy_s })
    },
    { prefix },
  )
}
