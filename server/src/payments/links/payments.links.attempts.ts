// A page is given an attempt, which its form sends back. Whoever presses the button twice sends the same one twice and begins one payment:
// its order number is made from the attempt and from what was sent with it, so it is found again by its number.
import { createHash, randomUUID } from 'node:crypto'

export const newAttempt = () => randomUUID()

/** Ten characters, as the gateway wants them. */
export function orderNumberOf(attempt: string, sent: object): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([attempt, sent]))
    .digest('hex')
  return (BigInt(`0x${hash}`) % 36n ** 10n).toString(36).toUpperCase().padStart(10, '0')
}
