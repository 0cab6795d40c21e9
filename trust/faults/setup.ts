// What an experiment works on: a bank, the ventures in it, and a record of the responses they got.
import type { Bank } from './bank.ts'
import type { Book } from './load/book.ts'
import type { World } from './load/world.ts'

export type Setup = { bank: Bank; world: World; book: Book }
