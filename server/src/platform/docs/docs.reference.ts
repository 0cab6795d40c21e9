// The reference: Scalar's viewer for our contract. Its script is the only file of the service that browsers may cache.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Html, html, strictPolicy } from '../http/html.ts'
import { icon } from './docs.layout.ts'
import { kept, type Packed } from './docs.packed.ts'

/** `name` changes with the content, so browsers may cache the file forever. */
export type ReferenceScript = Packed & { name: string }

/** Built at the first request, because most processes never need it. */
export const referenceScript = kept(packInThread)

/** In a separate thread, whose memory is released afterwards: the vendor's package is 4 MB of source that only this needs. */
async function packInThread(): Promise<ReferenceScript> {
  const [made] = await once(new Worker(new URL('docs.reference.worker.ts', import.meta.url)), 'message')
  return made as ReferenceScript
}

const configuration = {
  url: '/openapi.json',
  authentication: { preferredSecurityScheme: 'bearer' },
  // The viewer connects only to us, not even to its vendor.
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
}

const start = `Scalar.createApiReference('#app', ${JSON.stringify(configuration).replaceAll('<', '\\u003c')})`
const startHash = createHash('sha256').update(start).digest('base64')

/** The viewer is a program, but it loads nothing from other hosts. This policy makes the browser enforce that. */
export const referencePolicy = `${strictPolicy}; script-src 'self' 'sha256-${startHash}'; connect-src 'self'; font-src 'self' data:`

export async function referencePage(): Promise<string> {
  const { name } = await referenceScript()
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vostro API</title><link rel="icon" href="${icon}"></head>
<body><div id="app"></div>
<noscript><p>The reference needs JavaScript. Without it there are the <a href="/openapi.json">OpenAPI document</a> and the <a href="/docs/guides">guides</a>.</p></noscript>
<script src="/docs/js/${name}"></script>
<script>${new Html(start)}</script></body></html>
`.text
}
