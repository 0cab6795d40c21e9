// Ids contain the time of their creation in their first twelve digits (UUID version 7), by the clock of the service.
import { randomFillSync, randomUUID } from 'node:crypto'
import { V7Generator } from 'uuidv7'
import { now_ms } from './clock.ts'

/** Stands for the bank among the ventures: the operator's key belongs to none of them. */
export const bankId = '00000000-0000-0000-0000-000000000000'

/** Drawn for hundreds of ids at a time: one call for each id took 2 % of the time of a create. */
const random = new Uint32Array(1_024)
let drawn = random.length

function nextUint32(): number {
  if (drawn === random.length) {
    randomFillSync(random)
    drawn = 0
  }
  return random[drawn++] as number
}

const generator = new V7Generator({ nextUint32 })

/** Each is greater than the one before, in this process. */
export function uuidv7(): string {
  return generator.generateOrResetWithTs(now_ms()).toString()
}

/**
 * Ids for rows of which there is one for each request: they are cheaper, because one random number is drawn for all of them.
 * Who knows one of them can guess others, so they suit only what is found by its owner. Each is greater than the one before.
 */
export class RowIds {
  /** The last 62 bits differ between instances. */
  readonly #end = randomUUID().slice(18)
  #time_ms = 0
  #begin = ''
  #count = 0

  /** Returns the time as well, which is later than the clock says if that was set back. */
  next(): { id: string; at_ms: number } {
    const time_ms = now_ms()
    if (time_ms > this.#time_ms) this.#startAt(time_ms)
    else if (this.#count === mostOfOneMillisecond) this.#startAt(this.#time_ms + 1)
    const id = `${this.#begin}${(this.#count++).toString(16).padStart(3, '0')}${this.#end}`
    return { id, at_ms: this.#time_ms }
  }

  #startAt(time_ms: number): void {
    this.#time_ms = time_ms
    this.#begin = firstIdAt(new Date(time_ms)).slice(0, 15)
    this.#count = 0
  }
}

/** As many as three digits count. */
const mostOfOneMillisecond = 4_096

/** The smallest id of a time. */
export function firstIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** The time of an id. */
export function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
