// Public documents, compressed once and kept in memory.
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from '../http/accept.ts'

export type Packed = { type: string; br: Uint8Array; gzip: Uint8Array }

/** For text of several megabytes, a higher quality takes seconds and saves little. */
const brotliQuality = 5

export async function pack(type: string, content: string | Uint8Array): Promise<Packed> {
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    promisify(gzip)(content),
  ])
  return { type, br, gzip: zipped }
}

export async function sendPacked(request: FastifyRequest, reply: FastifyReply, packed: Packed): Promise<FastifyReply> {
  const encoding = encodingFor(request)
  reply.header('vary', 'accept-encoding').type(packed.type)
  // The uncompressed text is rarely requested, so it is not kept in memory.
  if (encoding === 'identity') return reply.send(await promisify(gunzip)(packed.gzip))
  return reply.header('content-encoding', encoding).send(packed[encoding])
}

/** Builds the value at the first request and keeps it, unless building fails. */
export function kept<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
