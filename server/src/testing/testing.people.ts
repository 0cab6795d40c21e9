// A person to register and their details, valid in every field.
import { randomBytes } from 'node:crypto'

/** Only the email is missing, because it must be unique. */
export const person = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  date_of_birth: '1990-12-10',
  nationality: 'FRA',
  birth_country: 'GBR',
  country_of_tax_residence: 'FRA',
  country_code: 'FRA',
  address: '1 rue de la Paix',
  city: 'Paris',
  postcode: '75002',
  organization_id: 7,
}

export function somePerson(changes: object = {}) {
  return { ...person, email: `ada.${randomBytes(6).toString('hex')}@example.com`, ...changes }
}

export const someOnboarding = {
  account_purposes_input: ['PAY_BILLS', 'SALARY'],
  expected_monthly_incoming_volume: 'LESS_THAN1000',
  expected_monthly_outgoing_volume: 'BETWEEN1001_AND5000',
  occupation: 'ENGINEER',
  occupation_sector: 'INFORMATIONAL_TECHNOLOGIES',
  source_of_funds: 'SAVINGS_FROM_SALARY',
  is_us_person: false,
}
