// The attacker's site on its own ports: as a neighbour of the bank (the same host, so same-site cookies are sent) and as a stranger.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Site = { neighbour: string; stranger: string; close(): Promise<void> }

/** Every path is the same empty page; tests fill it. */
export async function openSite(): Promise<Site> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><title>You have won</title><body></body>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    neighbour: `http://127.0.0.1:${port}`,
    stranger: `http://localhost:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Something that a page of the attacker asks the bank for. `body` is JSON. */
export type Wanted = { method: string; path: string; body?: object; venture?: string }

/**
 * Every way for a page to send a request to another origin. Runs in the page; resolves to what it could read of the responses, which must be nothing.
 */
export function sendEverything(origin: string, wanted: readonly Wanted[]): string {
  return `(async ([origin, wanted]) => {
    const read = []
    const settled = []
    const frame = (name) => Object.assign(document.body.appendChild(document.createElement('iframe')), { name })
    const until = (element, ...events) => new Promise((resolve) => {
      for (const event of events) element.addEventListener(event, () => resolve(), { once: true })
      // Blocked requests and downloads may not report an error.
      setTimeout(resolve, 2_000)
    })
    const tryFetch = async (url, options) => {
      try {
        const answer = await fetch(url, { credentials: 'include', signal: AbortSignal.timeout(60_000), ...options })
        if (answer.type !== 'opaque') read.push(options.method + ' ' + url + ' ' + answer.status)
      } catch {}
    }
    const submit = async (url, { method = 'POST', enctype, fields }) => {
      const inner = frame('frame-' + Math.random())
      const form = document.body.appendChild(document.createElement('form'))
      Object.assign(form, { method, action: url, enctype, target: inner.name })
      for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement('input'), { name, value }))
      const loaded = until(inner, 'load', 'error')
      form.submit()
      await loaded
    }
    const show = async (tag, place, url, more = {}) => {
      const element = Object.assign(document.createElement(tag), more)
      const loaded = until(element, 'load', 'error')
      element[place] = url
      document.body.append(element)
      await loaded
    }
    for (const { method, path, body, venture } of wanted) {
      const url = origin + path
      const text = JSON.stringify(body ?? {})
      const headers = { 'content-type': 'application/json', 'x-vostro-console': '1', ...(venture && { 'vostro-venture': venture }) }
      const fields = Object.fromEntries(Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]))
      if (method !== 'GET') {
        settled.push(
          tryFetch(url, { method, headers, body: text }),
          tryFetch(url, { method, body: text }),
          tryFetch(url, { method: 'POST', mode: 'no-cors', body: text }),
          tryFetch(url, { method: 'POST', mode: 'no-cors', body: new URLSearchParams(fields) }),
          tryFetch(url + '?_method=' + method, { method: 'POST', mode: 'no-cors', keepalive: true, body: text }),
          submit(url, { enctype: 'application/x-www-form-urlencoded', fields: { ...fields, _method: method } }),
          submit(url, { enctype: 'multipart/form-data', fields }),
          // One field whose name and value together are JSON.
          submit(url, { enctype: 'text/plain', fields: { [text.slice(0, -1) + (text.length > 2 ? ',' : '') + '"x":"']: '"}' } }),
        )
        navigator.sendBeacon(url, new Blob([text], { type: 'text/plain' }))
        try { navigator.sendBeacon(url, new Blob([text], { type: 'application/json' })) } catch {}
      }
      settled.push(
        tryFetch(url, { method: 'GET', headers }),
        tryFetch(url, { method: 'GET' }),
        tryFetch(url, { method: 'GET', mode: 'no-cors' }),
        submit(url, { method: 'GET', fields }),
        show('img', 'src', url),
        show('script', 'src', url),
        show('link', 'href', url, { rel: 'stylesheet' }),
        show('iframe', 'src', url),
        new Promise((resolve) => {
          const source = new EventSource(url, { withCredentials: true })
          source.onopen = () => read.push('a stream of ' + url)
          source.onerror = () => resolve(source.close())
          setTimeout(resolve, 2_000)
        }),
      )
    }
    await Promise.all(settled)
    return read
  })(${JSON.stringify([origin, wanted])})`
}
