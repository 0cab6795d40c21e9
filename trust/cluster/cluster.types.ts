// The context of a scene.
import type { Cluster } from '../../server/src/testing/testing.cluster.ts'
import type { Context } from '../faults/experiment.ts'
import type { Setup } from '../faults/setup.ts'

export type Options = {
  /** The folder with the programs of a PostgreSQL that has Citus. */
  binaries: string
  /** How many transactions are followed. */
  transactions: number
  /** How often a worker is killed at least. */
  kills: number
}

export type Scene = { context: Context; cluster: Cluster; setup: Setup }
