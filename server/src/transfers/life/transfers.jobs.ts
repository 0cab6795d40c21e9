// The jobs that transfers leave to other folders.

/** The job that gives money back to a payer whose account is in this bank, too. */
export const onUsReturn = 'return-on-us'

/** The job that returns to another bank what it has sent, or answers what it has collected. The rails have it. */
export const givenBack = 'give-back'

/** The job that goes on with money which a statement has shown. The processing has it. */
export const moneyShown = 'money-shown'

/** The job that compares money which no account can take with the watch lists. The processing has it. */
export const screenedUnapplied = 'screen-unapplied'
