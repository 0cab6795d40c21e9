// The seam: given to `node --import` with a bug in its address, it changes one piece of one file of the product while that file is loaded.
// The product does not know of it, and a process that was not started with it cannot have a bug from here.
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
