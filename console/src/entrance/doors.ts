// Paths below /console/ that need no session, or a session without a passkey. A separate file, so that the check loads nothing else.

const doors = ['sign-in', 'passkey', 'set-up', 'invitation', 'reset'] as const
export type Door = (typeof doors)[number]

export const isDoor = (path: string): path is Door => (doors as readonly string[]).includes(path)
