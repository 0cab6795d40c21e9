// How the guards make a valid request of an operation (guards/matrix/). Without a trial they send its example, with the ids of their fixtures.

/** What the fixtures make anew for each request. Its values, by their names, replace those of the example and of the standing fixtures. */
export type Fresh =
  | 'activeAccount'
  | 'approval'
  | 'bankInvitation'
  | 'bankKey'
  | 'bankPayment'
  | 'break'
  | 'cardSale'
  | 'case'
  | 'clearing'
  | 'client'
  | 'credential'
  | 'credentials'
  | 'deadJob'
  | 'email'
  | 'endpoint'
  | 'invitation'
  | 'key'
  | 'link'
  | 'listName'
  | 'managed'
  | 'mandate'
  | 'mandateReference'
  | 'member'
  | 'message'
  | 'nostro'
  | 'pack'
  | 'passkey'
  | 'password'
  | 'payment'
  | 'pendingAccount'
  | 'related'
  | 'sent'
  | 'session'
  | 'suspended'
  | 'text'
  | 'transfer'
  | 'unapplied'
  | 'venture'
  | 'watchlist'

/** Who sends it, where it is not the caller that the access names first. */
export type Sender = 'bankAdmin' | 'newMember' | 'newSession' | 'newVenture'

/**
 * theirs: another venture's id is treated like an unknown one. anybodys: any caller with access who has the id may use it.
 * cursor: a position in an order, for which no row need exist. label: the caller's own name for something, which others may use too.
 * filter: in a list over all ventures; nothing has an unknown id, so the list is empty.
 * claimed: unique across ventures; a taken one is refused without revealing who has it.
 */
export type Kind = 'theirs' | 'anybodys' | 'cursor' | 'label' | 'filter' | 'claimed'

export type Trial = {
  fresh?: Fresh | readonly Fresh[]
  by?: Sender
  /** Instead of those of the example. Null leaves out an id that the fixtures would give. */
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  /** Kinds of ids that differ from the default for their names. */
  kinds?: Readonly<Record<string, Kind>>
  /** Fields of the answer that show that the request was carried out. */
  answers?: Readonly<Record<string, unknown>>
}
