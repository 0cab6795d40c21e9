// Clients.
import type { Client, ListClientsQuery, PersonRegistration } from '@vostro/sdk'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'

const id = idOf('client')
const outcomes = ['APPROVED', 'DECLINED', 'REVIEW', 'ABORTED'] as const

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
  action({
    words: ['clients', 'verify'],
    summary: "In the sandbox: decide a client's verification, after the onboarding details were submitted.",
    args: [id, { name: 'OUTCOME', describe: 'What the verifier decides.', choices: outcomes }],
    act: (vostro, [id = '', outcome]) => vostro.sandbox.clients.decideVerification(id, { outcome: outcome as (typeof outcomes)[number] }),
  }),
]
