// How far long work has come, for people who watch it in a terminal.

export function barOf({ done, of }: { done: number; of: number }, width = 30): string {
  const filled = Math.floor(Math.min(1, done / of) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}

/** Puts a text in the place of the last one, cut off where the terminal ends. */
export function redraw(text: string): void {
  process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns || 120) - 1)}`)
}
