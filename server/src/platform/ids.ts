// Ids contain their creation time in the first twelve digits (UUID version 7), according to the clock of the service.
import { randomFillSync, randomUUID } from 'node:crypto'
import { V7Generator } from 'uuidv7'
import { now_ms } from './clock.ts'

/** Stands for the bank where a venture is expected: the operator's key belongs to no venture. */
export const bankId = '00000000-0000-0000-0000-000000000000'

/** Random numbers for hundreds of ids at a time. Drawing them for each id took 2 % of the time of a create. */
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

/** Within this process, each id is greater than the one before. */
export function uuidv7(): string {
  return generator.generateOrResetWithTs(now_ms()).toString()
}

/**
 * Ids for rows that every request creates. They are cheaper, because one random number is drawn for all of them. A person who knows one can
 * guess others, so they are only suitable for rows that nobody but their owner can find. Each is greater than the one before.
 */
export class RowIds {
  /** The last 62 bits differ between instances. */
  readonly #end = randomUUID().slice(18)
  #time_ms = 0
  #begin = ''
  #count = 0

  /** Also returns the time, which is later than the clock if that was set back. */
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

/** The number of values of three hexadecimal digits. */
const mostOfOneMillisecond = 4_096

/** The smallest id of a time. */
export function firstIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

export function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}
