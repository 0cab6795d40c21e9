import type { Beneficiary } from '@vostro/sdk'
import { type Choice, Picker } from '../../ui/picker.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { ibanOf } from '../../ui/words.ts'

type Options = {
  client: string | undefined
  value: string
  chosen: Beneficiary | undefined
  onChange(id: string): void
}

export function BeneficiaryPicker({ client, value, chosen, onChange }: Options) {
  const api = useVentureApi()
  const venture = useVenture()
  const find = async (search: string) => {
    if (client === undefined) return []
    const { items } = await api.beneficiaries.list({ client_id: client, limit: 20, ...(search !== '' && { search }) }).page()
    return items.map(choiceOf)
  }
  return (
    <Picker
      label="To the beneficiary"
      placeholder={client === undefined ? 'Choose the account first' : 'Type to search'}
      disabled={client === undefined}
      name={[venture, 'beneficiaries', client]}
      find={find}
      value={value}
      preset={chosen && choiceOf(chosen)}
      onChange={onChange}
    />
  )
}

const choiceOf = ({ id, name, iban, account_number }: Beneficiary): Choice => ({
  value: id,
  label: [name, iban === null ? account_number : ibanOf(iban)].filter(Boolean).join(' · '),
})
