import type { Beneficiary, ListBeneficiariesQuery, NewBeneficiary } from '@vostro/sdk'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'

const id = idOf('beneficiary')

export const beneficiaryCommands: readonly Command[] = [
  listing<ListBeneficiariesQuery, Beneficiary>({
    words: ['beneficiaries', 'list'],
    summary: 'List beneficiaries, newest first.',
    filters: {
      client_id: 'Only beneficiaries of this client.',
      display: 'Only beneficiaries that apps show (true) or hide (false).',
      search: 'Only beneficiaries that contain this text.',
    },
    columns: ['id', 'client_id', 'name', 'iban', 'bank_name', 'display'],
    list: (vostro, query) => vostro.beneficiaries.list(query),
  }),
  action({
    words: ['beneficiaries', 'get'],
    summary: 'Show a beneficiary.',
    args: [id],
    act: (vostro, [id = '']) => vostro.beneficiaries.get(id),
  }),
  action({
    words: ['beneficiaries', 'create'],
    summary: 'Add a beneficiary for a client.',
    details:
      'For example: vostro beneficiaries create client_id=… name="Charles Babbage" beneficiary_type=PERSON iban=DE89370400440532013000',
    fields: true,
    act: (vostro, _, fields) => vostro.beneficiaries.create(fields as NewBeneficiary),
  }),
]
