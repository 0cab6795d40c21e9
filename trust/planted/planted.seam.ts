// A loader hook for `node --import`, with a bug in its URL: it changes one piece of one file of the product while that file is loaded.
// The product does not refer to it, and a process that was started without it cannot contain a planted bug.
import { registerHooks } from 'node:module'
import { type Change, plant, urlOf } from './planted.bug.ts'

const change: Change = JSON.parse(new URL(import.meta.url).searchParams.get('change') ?? '')
const changed = urlOf(change.file)

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (url !== changed) return loaded
    return { ...loaded, source: plant(change, String(loaded.source)) }
  },
})
