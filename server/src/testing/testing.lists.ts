// Watch lists for tests, in the simplest format.
import { randomUUID } from 'node:crypto'
import type { Answer, Bank, Caller, Loose } from './testing.ts'

/** A list in the format OPENSANCTIONS, with the given names. A name may have a kind, a birth date, countries and identifiers. */
export type ListedForTest =
  | string
  | { name: string; schema?: string; birth_date?: string; countries?: string; identifiers?: string; id?: string }

const header = 'id,schema,name,aliases,birth_date,countries,identifiers,sanctions,dataset'

export function someList(...listed: readonly ListedForTest[]): string {
  const rows = listed.map((one, number) => {
    const {
      name,
      schema = 'Person',
      birth_date = '',
      countries = '',
      identifiers = '',
      id = `T-${number}`,
    } = typeof one === 'string' ? { name: one } : one
    return [id, schema, name, '', birth_date, countries, identifiers, 'Test list', 'test'].map((field) => `"${field}"`).join()
  })
  return [header, ...rows, ''].join('\n')
}

/** A form with files, as an HTTP client sends it. */
export function formOf(files: Readonly<Record<string, string | Uint8Array>>): { payload: Buffer; headers: Record<string, string> } {
  const boundary = 'a-boundary-that-no-list-contains'
  const parts = Object.entries(files).flatMap(([name, content]) => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n`),
    Buffer.from(content as Uint8Array),
    Buffer.from('\r\n'),
  ])
  const payload = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

/** A watch list of a bank, as its people use it. */
export class TestList {
  readonly bank: Bank
  readonly list: Loose

  constructor(bank: Bank, list: Loose) {
    this.bank = bank
    this.list = list
  }

  static async open(bank: Bank, changes: object = {}): Promise<TestList> {
    const { body } = await bank.admin.post('/operator/watchlists', { name: `list-${randomUUID()}`, format: 'OPENSANCTIONS', ...changes })
    return new TestList(bank, body)
  }

  get path(): string {
    return `/operator/watchlists/${this.list.id}`
  }

  send(files: Readonly<Record<string, string | Uint8Array>>, by: Caller = this.bank.admin): Promise<Answer> {
    return by.send({ method: 'POST', url: `/api/v1${this.path}/versions`, ...formOf(files) })
  }

  import(...listed: readonly ListedForTest[]): Promise<Answer> {
    return this.send({ list: someList(...listed) })
  }

  activate({ id }: { id: string }, body: object = {}, by: Caller = this.bank.admin): Promise<Answer> {
    return by.post(`${this.path}/versions/${id}/activate`, body)
  }

  async activeVersion(): Promise<string | null> {
    return (await this.bank.admin.get(this.path)).body.active_version_id
  }

  /** Imports a version, activates it however small it is, and loads it. */
  async publish(...listed: readonly ListedForTest[]): Promise<Loose> {
    const { body: version } = await this.import(...listed)
    const { status, body, text } = await this.activate(version, { force: true })
    if (status !== 200) throw new Error(text)
    await this.bank.lists.refresh()
    return body
  }
}
