// The paths below /console/ for people who are not signed in, or lack a passkey. They are known before anything of them is loaded.

const doors = ['sign-in', 'passkey', 'set-up', 'invitation', 'reset'] as const
export type Door = (typeof doors)[number]

export const isDoor = (path: string): path is Door => (doors as readonly string[]).includes(path)
