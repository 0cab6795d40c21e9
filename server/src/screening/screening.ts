// Screening: how names are read and compared.
import { readHolder } from './screening.names.ts'
import { similarity } from './screening.similarity.ts'

/** The words of the name of somebody who holds an account; undefined if one of them cannot be read. */
export const holderWords: (name: string) => readonly string[] | undefined = readHolder

/** How similar two words are, from 0 to 1. */
export const wordSimilarity: (first: string, second: string) => number = similarity
