// How a file arrives and leaves over HTTP.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../values/refusals.ts'
import type { App } from '../http/http.ts'
import { type CheckedFile, checkFile, type FileType } from './files.ts'

/** For the contract: the only part of the form. */
export const fileParts = {
  file: 'The file, with its name and its type: application/pdf, image/png, image/jpeg or text/plain. At most 10 MiB.',
} as const

export const fileRefusals = ['file_too_large', 'file_type_invalid'] as const

/** Makes the routes of `app`, which must have a context of their own, take a file. */
export function takeFiles(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('multipart/form-data', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => bytes)
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async () =>
    refuse('unsupported_media_type', { detail: 'Send the file with Content-Type: multipart/form-data.' }),
  )
}

/** The file in the body. */
export async function fileIn({ body, headers }: Pick<FastifyRequest, 'body' | 'headers'>): Promise<CheckedFile> {
  if (!Buffer.isBuffer(body)) refuse('malformed_body', { detail: 'The body is empty. Send one file, as the part `file` of a form.' })
  const parts = await partsOf(body, headers['content-type'] ?? '')
  const [[name, file] = []] = parts
  if (parts.length !== 1 || name !== 'file' || file === undefined || typeof file === 'string')
    refuse('malformed_body', { detail: 'The form must have exactly one part, `file`, with the name of the file.' })
  return checkFile({ name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) })
}

async function partsOf(body: Buffer, type: string): Promise<[string, File | string][]> {
  try {
    const form = await new Response(body as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } }).formData()
    return [...form] as [string, File | string][]
  } catch {
    return refuse('malformed_body', { detail: 'The body is not complete multipart/form-data.' })
  }
}

/**
 * Sends a file as a download of its stored type. Others chose name and content: no browser may guess another type, show it beside our pages,
 * or run anything in it.
 */
export function sendFile(reply: FastifyReply, { name, type, bytes }: { name: string; type: FileType; bytes: Buffer }): FastifyReply {
  const plain = name.replace(/[^A-Za-z0-9._-]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return reply
    .header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`)
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-origin')
    .type(type === 'text/plain' ? 'text/plain; charset=utf-8' : type)
    .send(bytes)
}
