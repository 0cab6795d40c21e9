// Why a move is blocked: a short label for the diagram and a sentence for the table, by the service's codes.

const blocks: Record<string, readonly [short: string, sentence: string]> = {
  screening_required: ['Not screened yet', 'The transfer has not passed screening.'],
  reservation_required: ['Money not reserved', 'The money must be reserved on the account before the transfer is sent or completed.'],
  already_reserved: ['Already reserved', 'The money for this transfer is already reserved.'],
  not_sent: ['Not sent yet', 'The transfer has not been sent to the clearing scheme yet.'],
  not_received: ['Not received yet', 'The transfer has not been received yet, so there is nothing to screen, credit or return.'],
  already_sent: ['Already sent', 'The transfer has been sent to the clearing scheme, so only the scheme’s answer can end it.'],
  in_suspense: ['Money in suspense', 'The money has been received and is held in suspense. Credit, return or freeze it.'],
  account_closed: ['Account closed', 'The move would book money on a closed account.'],
  not_cleared: ['Not cleared yet', 'The authorisation still holds money. Clear or reverse the rest first.'],
  client_blocked: ['Client blocked', 'The client is blocked, blacklisted or declined.'],
  account_frozen: ['Account frozen', 'The bank has frozen the account, so no money can leave it.'],
  signature_not_requested: ['No signature needed', 'The transfer is not waiting for a signature: it needs none, or it already has one.'],
  not_yours_to_sign: ['Venture must sign', 'A client’s orders are signed on the client’s side. People of the bank cannot sign them.'],
  signer_not_allowed: ['Other signer needed', 'The bank’s policy for the venture does not allow this signer.'],
  reserved_to_bank: ['Reserved to the bank', 'The bank processes this venture’s transfers and reserves this move to itself.'],
  decided_by_case: ['Decided by its case', 'The transfer has an open case, and only the decision of the case can move it.'],
  sent_by_rails: [
    'Sent by the rails',
    'The payment leaves the bank in a message. Only the rails, which write that message, can mark it as sent.',
  ],
  settled_on_us: [
    'Settled within the bank',
    'The payment goes to an account in this bank and has been sent, so the service settles both sides itself.',
  ],
  venture_disabled: ['Venture disabled', 'The venture is disabled.'],
}

/** A label that fits into a box of the diagram. */
export const shortBlock = (code: string): string => blocks[code]?.[0] ?? 'Not possible now'

export const blockSentence = (code: string): string => blocks[code]?.[1] ?? 'The service refuses this move now.'
