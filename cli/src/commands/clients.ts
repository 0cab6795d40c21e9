import { writeFileSync } from 'node:fs'
import type { Client, ListClientsQuery, PersonRegistration } from '@vostro/sdk'
import { UsageError } from '../failures.ts'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'
import { kycOutcomes } from '../values.made.ts'

const id = idOf('client')

export const clientCommands: readonly Command[] = [
  listing<ListClientsQuery, Client>({
    words: ['clients', 'list'],
    summary: 'List clients, newest first.',
    filters: { kyc_status: 'Only clients whose verification is in this status.', search: 'Only clients that contain this text.' },
    columns: ['id', 'created_at', 'kyc_status', 'first_name', 'last_name', 'email', 'country_code'],
    list: (vostro, query) => vostro.clients.list(query),
  }),
  action({ words: ['clients', 'get'], summary: 'Show a client.', args: [id], act: (vostro, [id = '']) => vostro.clients.get(id) }),
  action({
    words: ['clients', 'create'],
    summary: 'Register a person.',
    details:
      'For example: vostro clients create first_name=Ada last_name=Lovelace date_of_birth=1990-12-10 email=ada@example.com nationality=FRA\n' +
      'birth_country=GBR country_of_tax_residence=FRA country_code=FRA address="1 rue de la Paix" city=Paris postcode=75002 organization_id:=1',
    fields: true,
    act: (vostro, _, fields) => vostro.clients.registerPerson(fields as PersonRegistration),
  }),
  {
    words: ['clients', 'export'],
    summary: 'Save all data stored about a client as a ZIP archive.',
    details: "Contains what the venture may see. With the admin key and --venture, it also contains the bank's internal data.",
    args: [id, { name: 'FILE', describe: 'The file to write. It must not exist.', file: true }],
    async run(call) {
      const [id = '', file = ''] = call.args
      // The archive is read completely first, so that a failure leaves no partial file.
      const archive = await call.vostro().clients.export(id, { timeout_ms: 900_000 })
      const bytes = new Uint8Array(await archive.arrayBuffer())
      try {
        writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 })
      } catch (error) {
        throw new UsageError(`${file} cannot be written: ${(error as Error).message}.`)
      }
      call.out.object({ file, bytes: bytes.length })
    },
  },
  action({
    words: ['clients', 'verify'],
    summary: 'In the sandbox: decide the verification of a client whose onboarding details were submitted.',
    args: [id, { name: 'OUTCOME', describe: 'What the verifier decides.', choices: kycOutcomes }],
    act: (vostro, [id = '', outcome]) =>
      vostro.sandbox.clients.decideVerification(id, { outcome: outcome as (typeof kycOutcomes)[number] }),
  }),
]
