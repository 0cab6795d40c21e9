// The process that reads and validates large files, one after the other.
import { MessageFault } from './iso20022.faults.ts'
import { readMessage, validateMessage } from './iso20022.read.ts'
import type { FromChild, ToChild } from './iso20022.reader.ts'

async function answer({ what, bytes }: ToChild): Promise<FromChild> {
  const rss_bytes = process.memoryUsage.rss()
  try {
    const result = what === 'read' ? await readMessage(bytes) : await validateMessage(bytes)
    return { ok: true, result, rss_bytes: process.memoryUsage.rss() }
  } catch (error) {
    // libxml2 has failed in a way that leaves it unusable: the process must end with it.
    if (error instanceof Error && error.name === 'RuntimeError') process.abort()
    if (!(error instanceof MessageFault)) return { ok: false, bug: String(error instanceof Error ? error.stack : error), rss_bytes }
    const { reason, detail, path } = error
    return { ok: false, fault: { reason, detail, path }, rss_bytes: process.memoryUsage.rss() }
  }
}

process.on('message', (asked: ToChild) => {
  void answer(asked).then((result) => process.send?.(result))
})
