// Extracts the viewer's script from the vendor's package, compresses it, and ends.
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import { fastify } from 'fastify'
import { pack } from './docs.packed.ts'
import type { ReferenceScript } from './docs.reference.ts'

// The package exposes the script only as a response of its own route.
const vendor = fastify()
await vendor.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } })
const { rawPayload } = await vendor.inject('/js/scalar.js')
const hash = createHash('sha256').update(rawPayload).digest('hex').slice(0, 16)
const script: ReferenceScript = { name: `scalar.${hash}.js`, ...(await pack('text/javascript; charset=utf-8', rawPayload)) }
parentPort?.postMessage(script)
