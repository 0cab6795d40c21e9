// Stores results, with a description of the machine.
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

const [processor] = cpus()

export const machine = `${cpus().length} × ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${process.platform} ${process.arch}`

/** Writes a file to bench/results, which git ignores. */
export async function keepResult(name: string, content: string): Promise<void> {
  const folder = fileURLToPath(new URL('results/', import.meta.url))
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}${name}`, content)
}
