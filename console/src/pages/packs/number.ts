/** The distinctive end of the bank's message ids: `VOSTLT2120270219S000000000069` as `S000000000069`. */
export function numberOf(messageId: string): string {
  return /^[A-Z0-9]{8}\d{8}([A-Z]\d{12})$/.exec(messageId)?.[1] ?? messageId
}
