/** The words of a text, each once, whatever separates them. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]
}
