import { MultiSelect } from '@mantine/core'
import { useState } from 'react'
import { opposite } from '../../ui/amounts.ts'
import { api } from '../../ui/api.ts'
import { type Field, FormAction } from '../../ui/form.tsx'
import { words } from '../../ui/words.ts'
import { nostroRails } from '../../values.made.ts'

/** The sign of the amount, which is typed without one. */
const sides: Readonly<Record<string, string>> = { ours: 'In our favour', theirs: 'Overdrawn' }

const fields: readonly Field[] = [
  { name: 'name', label: 'Name', hint: 'For display.', placeholder: 'Settlement bank' },
  { name: 'bic', label: 'BIC', hint: 'BIC of the settlement bank.' },
  { name: 'account', label: 'Account', hint: 'The IBAN or number as it appears on statements.', whole: true },
  { name: 'currency', label: 'Currency', placeholder: 'EUR' },
  {
    name: 'prefunding',
    label: 'Prefunding',
    hint: 'The balance before the first statement.',
    placeholder: '0.00',
    amount: { currencyIn: 'currency', isZeroAllowed: true },
  },
  { name: 'side', label: 'That balance is', choices: ['ours', 'theirs'], nameOf: (side) => sides[side] ?? side },
]

export function AddNostro() {
  const [chosen, setChosen] = useState<string[]>([])
  return (
    <FormAction
      operation="createNostro"
      label="Add a nostro"
      size="lg"
      fields={fields}
      initial={{ currency: 'EUR', side: 'ours' }}
      more={
        <MultiSelect
          label="Rails"
          required
          description="The rails that settle on this account."
          data={nostroRails.map((rail) => ({ value: rail, label: words(rail) }))}
          value={chosen}
          onChange={setChosen}
        />
      }
      isReady={chosen.length > 0}
      run={({ side, prefunding = '', ...given }) =>
        api.operator.nostros.create({ ...given, prefunding: side === 'theirs' ? opposite(prefunding) : prefunding, rails: chosen } as never)
      }
      done="The nostro was added."
      after={() => setChosen([])}
    >
      The first statement must open with the prefunding. A nostro cannot be changed, and each rail settles a currency on one nostro.
    </FormAction>
  )
}
