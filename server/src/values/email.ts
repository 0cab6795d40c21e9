// Email addresses in common use: plain ASCII, without the quotes, comments and bare hosts that the RFCs also allow.

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
// A top-level domain begins with a letter, which distinguishes it from an IP address.
const pattern = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=[A-Za-z])(?!.$)${label}$`)

/** Returns the address unchanged: the owner of the domain decides whether the part before the @ is case-sensitive. */
export function parseEmail(text: string): string | undefined {
  return text.length <= 254 && pattern.test(text) ? text : undefined
}

/** The key for comparing addresses: no mail system in use distinguishes addresses by case. */
export function emailKey(email: string): string {
  return email.toLowerCase()
}
