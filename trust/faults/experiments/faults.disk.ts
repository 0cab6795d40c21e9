// The database runs out of disk space.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Context, type Experiment, Skipped } from '../experiment.ts'
import { injectFaults } from '../inject-faults.ts'

/** The cluster and its largest write-ahead log must fit, or the disk would be full without us. */
const size_mb = 640
/** The space left over, which the load uses up within moments. */
const left_kb = 256

export const diskFull: Experiment = {
  name: 'disk-full',
  about: 'the file system of the embedded database full, and room again after a while',
  readyWithin_ms: 3_000,
  async run(context) {
    const folder = mountSmall()
    await context.withCleanup(
      async () => unmount(folder),
      () =>
        injectFaults(context, {
          bank: { hosting: 'embedded', dataDir: folder },
          async fault({ bank }) {
            const ballast = fill(folder)
            context.results.faults++
            const before = context.results.refused + context.results.unknown
            await context.pause(2_000, 8_000)
            if (context.results.refused + context.results.unknown === before)
              context.results.notes.push('in one round the disk was full and nobody noticed')
            rmSync(ballast)
            context.results.ready_ms.push(await bank.untilReady())
            await mustWorkAgain(context)
          },
        }),
    )
  },
}

/** A service that is ready must also acknowledge orders again. */
async function mustWorkAgain(context: Context): Promise<void> {
  const before = context.results.acknowledged
  await context.pause(1_000, 1_500)
  if (context.results.acknowledged === before) context.results.broken.push('nothing was acknowledged after there was room again')
}

function mountSmall(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vostro-faults-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size_mb}m,mode=755`, 'vostro-faults', folder], { stdio: 'pipe' })
    return folder
  } catch {
    rmdirSync(folder)
    throw new Skipped('a small file system cannot be mounted here; as root on Linux it can')
  }
}

function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder])
  rmdirSync(folder)
}

function fill(folder: string): string {
  const { bavail, bsize } = statfsSync(folder)
  const path = join(folder, 'ballast')
  const file = openSync(path, 'w')
  const block = Buffer.alloc(64 * 1024, 1)
  try {
    for (let left = bavail * bsize - left_kb * 1024; left > 0; left -= block.length) writeSync(file, block)
  } catch {
    // The database has used up the last of it in the meantime.
  } finally {
    closeSync(file)
  }
  return path
}
