// The file of a message.
import { api } from './api.ts'

/** Larger messages are downloaded and not shown. */
export const shownUpTo_bytes = 500_000

/** The exact bytes. */
export async function fileOf(id: string): Promise<Blob> {
  return (await api.operator.messages.getFile(id)) as unknown as Blob
}
