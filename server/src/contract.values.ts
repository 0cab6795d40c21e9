// Lists of values that the console offers, generated from those that the service validates requests with.
import { eventTypes } from './events/events.types.ts'
import { messageTypes } from './iso20022/iso20022.ts'
import { accountPurposes, occupationSectors, occupations, sourcesOfFunds } from './onboarding/onboarding.values.ts'
import { currencyCodes, decimalsOf } from './values/currency.ts'

const lists = { accountPurposes, occupations, occupationSectors, sourcesOfFunds, eventTypes, messageTypes }

export function valuesModule(): string {
  const constants = Object.entries(lists).map(
    ([name, values]) => `export const ${name} = [\n${values.map((value) => `  '${value}',\n`).join('')}] as const\n`,
  )
  const decimals = currencyCodes.map((code) => `  ${code}: ${decimalsOf(code)},\n`).join('')
  constants.push(
    `/** How many decimals each currency has. */\nexport const currencyDecimals: Readonly<Record<string, number>> = {\n${decimals}}\n`,
  )
  return `// Values of the contract. Made by \`npm run contract\` from the lists of the service: do not edit.\n${constants.join('\n')}`
}
