// Watch lists for tests, in the plainest of the formats.

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
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\ncontent-type: text/csv\r\n\r\n`),
    Buffer.from(content as Uint8Array),
    Buffer.from('\r\n'),
  ])
  const payload = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
  return { payload, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}
