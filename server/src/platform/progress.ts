// Shows the progress of long-running work in a terminal.

export function barOf({ done, of }: { done: number; of: number }, width = 30): string {
  const filled = Math.floor(Math.min(1, done / of) * width)
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}

/** Replaces the previous text, and cuts the new one off at the terminal's width. */
export function redraw(text: string): void {
  process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns || 120) - 1)}`)
}
