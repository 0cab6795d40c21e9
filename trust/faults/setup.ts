// The subject of an experiment: a bank, its ventures, and a record of their responses.
import type { Bank } from './bank.ts'
import type { Book } from './load/book.ts'
import type { World } from './load/world.ts'

export type Setup = { bank: Bank; world: World; book: Book }
