// Rules for tables and statements, so that the database can be distributed by venture over several servers: the rows of a venture are then
// on one shard, and the coordinator sends each statement to the shards that it concerns.

export const rules = {
  key: 'The primary key of a table begins with venture_id, by which its rows are distributed.',
  claim: 'The primary key of a table of claims is the claimed name alone.',
  unique: 'A unique index contains venture_id. A name that is unique across ventures is claimed in a table of its own.',
  reference: 'A foreign key between distributed tables contains venture_id on both sides, and none connects a shard with the coordinator.',
  default: 'Columns have constant defaults. Times, random values and transaction numbers differ between servers.',
  time: 'A writing statement takes times and random values as parameters, and a reading statement uses none inside CASE or COALESCE.',
  lock: 'A statement that locks rows compares venture_id with parameters: one venture, or the keys of a batch as arrays.',
  venture: 'A statement restricts every distributed table to given ventures instead of searching all of them.',
}

export type Rule = keyof typeof rules
export type Finding = { rule: Rule; where: string }
