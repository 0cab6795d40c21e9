// Records every change of a row, to prove that a request has changed nothing.
import type { Bank } from '../../testing/testing.ts'
import type { Fixtures } from './matrix.fixtures.ts'

export type Watch = {
  /** The current end of the record of changes. */
  position(): Promise<string>
  /** Changes since then to rows that belong to the fixtures. */
  changesSince(position: string, fixtures: Fixtures): Promise<string[]>
}

/**
 * Puts a trigger on every table of the bank. The request log is left out: it is written some time after the response, so a row may come from an
 * earlier request. The same goes for times of last use.
 */
export async function openWatch({ owner }: Bank): Promise<Watch> {
  await owner.query(`
    create schema watch;
    create table watch.changes (n bigint generated always as identity primary key, name text, what text, owned boolean, venture_id text, old text, new text);
    create function watch.note() returns trigger language plpgsql security definer as $$
      declare
        unnoticed text[] := array['last_used_at', 'last_seen_at'];
        before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - unnoticed end;
        after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - unnoticed end;
      begin
        if before is distinct from after then
          insert into watch.changes (name, what, owned, venture_id, old, new)
          values (tg_table_name, tg_op, coalesce(after, before) ? 'venture_id', coalesce(after, before) ->> 'venture_id', before::text, after::text);
        end if;
        return null;
      end $$;
    do $$ declare name text; begin
      for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
        and relname !~ '^requests(_|$)' loop
        execute format('create trigger watch after insert or update or delete on %I for each row execute function watch.note()', name);
      end loop;
    end $$`)
  return {
    async position() {
      const { rows } = await owner.query('select coalesce(max(n), 0)::text as position from watch.changes')
      return rows[0].position
    },
    async changesSince(position, { ids }) {
      // A row of a table without a venture_id, such as a job, belongs to a venture if it contains an id of the venture.
      const { rows } = await owner.query(
        `select name, what, old, new from watch.changes where n > $1
         and case when owned then venture_id = $2 else concat(old, new) like any ($3) end order by n`,
        [position, ids.venture_id, Object.values(ids).map((id) => `%${id}%`)],
      )
      return rows.map(({ name, what, old, new: after }) => `${what} ${name}: ${old ?? ''} -> ${after ?? ''}`)
    },
  }
}
