// Why a move is not possible, in a few words for the drawing and in a sentence for the table. The codes are those of the service.

const blocks: Record<string, readonly [short: string, sentence: string]> = {
  screening_required: ['Not screened yet', 'It has not passed the screening: Ready for screening and a scan come first.'],
  reservation_required: ['Money not reserved', 'Its money is not reserved on the account yet: Reserved has to come first.'],
  already_reserved: ['Already reserved', 'Its money is reserved already.'],
  not_sent: ['Not sent yet', 'It has not been sent to the clearing scheme.'],
  not_received: ['Not received yet', 'The money has not arrived: Received has to come first.'],
  already_sent: ['Already sent', 'It has been sent: only an answer of the scheme can end it.'],
  in_suspense: ['Money in suspense', 'The money has arrived: it is credited, returned or frozen, and cannot simply end.'],
  account_closed: ['Account closed', 'Nothing is booked on a closed account.'],
  not_cleared: ['Not cleared yet', 'The authorisation still holds money: clear or reverse the rest first.'],
  client_blocked: ['Client blocked', 'The client is blocked, blacklisted or declined, so no money moves.'],
  account_frozen: ['Account frozen', 'The bank has frozen the account, so no money leaves it.'],
  signature_not_requested: ['No signature wanted', 'It does not wait for a signature: it needs none, or it has one.'],
  not_yours_to_sign: ['The venture signs it', 'The client’s side has ordered it, so nobody at the bank signs it.'],
  signer_not_allowed: ['Somebody else signs', 'The policy wants somebody else to sign it, such as a person who did not order it.'],
  reserved_to_bank: ['Reserved to the bank', 'The bank processes the transfers of this venture, and does this itself.'],
  decided_by_case: ['Decided by its case', 'It has an open case: the decision of the case moves it.'],
  sent_by_rails: ['Sent by the rails', 'It leaves in a message, and only the rails say that it was sent.'],
  settled_on_us: ['Settled by itself', 'It goes to an account in this bank, and the service settles both sides.'],
  venture_disabled: ['Venture disabled', 'The venture is disabled, so nothing new is sent.'],
}

/** A few words that fit into a box. */
export const shortBlock = (code: string): string => blocks[code]?.[0] ?? 'Not possible now'

export const blockSentence = (code: string): string => blocks[code]?.[1] ?? 'The service refuses it now.'
