// Jobs that other folders carry out for transfers.

/** Returns money to a payer whose account is in this bank. */
export const onUsReturn = 'return-on-us'

/** Returns what another bank sent, or answers what it collected. Carried out by rails/. */
export const givenBack = 'give-back'

/** Continues with money that a statement has shown. Carried out by processing/. */
export const moneyShown = 'money-shown'

/** Credits an instant payment that a statement has shown before its confirmation came. Carried out by rails/. */
export const instantShown = 'instant-shown'

/** Looks at an instant payment after it was credited. Carried out by processing/. */
export const instantCredited = 'instant-credited'

/** Screens money that no account can take. Carried out by processing/. */
export const screenedUnapplied = 'screen-unapplied'
