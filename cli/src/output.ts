// Output of commands: tables and lines for people, JSON for programs. Notes and progress go to stderr.

export type Stream = { write(text: string): unknown; isTTY?: boolean; columns?: number }

export type Row = { readonly [name: string]: unknown }

export class Output {
  readonly json: boolean
  readonly #out: Stream
  readonly #err: Stream
  #hasBar = false

  constructor({ json, out, err }: { json: boolean; out: Stream; err: Stream }) {
    this.json = json
    this.#out = out
    this.#err = err
  }

  get isTerminal(): boolean {
    return this.#out.isTTY === true
  }

  /** The result: JSON for programs, text for people. */
  result(value: unknown, text: string | (() => string)): void {
    this.clear()
    this.#out.write(`${this.json ? JSON.stringify(value, null, 2) : printable(typeof text === 'string' ? text : text())}\n`)
  }

  /** One of several results: a line of JSON for programs. */
  item(value: unknown, text: string): void {
    this.clear()
    this.#out.write(`${this.json ? JSON.stringify(value) : printable(text)}\n`)
  }

  /** A note for people, apart from the result. */
  note(text: string): void {
    this.clear()
    this.#err.write(`${printable(text)}\n`)
  }

  list(rows: readonly object[], columns: readonly string[]): void {
    this.result(rows, () => (rows.length === 0 ? 'Nothing found.' : tableOf(rows as readonly Row[], columns)))
  }

  object(value: object): void {
    this.result(value, () => recordOf(value as Row))
  }

  /** A progress bar in a terminal; otherwise a line for each tenth. */
  progress({ done, of, step }: { done: number; of: number; step: string }): void {
    const share = of === 0 ? 0 : Math.min(1, done / of)
    if (this.#err.isTTY) {
      const width = 30
      const bar = '█'.repeat(Math.floor(share * width)).padEnd(width, '░')
      const line = `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${printable(step)}`
      this.#err.write(`\r\u001b[K${line.slice(0, (this.#err.columns ?? 120) - 1)}`)
      this.#hasBar = true
      return
    }
    const tenth = Math.floor(share * 10)
    if (tenth === this.#tenth) return
    this.#tenth = tenth
    this.#err.write(`${`${tenth * 10} %  ${printable(step)}`.trimEnd()}\n`)
  }

  #tenth = -1

  /** Clears the bar. */
  clear(): void {
    if (!this.#hasBar) return
    this.#hasBar = false
    this.#err.write('\r\u001b[K')
  }
}

/** Replaces control characters, so that data from the service cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) => (character === '\n' ? character : '\ufffd'))
}

/** `1 entry`, `2 entries`. */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

export function cell(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'object') return printable(JSON.stringify(value))
  return printable(String(value)).replaceAll('\n', ' ')
}

export function tableOf(rows: readonly Row[], columns: readonly string[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => [...(line[at] ?? '')].length)))
  return lines
    .map((line) =>
      line
        .map((text, at) => text + ' '.repeat((widths[at] ?? 0) - [...text].length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function recordOf(record: Row): string {
  const entries = Object.entries(record)
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n')
}
