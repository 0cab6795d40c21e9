// Reads stored data directly from the database: a fingerprint that changes with every written row.
import pg from 'pg'

type Print = Record<string, string>

/** The last use of these is written some time after the request, so their rows are compared without it. */
const writtenLater: Readonly<Record<string, string>> = { api_keys: 'last_used_at', sessions: 'last_seen_at' }

export class Storage {
  readonly #owner: pg.Client
  #tables: { name: string; tenant: boolean }[] = []

  constructor(owner: pg.Client) {
    this.#owner = owner
  }

  async open(): Promise<void> {
    // Jobs name their venture, but they are transient work, not data of the venture.
    const { rows } = await this.#owner.query(`
      select relname as name, relname <> 'jobs'
        and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'venture_id') as tenant
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p') and not relispartition and nspname = 'public' order by relname`)
    this.#tables = rows
  }

  /**
   * How many rows each table has and which transactions wrote them: an insert or a delete changes the former, an update the latter.
   * `of`: the rows of one venture only.
   */
  async print({ of, except = [] }: { of?: string; except?: readonly string[] } = {}): Promise<Print> {
    const tables = this.#tables.filter(({ name, tenant }) => !except.includes(name) && (of === undefined || tenant))
    const where = of === undefined ? '' : `where venture_id = ${pg.escapeLiteral(of)}`
    const counts = tables.map(({ name }) => {
      const table = pg.escapeIdentifier(name)
      const use = writtenLater[name]
      const writer = use === undefined ? 'xmin::text::bigint' : `hashtextextended((to_jsonb(${table}) - '${use}')::text, 0)`
      return `select ${pg.escapeLiteral(name)} as name, count(*) || '/' || coalesce(sum(${writer}), 0) as state from ${table} ${where}`
    })
    const { rows } = await this.#owner.query(counts.join(' union all '))
    return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
  }

  /** Everything that identifies a venture's rows in a response: their ids and other unique values. */
  async marksOf(venture_id: string): Promise<string[]> {
    const { rows } = await this.#owner.query(`
      select attname as column, relname as table from pg_attribute join pg_class on pg_class.oid = attrelid
        join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = 'public' and relkind in ('r', 'p') and not relispartition and attnum > 0
        and attname in ('id', 'journal_id', 'account_number', 'token', 'secret', 'gateway_order_id', 'gateway_order_number', 'kyc_application_id')`)
    const marks = new Set<string>([venture_id])
    for (const { table, column } of rows) {
      if (!this.#tables.some(({ name, tenant }) => tenant && name === table)) continue
      const name = pg.escapeIdentifier(column)
      const found = await this.#owner.query(
        `select ${name}::text as mark from ${pg.escapeIdentifier(table)} where venture_id = $1 and ${name} is not null`,
        [venture_id],
      )
      for (const { mark } of found.rows) marks.add(mark)
    }
    return [...marks]
  }

  /** Whether there are due jobs, transfers to process, or messages between banks. Waiting transfers have a delay. */
  async hasDueWork(): Promise<boolean> {
    const { rows } = await this.#owner.query(`
      select exists (select from jobs where state = 'READY' and due_at < now() + interval '2 seconds') or exists (
        select from transfers transfer left join processing_delays delay
          on delay.venture_id = transfer.venture_id and delay.transfer_id = transfer.id and delay.sequence = transfer.sequence
        where transfer.managed and delay.transfer_id is null
          and transfer.status in ('CREATED', 'RESERVED', 'RECEIVED', 'AML_APPROVED', 'SENT_TO_PACK', 'SENT_TO_CLEAR'))
        or exists (select from rail_messages where state = 'SEALED')
        or exists (select from sandbox_bank_files where state = 'WAITING')
        or exists (select from sandbox_bank_payments where next_at < now() + interval '2 seconds') as due`)
    return rows[0].due
  }
}

export function changedIn(before: Print, after: Print): string[] {
  return Object.keys(after).filter((name) => before[name] !== after[name])
}
