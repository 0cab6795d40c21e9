// The settings of the bank that holds the accounts: its name, its BIC and the form of its account numbers.
import type { Given, Settings } from '../platform/config.ts'
import { StartupError } from '../platform/startup-error.ts'
import { parseBic } from '../values/bic.ts'
import { bbanLengthOf } from '../values/iban.ts'
import { accountShape, minAccountPart } from './accounts.number.ts'

/** These values belong to no bank and are for trying things out. */
const invented = { BANK_COUNTRY: 'LT', BANK_CODE: '99990', BANK_BIC: 'VOSTLT21XXX', BANK_NAME: 'Vostro Sandbox Bank' } as const

export const accountsSettings = {
  BANK_COUNTRY: { default: invented.BANK_COUNTRY, meaning: "the country of the bank's IBANs, as two letters", parse: ibanCountry },
  BANK_CODE: {
    default: invented.BANK_CODE,
    meaning: "the bank's code, which begins the national part of each account number",
    parse: bankCode,
  },
  BANK_BIC: { default: invented.BANK_BIC, meaning: "the bank's BIC", parse: bic },
  BANK_NAME: { default: invented.BANK_NAME, meaning: "the bank's name in payments, at most 140 characters", parse: bankName },
} satisfies Settings

export type BankConfig = { country: string; code: string; bic: string; name: string }

export type AccountsConfig = { bank: BankConfig }

export function accountsConfig(given: Given<typeof accountsSettings>): AccountsConfig {
  const [country, code] = [given.BANK_COUNTRY ?? invented.BANK_COUNTRY, given.BANK_CODE ?? invented.BANK_CODE]
  if (accountShape({ country, code }) === undefined) {
    throw new StartupError(
      `The setting BANK_CODE must be a code that account numbers in ${country} can begin with, and leave at least ${minAccountPart} more characters, not "${code}".`,
    )
  }
  return { bank: { country, code, bic: given.BANK_BIC ?? invented.BANK_BIC, name: given.BANK_NAME ?? invented.BANK_NAME } }
}

/** The settings that still have their invented values. The invented country may well be the country of a real bank. */
export function inventedSettings({ code, bic, name }: BankConfig): string[] {
  const values = { BANK_CODE: code, BANK_BIC: bic, BANK_NAME: name }
  return (['BANK_CODE', 'BANK_BIC', 'BANK_NAME'] as const).filter((setting) => values[setting] === invented[setting])
}

function ibanCountry(text: string): string {
  const country = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : ''
  if (bbanLengthOf(country) === undefined) throw new Error(`must be the two letters of a country that has IBANs, not "${text}"`)
  return country
}

function bankCode(text: string): string {
  if (!/^[A-Za-z0-9]+$/.test(text)) throw new Error(`must consist of letters and digits, not "${text}"`)
  return text.toUpperCase()
}

function bic(text: string): string {
  const bic = parseBic(text)
  if (bic === undefined) throw new Error(`must be a BIC of 8 or 11 characters, not "${text}"`)
  return bic
}

function bankName(text: string): string {
  if (text.length > 140 || /\p{C}/u.test(text)) throw new Error('must be a name of at most 140 characters, without control characters')
  return text
}
