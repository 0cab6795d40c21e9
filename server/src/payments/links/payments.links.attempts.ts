// The payment page carries an attempt, which its form sends back. A payer who presses the button twice sends the same attempt twice
// and starts one payment: the payment's order number is made from the attempt and everything sent with it, so the second request
// finds the payment by its number.
import { randomUUID } from 'node:crypto'

export const newAttempt = () => randomUUID()

/** The seed of the order number. */
export const seedOf = (attempt: string, sent: object) => JSON.stringify([attempt, sent])
