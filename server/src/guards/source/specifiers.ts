// What a file imports, for the guards.

/** The relative paths that a file imports or re-exports from: values and types, static and dynamic. */
export function specifiersIn(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*(['"])(\.[^'"]+)\1/g)].map(([, , specifier = '']) => specifier)
}
