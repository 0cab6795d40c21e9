// The programs of a Patroni cluster, which are not part of Vostro: from Debian's packages, or wherever they are in PATH.
import { join } from 'node:path'
import { program, run } from '../../../server/src/testing/testing.programs.ts'

export type Programs = {
  etcd: string
  patroni: string
  haproxy: string
  /** The folder with the programs of PostgreSQL. */
  binaries: string
}

/** What Patroni runs on its own, and the embedded PostgreSQL lacks some of. */
const ofPostgres = ['postgres', 'initdb', 'pg_ctl', 'pg_controldata', 'pg_basebackup', 'pg_rewind']

/** The programs, or a sentence that names the missing one. `binaries`: the folder of the PostgreSQL programs, if there is one. */
export function findPrograms(binaries: string | undefined): Programs | string {
  const etcd = program('etcd', { version: '--version', from: 'etcd-server' })
  const patroni = program('patroni', { version: '--version', from: 'patroni' })
  const haproxy = program('haproxy', { version: '-v', from: 'haproxy' })
  const found = { 'etcd-server': !etcd.missing, patroni: !patroni.missing, haproxy: !haproxy.missing, 'postgresql-15': isWhole(binaries) }
  const missing = Object.entries(found).flatMap(([name, is]) => (is ? [] : [name]))
  if (binaries !== undefined && missing.length === 0) return { etcd: etcd.path, patroni: patroni.path, haproxy: haproxy.path, binaries }
  return `The scenarios with Patroni are skipped, because programs are missing: on Debian, install ${missing.join(', ')}.`
}

function isWhole(binaries: string | undefined): boolean {
  return binaries !== undefined && ofPostgres.every((name) => run(join(binaries, name), ['--version']).status === 0)
}
