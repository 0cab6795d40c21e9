// Which rows a statement is about. Ids are per venture.

export type Key = { venture_id: string; id: string }

export const ventures = (keys: readonly Key[]) => keys.map(({ venture_id }) => venture_id)
export const ids = (keys: readonly Key[]) => keys.map(({ id }) => id)
