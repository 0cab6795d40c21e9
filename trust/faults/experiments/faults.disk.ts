// There is no more room for the database.
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { disturb } from '../disturb.ts'
import { type Experiment, Skipped, type Stage } from '../stage.ts'

/** The cluster, and the log of transactions at its largest, must fit in, or it would be full without us. */
const size_mb = 640
/** What is left: it is used up within moments. */
const left_kb = 256

export const diskFull: Experiment = {
  name: 'disk-full',
  about: 'the file system of the embedded database full, and room again after a while',
  readyWithin_ms: 3_000,
  async run(stage) {
    const folder = mountSmall()
    await stage.closing(
      async () => unmount(folder),
      () =>
        disturb(stage, {
          bank: { hosting: 'embedded', dataDir: folder },
          async fault({ bank }) {
            const ballast = fill(folder)
            stage.tally.faults++
            const before = stage.tally.refused + stage.tally.unknown
            await stage.pause(2_000, 8_000)
            if (stage.tally.refused + stage.tally.unknown === before)
              stage.tally.notes.push('in one round the disk was full and nobody noticed')
            rmSync(ballast)
            stage.tally.ready_ms.push(await bank.untilReady())
            await mustWorkAgain(stage)
          },
        }),
    )
  },
}

/** Ready is one thing; that orders are acknowledged again is another. */
async function mustWorkAgain(stage: Stage): Promise<void> {
  const before = stage.tally.acknowledged
  await stage.pause(1_000, 1_500)
  if (stage.tally.acknowledged === before) stage.tally.broken.push('nothing was acknowledged after there was room again')
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
    // The database was quicker and has taken the last of it.
  } finally {
    closeSync(file)
  }
  return path
}
