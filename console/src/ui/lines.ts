/** The distinct words of a text, whatever separates them. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]
}
