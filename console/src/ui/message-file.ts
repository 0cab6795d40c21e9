import { api } from './api.ts'

/** Larger messages are only offered for download. */
export const shownUpTo_bytes = 500_000

/** Byte for byte. */
export async function fileOf(id: string): Promise<Blob> {
  return (await api.operator.messages.getFile(id)) as unknown as Blob
}
