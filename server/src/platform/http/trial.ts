// How the guards make a valid request of an operation (guards/matrix/). Without a trial they send its example, with the ids of their fixtures.

/** Resources that the fixtures create for each request. Their values replace, by name, those of the example and of the standing fixtures. */
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
  | 'question'
  | 'related'
  | 'sent'
  | 'session'
  | 'subject'
  | 'suspended'
  | 'text'
  | 'transfer'
  | 'unapplied'
  | 'venture'
  | 'watchlist'

/** The sender, if it is not the first caller in the access declaration. */
export type Sender = 'bankAdmin' | 'newMember' | 'newSession' | 'newVenture'

/**
 * theirs: another venture's id is treated like an unknown one. anybodys: any caller with access who has the id may use it.
 * cursor: a position in an order; the row need not exist. label: the caller's own name for something, which others may use too.
 * filter: of a list over all ventures; with an unknown id, the list is empty.
 * claimed: unique across ventures; a taken value is refused without revealing its owner.
 * name: of something of the bank itself, which may be any well-formed word.
 */
export type Kind = 'theirs' | 'anybodys' | 'cursor' | 'label' | 'filter' | 'claimed' | 'name'

export type Trial = {
  fresh?: Fresh | readonly Fresh[]
  by?: Sender
  /** Replace those of the example. Null leaves out an id that the fixtures would fill in. */
  query?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, unknown>>
  /** Kinds of ids, if they differ from the default for the name. */
  kinds?: Readonly<Record<string, Kind>>
  /** Fields of the response that prove that the request was carried out. */
  answers?: Readonly<Record<string, unknown>>
}
