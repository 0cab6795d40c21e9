/** Whether a browser would open it as a page of the web. Whatever else an address can be, such as a script, is none. */
export function isWebAddress(text: string): boolean {
  try {
    return ['https:', 'http:'].includes(new URL(text).protocol)
  } catch {
    return false
  }
}
