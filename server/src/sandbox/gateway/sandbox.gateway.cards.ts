// The test cards of the sandbox gateway, and their effect on an order.
import type { Form } from '../../platform/http/forms.ts'

/**
 * The effect of a card on an order. `secure`: the payer confirms first. `late`: the payment shows only later. `silent`: the gateway never
 * responds about the order again.
 */
export type Effect = { kind: 'paid' | 'secure' | 'late' | 'silent' } | { kind: 'declined'; action_code: number }

/** The gateway's names of card brands, and how the brands spell themselves. */
export const brandNames = { VISA: 'Visa', MASTERCARD: 'Mastercard' } as const

export type Brand = keyof typeof brandNames

export type TestCard = {
  name: string
  number: string
  payment_system: Brand
  /** The only accepted security code. Undefined: any three digits are accepted. */
  cvv?: string
  effect: Effect
}

export const wrongCvv = 111
export const canceledByPayer = 10
export const sessionExpired = -2007

/** Any future expiry date is accepted. Other numbers are refused, so that nobody tries a real card. */
export const testCards = [
  { name: 'secure', number: '4111111111111111', payment_system: 'VISA', effect: { kind: 'secure' } },
  { name: 'plain', number: '5555555555554444', payment_system: 'MASTERCARD', effect: { kind: 'paid' } },
  { name: 'insufficient_funds', number: '4000000000009995', payment_system: 'VISA', effect: { kind: 'declined', action_code: 116 } },
  { name: 'lost', number: '4000000000009987', payment_system: 'VISA', effect: { kind: 'declined', action_code: 208 } },
  { name: 'wrong_cvv', number: '4000000000000127', payment_system: 'VISA', cvv: '123', effect: { kind: 'paid' } },
  {
    name: 'secure_canceled',
    number: '4000000000003220',
    payment_system: 'VISA',
    effect: { kind: 'declined', action_code: canceledByPayer },
  },
  {
    name: 'session_expired',
    number: '4000000000000069',
    payment_system: 'VISA',
    effect: { kind: 'declined', action_code: sessionExpired },
  },
  { name: 'late', number: '4000000000000077', payment_system: 'VISA', effect: { kind: 'late' } },
  { name: 'silent', number: '4000000000000119', payment_system: 'VISA', effect: { kind: 'silent' } },
] as const satisfies readonly TestCard[]

export type TestCardName = (typeof testCards)[number]['name']

export function effectOf({ cvv, effect }: TestCard, givenCvv: string): Effect {
  return cvv === undefined || cvv === givenCvv ? effect : { kind: 'declined', action_code: wrongCvv }
}

/** The action code with which a card can be declined; undefined if it never is. */
export function declineCodeOf({ cvv, effect }: TestCard): number | undefined {
  if (cvv !== undefined) return wrongCvv
  return effect.kind === 'declined' ? effect.action_code : undefined
}

/** The masked number as the gateway shows it, the only form that is ever stored. */
export function maskedPan({ number }: TestCard): string {
  return `${number.slice(0, 6)}**${number.slice(-4)}`
}

type Meaning = { description: string; resp_code?: string; resp_code_desc?: string }

/** What action codes mean, with the response of the card's bank if it was involved. */
export const actionCodes: ReadonlyMap<number, Meaning> = new Map([
  [-100, { description: 'No attempt to pay was made' }],
  [0, { description: 'Approved', resp_code: '00', resp_code_desc: 'Approved' }],
  [116, { description: 'Not sufficient funds', resp_code: '51', resp_code_desc: 'Insufficient funds' }],
  [208, { description: 'Lost card', resp_code: '41', resp_code_desc: 'Lost card, pick up' }],
  [wrongCvv, { description: 'Wrong CVV' }],
  [canceledByPayer, { description: 'The payer cancelled 3-D Secure' }],
  [sessionExpired, { description: 'The session has expired' }],
])

export type CardErrors = {
  number?: 'number_missing' | 'number_unknown'
  expiry?: 'expiry_malformed' | 'expiry_past'
  cvv?: 'cvv_malformed'
}

type Entry = { kind: 'card'; card: TestCard; cvv: string } | { kind: 'errors'; errors: CardErrors }

/** Checks a payer's input. */
export function readCard(form: Form, now: Date): Entry {
  const number = (form.get('number') ?? '').replace(/[\s-]/g, '')
  const cvv = (form.get('cvv') ?? '').trim()
  const card = testCards.find((card) => card.number === number)
  const expiry = expiryError(form.get('expiry') ?? '', now)
  if (card !== undefined && expiry === undefined && /^\d{3}$/.test(cvv)) return { kind: 'card', card, cvv }
  const errors: CardErrors = {}
  if (card === undefined) errors.number = number === '' ? 'number_missing' : 'number_unknown'
  if (expiry !== undefined) errors.expiry = expiry
  if (!/^\d{3}$/.test(cvv)) errors.cvv = 'cvv_malformed'
  return { kind: 'errors', errors }
}

/** A card is valid until the end of its month. */
function expiryError(text: string, now: Date): CardErrors['expiry'] {
  const [, month, year] = /^\s*(0[1-9]|1[0-2])\s*\/?\s*(?:20)?(\d\d)\s*$/.exec(text) ?? []
  if (month === undefined) return 'expiry_malformed'
  return Date.UTC(2000 + Number(year), Number(month)) <= now.getTime() ? 'expiry_past' : undefined
}
