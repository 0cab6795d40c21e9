// Walks: several moves of a transfer in a row, each of which must be allowed. Also orders and moves that must be refused.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Loose, VentureCaller } from './testing.ts'

export const screening = 'READY_FOR_SCREENING AML_SCANNING AML_APPROVED'
export const sending = `RESERVED ${screening} READY_TO_CLEAR SENT_TO_CLEAR`

/** Moves a transfer through statuses separated by spaces. `more` is sent with each move. Returns the transfer after the last one. */
export async function walk(venture: VentureCaller, { id }: { id: string }, statuses: string, more: object = {}): Promise<Loose> {
  let last: Loose
  for (const status of statuses.split(' ')) {
    const answer = await venture.put(`/transfers/${id}`, { status, ...more })
    assert.equal(answer.status, 200, `${status}: ${answer.text}`)
    last = answer.body
  }
  return last
}

/** Sends an order that must be refused with this code, and returns the problem. */
export async function refusedOrder(venture: VentureCaller, order: object, code: string): Promise<Loose> {
  const { problem, text } = await venture.post('/transfers', { unique_reference: randomUUID(), ...order })
  assert.equal(problem?.code, code, text)
  return problem
}

/** Requests a move that must be refused with this code, and returns the problem. */
export async function refusedMove(venture: VentureCaller, { id }: { id: string }, status: string, code: string): Promise<Loose> {
  const { problem, text } = await venture.put(`/transfers/${id}`, { status })
  assert.equal(problem?.code, code, text)
  return problem
}
