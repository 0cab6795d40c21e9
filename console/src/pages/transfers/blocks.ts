// Why a move is blocked: a short label for the diagram and a sentence for the table, by the service's codes.

const blocks: Record<string, readonly [short: string, sentence: string]> = {
  screening_required: ['Not screened yet', 'The transfer has not been screened. It must first be ready for screening and scanned.'],
  reservation_required: ['Money not reserved', 'Its money is not reserved on the account. It must first be Reserved.'],
  already_reserved: ['Already reserved', 'Its money is already reserved.'],
  not_sent: ['Not sent yet', 'The transfer has not been sent to the clearing scheme.'],
  not_received: ['Not received yet', 'The money has not arrived. The transfer must first be Received.'],
  already_sent: ['Already sent', 'The transfer has been sent. Only the scheme’s answer can end it.'],
  in_suspense: ['Money in suspense', 'The money has arrived. It must be credited, returned or frozen.'],
  account_closed: ['Account closed', 'A closed account takes no bookings.'],
  not_cleared: ['Not cleared yet', 'The authorisation still holds money. Clear or reverse the rest first.'],
  client_blocked: ['Client blocked', 'The client is blocked, blacklisted or declined.'],
  account_frozen: ['Account frozen', 'The bank has frozen the account.'],
  signature_not_requested: ['No signature needed', 'The transfer needs no signature, or is already signed.'],
  not_yours_to_sign: ['Venture must sign', 'The venture ordered the transfer, so the bank cannot sign it.'],
  signer_not_allowed: ['Other signer needed', 'The policy requires another signer, such as a person other than the one who ordered it.'],
  reserved_to_bank: ['Reserved to the bank', 'The bank processes this venture’s transfers and makes this move itself.'],
  decided_by_case: ['Decided by its case', 'The transfer has an open case. The decision of the case moves it.'],
  sent_by_rails: ['Sent by the rails', 'The transfer leaves in a message. The rails mark it as sent.'],
  settled_on_us: ['Settled on us', 'The payee’s account is at this bank. The service settles both sides.'],
  venture_disabled: ['Venture disabled', 'The venture is disabled.'],
}

/** A label that fits into a box of the diagram. */
export const shortBlock = (code: string): string => blocks[code]?.[0] ?? 'Not possible now'

export const blockSentence = (code: string): string => blocks[code]?.[1] ?? 'The service refuses this move now.'
