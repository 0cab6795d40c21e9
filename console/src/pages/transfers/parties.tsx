import { SimpleGrid } from '@mantine/core'
import type { Transfer } from '@vostro/sdk'
import { Copyable } from '../../ui/copyable.tsx'
import { countryOf } from '../../ui/countries.ts'
import { Block, Facts } from '../../ui/page.tsx'
import { ibanOf } from '../../ui/words.ts'

export function Parties({ transfer }: { transfer: Transfer }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Party title="From" side="dr" transfer={transfer} />
      <Party title="To" side="cr" transfer={transfer} />
    </SimpleGrid>
  )
}

function Party({ title, side, transfer }: { title: string; side: 'cr' | 'dr'; transfer: Transfer }) {
  const { [`${side}_iban` as const]: iban, [`${side}_account_id` as const]: number, [`${side}_bank_bic` as const]: bic } = transfer
  const place = [transfer[`${side}_postal_code`], transfer[`${side}_city`]].filter(Boolean).join(' ')
  const country = transfer[`${side}_country_code`]
  return (
    <Block title={title}>
      <Facts
        facts={[
          ['Name', transfer[`${side}_name`]],
          ['IBAN', iban && <Copyable text={iban} shown={ibanOf(iban)} label="Copy the IBAN" />],
          ['Account number', number && <Copyable text={number} label="Copy the account number" />],
          ['Bank', transfer[`${side}_bank_name`]],
          ['BIC', bic && <Copyable text={bic} label="Copy the BIC" />],
          ['Address', [transfer[`${side}_address`], place, country && countryOf(country)].filter(Boolean).join(', ')],
        ]}
      />
    </Block>
  )
}
