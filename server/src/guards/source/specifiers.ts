// What a file imports, for the guards.

/** The relative paths that a file imports or re-exports from: values and types, static and dynamic. */
export function specifiersIn(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import)\s*\(?\s*(['"])(\.[^'"]+)\1/g)].map(([, , specifier = '']) => specifier)
}

const computed = /\bimport\s*\((?!\s*['"][^'"]*['"]\s*[),]).*/g
const absolute = /\b(?:from|import)\s*\(?\s*['"](?:\/|file:|#|@vostro\/).*/g
const required = /\brequire\(['"`]?[./].*/g

/** Imports that the guards cannot follow to a file: computed and absolute paths, and `require`. */
export function hiddenImportsIn(text: string): string[] {
  const code = text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  return [computed, absolute, required].flatMap((kind) => code.match(kind) ?? [])
}
