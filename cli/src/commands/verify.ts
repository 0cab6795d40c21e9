// Verifies the service's whole database.
import { type VerificationReport, type Vostro, VostroProblem } from '@vostro/sdk'
import { exits, Refused } from '../failures.ts'
import { printable } from '../output.ts'
import type { Call, Command } from '../table.ts'
import { until } from '../waiting.ts'

export const verifyCommands: readonly Command[] = [
  {
    words: ['verify'],
    summary: 'Check all invariants of the books while the service runs. Needs the admin key.',
    details: 'Exits with 0 if all invariants hold. Otherwise lists the violations with sample rows.',
    async run(call) {
      const { out } = call
      const bank = call.bank()
      const id = await startOrJoin(bank, call)
      const stopped = call.stopped()
      const run = await until(() => bank.operator.verifications.get(id), {
        stopped,
        onStopped: 'The verification continues in the background. `vostro verify` shows the progress.',
        willDo({ status, done, invariants, step }) {
          out.progress({ done, of: invariants, step: step ?? '' })
          return status !== 'RUNNING'
        },
      })
      if (run.status === 'FAILED') throw new Refused(`The verification failed: ${run.detail}`)
      out.result(run, () => reportOf(run))
      return run.broken.length === 0 ? exits.ok : exits.refused
    },
  },
]

async function startOrJoin(bank: Vostro, { out }: Call): Promise<string> {
  try {
    return (await bank.operator.verifications.start()).id
  } catch (error) {
    if (!(error instanceof VostroProblem) || error.code !== 'verification_running') throw error
    const { items } = await bank.operator.verifications.list({ limit: 1 }).page()
    const [running] = items
    if (running === undefined) throw error
    out.note('A verification is already running. Showing its progress.')
    return running.id
  }
}

function reportOf({ broken, invariants, findings }: VerificationReport): string {
  if (broken.length === 0) return `All ${invariants} invariants hold.`
  const details = findings.flatMap(({ name, meaning, violations, examples }) => [
    `${name}: ${violations}. ${meaning}`,
    ...examples.map((row) => `    ${row}`),
  ])
  return printable([...details, '', `${broken.length} of ${invariants} invariants are broken.`].join('\n'))
}
