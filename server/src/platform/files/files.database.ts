// The store of files in the database. Its table is on no path that payments take.
import { now } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { read, write } from '../database/sql.ts'
import type { FileKey, FileStore } from './files.ts'

export function filesInDatabase(database: Database): FileStore {
  return {
    put: ({ venture_id, id }, bytes) =>
      database.transaction(async (tx) => {
        tx.evidence = read`select id from stored_files where venture_id = ${venture_id} and id = ${id}`
        tx.send(write`
          insert into stored_files (venture_id, id, bytes, created_at) values (${venture_id}, ${id}, ${bytes}, ${now().toISOString()})`)
      }),
    async get({ venture_id, id }) {
      const found = await database.first(read<{ bytes: Buffer }>`
        select bytes from stored_files where venture_id = ${venture_id} and id = ${id}`)
      return found?.bytes
    },
    delete: (keys) =>
      database.transaction(async (tx) => {
        for (const [venture_id, of = []] of Object.entries(Object.groupBy(keys, (key) => key.venture_id)))
          tx.send(write`delete from stored_files where venture_id = ${venture_id} and id = any(${of.map(({ id }) => id)})`)
      }),
    list: ({ venture_id, from, until, after, limit }) =>
      database.rows(read<FileKey>`
        select venture_id, id from stored_files
        where venture_id = ${venture_id} and created_at between ${from} and ${until} and id > ${after} order by id limit ${limit}`),
  }
}
