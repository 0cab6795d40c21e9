// Email addresses as people have them: plain ASCII, without the quotes, comments and bare hosts that the RFCs would also allow.

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
// A top-level domain begins with a letter, which tells a name from an IP address.
const pattern = new RegExp(`^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=[A-Za-z])(?!.$)${label}$`)

/** The address as it was given: the case of the part before the @ belongs to the mailbox's owner. */
export function parseEmail(text: string): string | undefined {
  return text.length <= 254 && pattern.test(text) ? text : undefined
}

/** What two addresses are compared by: no mail system in use tells them apart by case. */
export function emailKey(email: string): string {
  return email.toLowerCase()
}
