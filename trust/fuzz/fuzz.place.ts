// A test bank for building a world. Nothing runs in the background there: a turn does the pending work.
import { provideSandboxNostro } from '../../server/src/sandbox/bank/sandbox.bank.nostro.ts'
import type { Bank } from '../../server/src/testing/testing.ts'

export async function openPlace(bank: Bank) {
  await provideSandboxNostro(bank.database)
  const { adminApiKey = '', kycApiKey = '', kycWebhookSecrets } = bank.config
  return {
    url: await bank.listen(),
    keys: { admin: adminApiKey, relay: kycApiKey, webhookSecret: kycWebhookSecrets[0] ?? '' },
    async turn() {
      await bank.lists.refresh()
      await bank.runProcessing()
      await bank.runSending()
      await bank.services.simulatedBank?.cycle()
      await bank.runInbox()
      await bank.runJobs()
      await bank.runDeliveries()
      await bank.services.requests.flush()
    },
  }
}
