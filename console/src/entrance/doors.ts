// The paths below /console/ at which nobody needs to be signed in. They are known before anything of them is loaded.

const doors = ['sign-in', 'set-up', 'invitation', 'reset'] as const
export type Door = (typeof doors)[number]

export const isDoor = (path: string): path is Door => (doors as readonly string[]).includes(path)
