// What one experiment plays in: a bank, the ventures in it, and the books of what they were told.
import type { Bank } from './bank.ts'
import type { Book } from './load/book.ts'
import type { World } from './load/world.ts'

export type Scene = { bank: Bank; world: World; book: Book }
