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
