// A loader hook for `node --import`, with a change in its URL: it replaces one piece of one file while that file is loaded. The file itself stays as it
// is. The product does not refer to the hook, and a process without the hook contains no change.
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

/** `was`: the text of the file from `start` to `end`. */
export type Change = { path: string; start: number; end: number; was: string; replace: string }

export function changed({ path, start, end, was, replace }: Change, text: string): string {
  if (text.slice(start, end) !== was) throw new Error(`${path} has changed in the meantime`)
  return text.slice(0, start) + replace + text.slice(end)
}

export function seamOf(change: Change): string {
  const seam = new URL(import.meta.url)
  seam.searchParams.set('change', JSON.stringify(change))
  return seam.href
}

const passed = new URL(import.meta.url).searchParams.get('change')
if (passed !== null) {
  const change: Change = JSON.parse(passed)
  const target = pathToFileURL(change.path).href
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      return url === target ? { ...loaded, source: changed(change, String(loaded.source)) } : loaded
    },
  })
}
