// Made from openapi.json by make.ts. Do not edit: `npm run contract` makes it again.
import type { Caller, CallOptions, Waiting } from './options.ts'
import type { Pages } from './pages.ts'

/** An account of a client, with its balances. */
export type Account = {
  /** The id of the account. The service assigns it. */
  id: string
  /** The client who holds the account. */
  client_id: string
  /** A name for people, for example in the venture's app. */
  account_name: string
  /** The IBAN of the account, assigned by the service. Money for the account is sent to it. */
  account_number: string
  /** What kind of account it is. The service treats all kinds alike. */
  account_type: 'CURRENT' | 'SAVINGS' | 'ESCROW'
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** `current_balance` minus `reserved_balance`. Below zero if the account is in debt. */
  available_balance: string
  /** The booked balance, including reserved money. */
  current_balance: string
  /** The part of the current balance that is held for transfers that have not ended. */
  reserved_balance: string
  /** PENDING: not activated yet. ACTIVE: can be used. SUSPENDED: frozen, so nothing new can be ordered, but payments under way still settle. CLOSED: permanently. Only activate, freeze and close change it. */
  status: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CLOSED'
  /** When the account was created, in UTC. This is not the time of its activation. */
  opened_date: string
  /** When the account was closed, in UTC; null until then. */
  closed_date: string | null
  /** When money was last booked on the account, in UTC; null if never. */
  last_activity_date: string | null
  /** The maximum amount that may be sent in a UTC day; null for no limit. */
  daily_limit: string | null
  /** The maximum amount that may be sent in a UTC month; null for no limit. */
  monthly_limit: string | null
  /** The maximum amount that may be sent in a UTC year; null for no limit. */
  yearly_limit: string | null
  /** A note by the venture, or null. */
  description: string | null
  /** The id of the account in the venture's own systems, or null. The service does not interpret it. */
  external_account_id: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

/** An account was activated, for the first time or after a freeze. */
export type AccountActivatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'account.activated'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Account
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** An account was closed permanently. */
export type AccountClosedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'account.closed'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Account
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** An account was created. */
export type AccountCreatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'account.created'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Account
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type AccountEntry = {
  /** The id of the entry. Later entries of an account have greater ids. */
  id: string
  /** The journal that this entry belongs to. */
  journal_id: string
  /** The transfer that was booked. */
  transfer_id: string
  /** The account on which it was booked. */
  account_id: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** Positive for money that came in, negative for money that went out. */
  amount: string
  /** The current balance after this entry. */
  balance: string
  /** When it was created, in UTC. */
  created_at: string
}

/** An account was frozen. */
export type AccountFrozenEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'account.frozen'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Account
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A debit that the bank could not refuse, such as a returned direct debit, took the account below zero, or further below it. */
export type AccountOverdrawnEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'account.overdrawn'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Account
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type AccountUpdate = {
  /** A name for people, for example in the venture's app. At most 140 characters. */
  account_name?: string | undefined
  /** A note by the venture; null removes it. */
  description?: string | null | undefined
  /** The maximum amount that may be sent in a UTC day, with no more decimals than the currency has; null for no limit. */
  daily_limit?: string | null | undefined
  /** The maximum amount that may be sent in a UTC month, with no more decimals than the currency has; null for no limit. */
  monthly_limit?: string | null | undefined
  /** The maximum amount that may be sent in a UTC year, with no more decimals than the currency has; null for no limit. */
  yearly_limit?: string | null | undefined
}

/** The name, description or a limit of an account changed. Balance changes only emit transfer events. */
export type AccountUpdatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'account.updated'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Account
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type AdminKey = {
  /** What the admin key may do. EVERYTHING: what an admin of the bank may do alone, as in the sandbox. THIRD_ADMIN: invite the third admin of the bank. NOTHING: it is retired. */
  may: 'EVERYTHING' | 'THIRD_ADMIN' | 'NOTHING'
  /** How many active admins of the bank have a passkey now. */
  admins_with_passkey: number
  /** The number of such admins at which the admin key is retired. */
  admins_needed: number
  /** The recorded steps, in order. They stay, even if an admin loses a passkey later. */
  steps: ({
    /** What the admin key could still do from then on. */
    step: 'EVERYTHING' | 'THIRD_ADMIN' | 'NOTHING'
    /** When this step was first reached, in UTC. */
    at: string
  })[]
  /** What the setting `ADMIN_API_KEY_SCOPE` additionally allows the admin key. */
  scopes: ('health' | 'ventures:read' | 'set-up')[]
  /** The last twenty starts with `ADMIN_API_KEY_SCOPE=set-up`, newest first. After each of them, the admin key could add another admin. */
  set_up_reopened: string[]
  /** For how many days an admin whom the admin key has added counts as related to everyone who was at the bank, unless the bank was being set up. */
  related_days: number
  /** Whether this applies to the next admin whom the admin key adds, with an invitation, or with a set-up link if the key is retired. It applies once the bank has had three people, or if one of them has left or is disabled, and with a set-up link, once it has had anyone at all. */
  next_is_related: boolean
}

export type AmountRule = {
  /** Fires for a payment above an amount. */
  kind: 'amount'
  /** The amount in the currency of the account. A payment of exactly this amount does not count. */
  above: string
}

export type ApiKey = {
  /** The id of the key. It is not a secret. */
  id: string
  /** What the key is for, in the words of the person who created it. */
  name: string
  /** The first twelve characters of the key. */
  prefix: string
  /** What the key may be used for. `clients`, `accounts`, `transfers`, `payments` and `webhooks` change and read their area; `transfers` includes beneficiaries, and `webhooks` includes events. `sign` moves transfers to SIGNED. `read` reads all areas. */
  scopes: ('clients' | 'accounts' | 'transfers' | 'sign' | 'payments' | 'webhooks' | 'read')[]
  /** When the key stops working, in UTC; null if it does not expire. */
  expires_at: string | null
  /** Whether the bank has seen the key, because the bank created it or it was created with such a key. Outside the sandbox, such a key can order nothing in a MANAGED venture. */
  seen_by_bank: boolean
  /** When the key was revoked, in UTC; null while it works. */
  revoked_at: string | null
  /** Updated at most once a minute. */
  last_used_at: string | null
  /** When it was created, in UTC. */
  created_at: string
}

export type ApiKeyUpdate = {
  /** The new name of the key. */
  name: string
}

export type ApiKeyWithSecret = {
  /** The id of the key. It is not a secret. */
  id: string
  /** What the key is for, in the words of the person who created it. */
  name: string
  /** The first twelve characters of the key. */
  prefix: string
  /** What the key may be used for. `clients`, `accounts`, `transfers`, `payments` and `webhooks` change and read their area; `transfers` includes beneficiaries, and `webhooks` includes events. `sign` moves transfers to SIGNED. `read` reads all areas. */
  scopes: ('clients' | 'accounts' | 'transfers' | 'sign' | 'payments' | 'webhooks' | 'read')[]
  /** When the key stops working, in UTC; null if it does not expire. */
  expires_at: string | null
  /** Whether the bank has seen the key, because the bank created it or it was created with such a key. Outside the sandbox, such a key can order nothing in a MANAGED venture. */
  seen_by_bank: boolean
  /** When the key was revoked, in UTC; null while it works. */
  revoked_at: string | null
  /** Updated at most once a minute. */
  last_used_at: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** The API key. It is shown only once; only its SHA-256 hash is stored. */
  api_key: string
}

export type Approval = {
  /** The id of the approval. The service assigns it. */
  id: string
  /** The venture concerned. The zero id stands for the bank. */
  venture_id: string
  /** The action that is carried out when a second person approves. */
  action: string
  /** The resource that the action is about. */
  resource_id: string
  /** The exact contents of the action. */
  payload: { [name: string]: unknown }
  /** The SHA-256 of the payload. */
  payload_hash: string
  /** The effect of the payload: who gets how much from where, or what changes. Null if the payload says it all. */
  subject: {
    /** The client's account that the money leaves or reaches; null if there is none. */
    account_id: string | null
    /** The name of the payer, or null. */
    payer: string | null
    /** The IBAN or the account number of the payer, or null. */
    payer_account: string | null
    /** The name of the payee, or null. */
    payee: string | null
    /** The IBAN or the account number of the payee, or null. */
    payee_account: string | null
    /** The BIC of the payee's bank, or null. */
    payee_bic: string | null
    /** The name of the payee's bank, or null. */
    payee_bank: string | null
    /** The amount that leaves the payer's account, or null. */
    amount: string | null
    /** The ISO 4217 code of the currency of `amount`, or null. */
    currency: string | null
    /** The amount that the payee receives, or null if it equals `amount`. */
    credit_amount: string | null
    /** The ISO 4217 code of the currency of `credit_amount`, or null. */
    credit_currency: string | null
    /** The purpose of the payment, as the payee sees it, or null. */
    purpose: string | null
    /** The requested settlement day; null if the money moves as soon as possible. */
    settlement_date: string | null
    /** The changes, field by field. */
    changes: ({
      /** What changes. */
      field: string
      /** The current value; null if there is none. */
      from: string | null
      /** The new value; null if there will be none. */
      to: string | null
    })[]
  } | null
  /** The SHA-256 of the subject. If the subject has a different one when the action is carried out, the approval fails. */
  subject_hash: string | null
  /** The reference that identifies a repeated request, such as the `unique_reference` of an order; or null. */
  reference: string | null
  /** The number of changes to the resource when the request was made, not counting notes such as the `status_reason` of a venture. If there are more at the time of the approval, it fails. */
  sequence: number
  /** The person who made the request. */
  maker_id: string
  /** The person who decided it; null until then, and if it expired. */
  checker_id: string | null
  /** PENDING: waiting for a second person. APPROVED: approved and carried out. REJECTED: by a second person. WITHDRAWN: by the maker. FAILED: approved, but it could no longer be carried out. EXPIRED: nobody decided in time. */
  state: 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'FAILED' | 'EXPIRED'
  /** Why it was rejected or withdrawn, or why it failed. */
  reason: string | null
  /** The code of the refusal that made it fail, such as `resource_changed`; null unless it was refused. */
  reason_code: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** The time until which it can be approved, in UTC. */
  expires_at: string
  /** When it was decided, in UTC; null until then. */
  decided_at: string | null
  /** How many people of the bank could approve it now: people with the right role who are not related to the maker. At 0, it waits until another person joins the bank. Null if it is no longer pending. */
  approvers: number | null
}

export type ApprovalWithCode = {
  /** The id of the approval. The service assigns it. */
  id: string
  /** The venture concerned. The zero id stands for the bank. */
  venture_id: string
  /** The action that is carried out when a second person approves. */
  action: string
  /** The resource that the action is about. */
  resource_id: string
  /** The exact contents of the action. */
  payload: { [name: string]: unknown }
  /** The SHA-256 of the payload. */
  payload_hash: string
  /** The effect of the payload: who gets how much from where, or what changes. Null if the payload says it all. */
  subject: {
    /** The client's account that the money leaves or reaches; null if there is none. */
    account_id: string | null
    /** The name of the payer, or null. */
    payer: string | null
    /** The IBAN or the account number of the payer, or null. */
    payer_account: string | null
    /** The name of the payee, or null. */
    payee: string | null
    /** The IBAN or the account number of the payee, or null. */
    payee_account: string | null
    /** The BIC of the payee's bank, or null. */
    payee_bic: string | null
    /** The name of the payee's bank, or null. */
    payee_bank: string | null
    /** The amount that leaves the payer's account, or null. */
    amount: string | null
    /** The ISO 4217 code of the currency of `amount`, or null. */
    currency: string | null
    /** The amount that the payee receives, or null if it equals `amount`. */
    credit_amount: string | null
    /** The ISO 4217 code of the currency of `credit_amount`, or null. */
    credit_currency: string | null
    /** The purpose of the payment, as the payee sees it, or null. */
    purpose: string | null
    /** The requested settlement day; null if the money moves as soon as possible. */
    settlement_date: string | null
    /** The changes, field by field. */
    changes: ({
      /** What changes. */
      field: string
      /** The current value; null if there is none. */
      from: string | null
      /** The new value; null if there will be none. */
      to: string | null
    })[]
  } | null
  /** The SHA-256 of the subject. If the subject has a different one when the action is carried out, the approval fails. */
  subject_hash: string | null
  /** The reference that identifies a repeated request, such as the `unique_reference` of an order; or null. */
  reference: string | null
  /** The number of changes to the resource when the request was made, not counting notes such as the `status_reason` of a venture. If there are more at the time of the approval, it fails. */
  sequence: number
  /** The person who made the request. */
  maker_id: string
  /** The person who decided it; null until then, and if it expired. */
  checker_id: string | null
  /** PENDING: waiting for a second person. APPROVED: approved and carried out. REJECTED: by a second person. WITHDRAWN: by the maker. FAILED: approved, but it could no longer be carried out. EXPIRED: nobody decided in time. */
  state: 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'FAILED' | 'EXPIRED'
  /** Why it was rejected or withdrawn, or why it failed. */
  reason: string | null
  /** The code of the refusal that made it fail, such as `resource_changed`; null unless it was refused. */
  reason_code: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** The time until which it can be approved, in UTC. */
  expires_at: string
  /** When it was decided, in UTC; null until then. */
  decided_at: string | null
  /** How many people of the bank could approve it now: people with the right role who are not related to the maker. At 0, it waits until another person joins the bank. Null if it is no longer pending. */
  approvers: number | null
  /** The code for the person who will use the link, which works only with this code. It is shown only once. */
  code: string
}

export type AuditEntry = {
  /** The id of the entry. Later entries have greater ids. */
  id: string
  /** When the request was carried out, in UTC. */
  at: string
  /** Who did it. venture: a key of the venture. user: a person of the venture. operator: a person of the bank, or the admin key. service: the service itself. connector: a rail that reports what happened outside. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector'
  /** The API key or the person; null for the admin key and the service. */
  actor_id: string | null
  /** The operationId of the request. */
  action: string
  /** The last resource in the path of the request, or what the request created if the path has none. */
  resource: string | null
  /** The venture concerned. The zero id stands for the bank. */
  venture_id: string
  /** The id of the request, as in its header `X-Request-Id`. */
  request_id: string
  /** The IPv4 address or the /64 network that the request came from. */
  address: string
  /** The names of the fields that the request sent, never their values. For a note, a file, a question or an answer also `sha256:` and its hash. */
  fields: string[]
}

export type BalanceStep = {
  /** The first day of the step. */
  from: string
  /** The last day of the step. The first and the last step end where the interval does. */
  to: string
  /** The balance before the step. */
  opening_balance: string
  /** The sum of what came in, as a number that is not below zero. */
  total_credits: string
  /** The sum of what went out, as a number that is not below zero. */
  total_debits: string
  /** The balance after the step. */
  closing_balance: string
}

/** A key that lets a connector of the bank do one thing. */
export type BankKey = {
  /** The id of the key. It is not a secret. */
  id: string
  /** What the key is for, in the words of the person who created it. */
  name: string
  /** The first twelve characters of the key. */
  prefix: string
  /** What the key may be used for. payees: answers which other banks ask for (`POST /vop/requests`). lists: importing versions of watch lists, which two people activate. metrics: reading `/metrics`. */
  scope: 'payees' | 'lists' | 'metrics'
  /** When the key stops working, in UTC; null if it does not expire. */
  expires_at: string | null
  /** When the key was revoked, in UTC; null while it works. */
  revoked_at: string | null
  /** Updated at most once a minute. */
  last_used_at: string | null
  /** When it was created, in UTC. */
  created_at: string
}

export type BankKeyWithSecret = {
  /** The id of the key. It is not a secret. */
  id: string
  /** What the key is for, in the words of the person who created it. */
  name: string
  /** The first twelve characters of the key. */
  prefix: string
  /** What the key may be used for. payees: answers which other banks ask for (`POST /vop/requests`). lists: importing versions of watch lists, which two people activate. metrics: reading `/metrics`. */
  scope: 'payees' | 'lists' | 'metrics'
  /** When the key stops working, in UTC; null if it does not expire. */
  expires_at: string | null
  /** When the key was revoked, in UTC; null while it works. */
  revoked_at: string | null
  /** Updated at most once a minute. */
  last_used_at: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** The key. It is shown only once; only its SHA-256 hash is stored. */
  api_key: string
}

/** A person or company that a client pays. */
export type Beneficiary = {
  /** The id of the beneficiary. The service assigns it. */
  id: string
  /** The client who pays the beneficiary. */
  client_id: string
  /** The name of the person or company, as known to the beneficiary's bank. */
  name: string
  /** Whether the beneficiary is a person or a company. */
  beneficiary_type: 'PERSON' | 'COMPANY'
  /** Whether apps should show the beneficiary to users. */
  display: boolean
  /** The IBAN, in upper case; null if the beneficiary has an account number instead. */
  iban: string | null
  /** The BIC of the bank, in upper case, or null. */
  bic: string | null
  /** The number of the account at a bank without IBANs, in upper case; null if there is an IBAN. */
  account_number: string | null
  /** The ABA routing number of a bank in the United States, or null. */
  routing_number: string | null
  /** The SWIFT code (BIC) of the bank for international payments, in upper case, or null. */
  swift_code: string | null
  /** The name of the bank, or null. */
  bank_name: string | null
  /** The address of the bank, or null. */
  bank_address: string | null
  /** Street and house number of the beneficiary, or null. */
  address: string | null
  /** The city of the beneficiary, or null. */
  city: string | null
  /** The postal code of the beneficiary, or null. */
  postal_code: string | null
  /** The country of the beneficiary, as an ISO 3166-1 alpha-3 code, or null. */
  country_code: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

/** A beneficiary was created. */
export type BeneficiaryCreatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'beneficiary.created'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Beneficiary
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type BeneficiaryUpdate = {
  /** Whether apps should show the beneficiary to users. */
  display?: boolean | undefined
}

/** The `display` of a beneficiary changed. */
export type BeneficiaryUpdatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'beneficiary.updated'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Beneficiary
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type BlockedClientPayoutOrder = {
  /** The venture of the account. */
  venture_id: string
  /** The suspended account whose whole balance is paid out. */
  account_id: string
  /** A beneficiary of the client with the client's own name: the client's account elsewhere. */
  beneficiary_id: string
  /** What the payment is for, as the payee sees it. */
  purpose?: string | null | undefined
}

export type BookedFact = {
  /** The transfer, the unapplied payment, the break or the collection of a break. */
  id: string
  /** The BIC of the bank that sent the message. */
  sender: string
  /** The kind of message, without its version. */
  kind: string
  /** The id of the transaction in the message. */
  tx_id: string
  /** What the message became. transfer: a transfer of a client. unapplied: money that no account could take. break: a debit that no account could bear. collection: a payment of what a client owed. */
  booked_as: 'transfer' | 'unapplied' | 'break' | 'collection'
  /** The venture in whose books it is; the house, except for transfers. */
  venture_id: string
  /** When it was created, in UTC. */
  created_at: string
}

export type Break = {
  /** The id of the break. The service assigns it. */
  id: string
  /** OPEN: waits for a decision. WRITTEN_OFF: the bank bears it. COLLECTED: the client has paid it. MATCHED: the entry was matched by hand. OFFSET: another break cancels it. FUNDED: the bank has put money into the nostro, or taken some out. */
  status: 'OPEN' | 'WRITTEN_OFF' | 'COLLECTED' | 'MATCHED' | 'OFFSET' | 'FUNDED'
  /** FORCED_DEBIT: a debit on a closed account, which the client owes. LATE_SETTLEMENT: a payment was settled after the client had got the money back. CONTRADICTED: other banks contradict each other about a payment that has ended. The others compare a nostro with the books. UNKNOWN: on the statement, but matching nothing. UNBOOKED: on the statement, but the payment is not booked. MISSING: booked, but not on the statement of its day. OTHER_AMOUNT: on the statement with another amount. DUPLICATE: on a statement twice. LATE: on a statement after it was written off as missing. */
  kind: 'FORCED_DEBIT' | 'LATE_SETTLEMENT' | 'CONTRADICTED' | 'UNKNOWN' | 'UNBOOKED' | 'MISSING' | 'OTHER_AMOUNT' | 'DUPLICATE' | 'LATE'
  /** The rail of the payment; null if unknown. */
  rail: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC' | null
  /** A decimal number with exactly as many decimals as the currency has. */
  amount: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** The venture of `account_id`; null if no client is concerned. */
  account_venture_id: string | null
  /** The account of the client; null if no client is concerned. */
  account_id: string | null
  /** The client who owes the money; null if no client is concerned. */
  client_id: string | null
  /** The nostro that was compared; null for breaks about clients. */
  nostro_id: string | null
  /** The entry of the statement. */
  entry_id: string | null
  /** The venture of `row_id`, or null. */
  row_venture_id: string | null
  /** The transfer, or the other booking of the payment. */
  row_id: string | null
  /** The attempt to send the transfer; 0 for incoming payments. */
  row_attempt: number | null
  /** The pack that the entry settles. */
  pack_id: string | null
  /** The amount on the statement minus the amount in the books. Positive: the nostro has more. */
  difference: string | null
  /** The break that cancels this one. */
  counter_id: string | null
  /** What happened, in words, or null. */
  explanation: string | null
  /** The transfer that takes the money from an account of the client. */
  transfer_id: string | null
  /** The rail over which the client has paid; null unless COLLECTED over a rail. */
  collected_over: 'SEPA' | 'INST' | 'SWIFT' | 'DOMESTIC' | null
  /** What was booked for the message of the payment, if it came over a rail. */
  collection_id: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was decided, in UTC; null while it is OPEN. */
  decided_at: string | null
}

export type CalendarYear = {
  /** The id of this version; null if the calendar is a rule of the service. */
  id: string | null
  /** The name of the calendar. */
  calendar: string
  /** The year. */
  year: number
  /** The weekdays that are always closed, from 1 for Monday to 7 for Sunday. */
  weekend: number[]
  /** The other days of the year that are closed. */
  closed: string[]
  /** The version of this year, from 1; 0 if the calendar is a rule of the service. */
  version: number
  /** Who did it. venture: a key of the venture. user: a person of the venture. operator: a person of the bank, or the admin key. service: the service itself. connector: a rail that reports what happened outside. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The person who entered it; null for the admin key and for a rule. */
  actor_id: string | null
  /** When this version was entered, in UTC; null for a rule. */
  created_at: string | null
}

export type CalendarYearUpdate = {
  /** The weekdays that are always closed, from 1 for Monday to 7 for Sunday. [6, 7] if absent. */
  weekend?: number[] | undefined
  /** The other days of the year that are closed. */
  closed: string[]
}

export type CardBalance = {
  /** One for each currency of the venture's card payments. */
  balances: {
    /** The ISO 4217 code of the currency, such as `EUR`. */
    currency: string
    /** What the bank owes the venture. Below zero if the gateway gave back more than is left after payouts. */
    payable: string
    /** The part of `payable` that can be paid out now: neither too recent nor about to be refunded. Never below zero. */
    available: string
    /** The sum of all payouts with their fees, minus what was taken back. */
    paid_out: string
    /** The sum of the fees of all payouts. */
    fees: string
  }[]
}

export type Case = {
  /** The id of the case. The service assigns it. */
  id: string
  /** The venture concerned. The zero id stands for the bank. */
  venture_id: string
  /** What the case is about. The kind determines the possible decisions. */
  kind: string
  /** The resource that is waiting for the decision. */
  resource_id: string
  /** What a person needs to know to decide. */
  payload: { [name: string]: unknown }
  /** URGENT if something should be stopped. The payload then says what it `proposes`. */
  severity: 'NORMAL' | 'URGENT'
  /** When the case should be decided. */
  due_at: string
  /** OPEN: waiting for a decision. DECIDED: nothing more can be done. */
  state: 'OPEN' | 'DECIDED'
  /** The person who is working on it; null if nobody is. */
  assignee_id: string | null
  /** What was decided; null until then. */
  decision: string | null
  /** The note of the person who decided, or null. */
  comment: string | null
  /** The person who decided; null if it was the admin key. */
  decided_by: string | null
  /** When it was decided, in UTC; null until then. */
  decided_at: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

export type CaseAssignment = {
  /** The person of the bank to whom the case is assigned; null for nobody. */
  assignee_id: string | null
}

export type CaseDecision = {
  /** One of the `allowed_decisions` of the case. */
  decision: string
  /** Further details of the decision, such as the account to credit. */
  details?: { [name: string]: unknown } | undefined
  /** A note for later readers of the case. */
  comment?: string | undefined
}

/** A file of a case. */
export type CaseFile = {
  /** The id of the file. The service assigns it. */
  id: string
  /** The question that a venture answered with the file; null if a person of the bank added it. */
  question_id: string | null
  /** The name of the file. */
  name: string
  /** The media type of the file. */
  type: string
  /** The size of the file in bytes. */
  size: number
  /** The SHA-256 of the content in hexadecimal. The audit log has it too. */
  sha256: string
  /** The person of the bank who added it; null if it was the admin key or a venture. */
  created_by: string | null
  /** When it was created, in UTC. */
  created_at: string
}

/** A link between two cases, as seen from one of them. */
export type CaseLink = {
  /** The id of the other case. */
  id: string
  /** What the other case is about. */
  kind: string
  /** The state of the other case. */
  state: string
  /** The person who added it; null if it was the admin key. */
  created_by: string | null
  /** When it was created, in UTC. */
  created_at: string
}

/** A note about a case. */
export type CaseNote = {
  /** The id of the note. The service assigns it. */
  id: string
  /** The note. */
  text: string
  /** The SHA-256 of the content in hexadecimal. The audit log has it too. */
  sha256: string
  /** The person who added it; null if it was the admin key. */
  created_by: string | null
  /** When it was created, in UTC. */
  created_at: string
}

/** A question to a venture, as the bank sees it. */
export type CaseQuestion = {
  /** The id of the question. The service assigns it. */
  id: string
  /** The question. */
  text: string
  /** The day by which the bank needs the answer. */
  due_on: string
  /** OPEN: waiting for an answer. ANSWERED: answered once, for good. */
  state: 'OPEN' | 'ANSWERED'
  /** The answer; null until then. */
  answer: string | null
  /** The files that belong to the answer; none until then. */
  file_ids: string[]
  /** When it was created, in UTC. */
  created_at: string
  /** When it was answered, in UTC; null until then. */
  answered_at: string | null
  /** The venture that was asked. */
  venture_id: string
  /** The person who asked; null if it was the admin key. */
  asked_by: string | null
  /** The key or person of the venture that answered; null until then. */
  answered_by: string | null
}

/** The bank has asked the venture something. The answer goes to `POST /questions/{question_id}/answer`. */
export type CaseQuestionEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'case.question'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Question
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type CaseWithSubject = {
  /** The id of the case. The service assigns it. */
  id: string
  /** The venture concerned. The zero id stands for the bank. */
  venture_id: string
  /** What the case is about. The kind determines the possible decisions. */
  kind: string
  /** The resource that is waiting for the decision. */
  resource_id: string
  /** What a person needs to know to decide. */
  payload: { [name: string]: unknown }
  /** URGENT if something should be stopped. The payload then says what it `proposes`. */
  severity: 'NORMAL' | 'URGENT'
  /** When the case should be decided. */
  due_at: string
  /** OPEN: waiting for a decision. DECIDED: nothing more can be done. */
  state: 'OPEN' | 'DECIDED'
  /** The person who is working on it; null if nobody is. */
  assignee_id: string | null
  /** What was decided; null until then. */
  decision: string | null
  /** The note of the person who decided, or null. */
  comment: string | null
  /** The person who decided; null if it was the admin key. */
  decided_by: string | null
  /** When it was decided, in UTC; null until then. */
  decided_at: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
  /** What the case is about, as it is now. */
  subject: { [name: string]: unknown } | null
  /** The decisions that are possible for the subject as it is now; none once the case is decided. */
  allowed_decisions: string[]
  /** The notes, oldest first. */
  notes: CaseNote[]
  /** The files, oldest first, with those that a venture sent with its answers. */
  files: CaseFile[]
  /** The cases that people have linked with this one. */
  links: CaseLink[]
  /** The questions to the venture, oldest first. */
  questions: CaseQuestion[]
}

/** A person whom the venture serves. */
export type Client = {
  /** The id of the client. The service assigns it. */
  id: string
  /** The first name, as in the identity document. */
  first_name: string
  /** Middle names, as in the identity document; null if there are none. */
  middle_name: string | null
  /** The last name, as in the identity document. */
  last_name: string
  /** The date of birth, as YYYY-MM-DD. */
  date_of_birth: string
  /** The gender in the identity document; null if it was not given. */
  gender: 'male' | 'female' | null
  /** The nationality, as an ISO 3166-1 alpha-3 code. */
  nationality: string
  /** The country of birth, as an ISO 3166-1 alpha-3 code. */
  birth_country: string
  /** The country where the client pays taxes, as an ISO 3166-1 alpha-3 code. */
  country_of_tax_residence: string
  /** The country of the address, as an ISO 3166-1 alpha-3 code. */
  country_code: string
  /** Street and house number. */
  address: string
  /** The city of the address. */
  city: string
  /** The postcode of the address. */
  postcode: string
  /** The state or province of the address, or null. */
  state_province: string | null
  /** The email address. It is unique across all clients. */
  email: string
  /** Another email address, or null. */
  second_email: string | null
  /** The mobile phone number in the form of E.164, such as `+33612345678`, or null. */
  mobile_phone_number: string | null
  /** Another phone number in the form of E.164, or null. */
  second_mobile_phone_number: string | null
  /** The number of the client's organization in the venture's own systems. */
  organization_id: number
  /** The id of the client in the venture's own systems, or null. The service does not interpret it. */
  external_client_code: string | null
  /** What the client expects to receive, in the words of the venture, or null. */
  planned_income: string | null
  /** What the client expects to spend, in the words of the venture, or null. */
  planned_expenditure: string | null
  /** How the client is verified. FULL_KYC (the default): the full check of the verifier. DOC_ONLY: documents only. NOT_REQUIRED: not at all; in MANAGED ventures, only the bank may choose this. */
  kyc_level: 'FULL_KYC' | 'DOC_ONLY' | 'NOT_REQUIRED'
  /** The progress of the verification. NOT_STARTED: none is needed. CREATED: waiting for the client. PROCESSING: the verifier is working on it. PENDING_REVIEW: a person is reviewing it. VALIDATED and DECLINED: the result. ABORTED: the client gave up and may start again. */
  kyc_status: 'NOT_STARTED' | 'CREATED' | 'PROCESSING' | 'ABORTED' | 'PENDING_REVIEW' | 'VALIDATED' | 'DECLINED'
  /** A note about the verification by the venture, the bank or the verifier, or null. */
  kyc_note: string | null
  /** How risky the client is, as the venture, the bank or the verifier assesses it. The default is Low. */
  risk_level: 'Low' | 'Medium' | 'High'
  /** Whether the client is blocked, so that no account can be activated and no money can be sent. */
  blocked: boolean
  /** Whether the client is blacklisted. This stops everything that `blocked` stops, and also payments of a remaining balance. */
  is_blacklisted: boolean
  /** Why the client is blacklisted, or null. */
  blacklisted_comment: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

/** A client was registered. */
export type ClientCreatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'client.created'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Client
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** The `kyc_status` of a client changed. */
export type ClientKycUpdatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'client.kyc_updated'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Client
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type ClientUpdate = {
  /** The first name, as in the identity document. */
  first_name?: string | undefined
  /** Middle names, as in the identity document. */
  middle_name?: string | null | undefined
  /** The last name, as in the identity document. */
  last_name?: string | undefined
  /** The date of birth, as YYYY-MM-DD. Clients are at least 18 years old. */
  date_of_birth?: string | undefined
  /** The gender in the identity document; null if it was not given. */
  gender?: 'male' | 'female' | null | undefined
  /** The nationality, as an ISO 3166-1 alpha-3 code. */
  nationality?: string | undefined
  /** The country of birth, as an ISO 3166-1 alpha-3 code. */
  birth_country?: string | undefined
  /** The country where the client pays taxes, as an ISO 3166-1 alpha-3 code. */
  country_of_tax_residence?: string | undefined
  /** Street and house number. */
  address?: string | undefined
  /** The city of the address. */
  city?: string | undefined
  /** The postcode of the address. */
  postcode?: string | undefined
  /** The country of the address, as an ISO 3166-1 alpha-3 code. */
  country_code?: string | undefined
  /** The email address. It is unique across all clients, ignoring case. */
  email?: string | undefined
  /** The state or province of the address. */
  state_province?: string | null | undefined
  /** Another email address. */
  second_email?: string | null | undefined
  /** The mobile phone number in international format, such as `+33612345678`. */
  mobile_phone_number?: string | null | undefined
  /** Another phone number in international format. */
  second_mobile_phone_number?: string | null | undefined
  /** The id of the client in your own systems. The service does not interpret it. */
  external_client_code?: string | null | undefined
  /** What the client expects to receive, in your own words. */
  planned_income?: string | null | undefined
  /** What the client expects to spend, in your own words. */
  planned_expenditure?: string | null | undefined
  /** How risky the client is, as the venture, the bank or the verifier assesses it. The default is Low. */
  risk_level?: 'Low' | 'Medium' | 'High' | undefined
  /** A note about the verification; null removes it. */
  kyc_note?: string | null | undefined
  /** Blocks the client, or lifts the block. Only the bank can lift its own block. */
  blocked?: boolean | undefined
  /** Blacklists the client, or lifts the blacklisting. Only the bank can lift its own. */
  is_blacklisted?: boolean | undefined
  /** Why the client is blacklisted; null removes it. */
  blacklisted_comment?: string | null | undefined
}

/** A field of a client other than `kyc_status` changed. */
export type ClientUpdatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'client.updated'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Client
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type ClockAdvance = {
  /** By how much: a number of seconds, or an ISO 8601 duration such as `P1DT12H`. Months and years are calendar months and years. */
  advance: string | number
}

export type ConflictingEvent = {
  /** The id that both events have. */
  id: string
  /** The venture that sent it; null if the verifier's relay did. */
  received_by: string | null
  /** The bytes received, with non-ASCII bytes as octal escapes. */
  body: string
  /** When the service received it, in UTC. */
  received_at: string
}

export type CountRule = {
  /** Fires if there are too many payments within several days. */
  kind: 'count'
  /** The number of payments. Exactly this number does not count. */
  above: number
  /** How many days the rule looks back, including today. */
  days: number
}

export type CountryRule = {
  /** Fires if the other party, its account or its bank is in one of these countries. */
  kind: 'country'
  /** ISO 3166-1 alpha-3 codes. */
  countries: string[]
}

export type DecidedApproval = {
  /** The id of the approval. The service assigns it. */
  id: string
  /** The venture concerned. The zero id stands for the bank. */
  venture_id: string
  /** The action that is carried out when a second person approves. */
  action: string
  /** The resource that the action is about. */
  resource_id: string
  /** The exact contents of the action. */
  payload: { [name: string]: unknown }
  /** The SHA-256 of the payload. */
  payload_hash: string
  /** The effect of the payload: who gets how much from where, or what changes. Null if the payload says it all. */
  subject: {
    /** The client's account that the money leaves or reaches; null if there is none. */
    account_id: string | null
    /** The name of the payer, or null. */
    payer: string | null
    /** The IBAN or the account number of the payer, or null. */
    payer_account: string | null
    /** The name of the payee, or null. */
    payee: string | null
    /** The IBAN or the account number of the payee, or null. */
    payee_account: string | null
    /** The BIC of the payee's bank, or null. */
    payee_bic: string | null
    /** The name of the payee's bank, or null. */
    payee_bank: string | null
    /** The amount that leaves the payer's account, or null. */
    amount: string | null
    /** The ISO 4217 code of the currency of `amount`, or null. */
    currency: string | null
    /** The amount that the payee receives, or null if it equals `amount`. */
    credit_amount: string | null
    /** The ISO 4217 code of the currency of `credit_amount`, or null. */
    credit_currency: string | null
    /** The purpose of the payment, as the payee sees it, or null. */
    purpose: string | null
    /** The requested settlement day; null if the money moves as soon as possible. */
    settlement_date: string | null
    /** The changes, field by field. */
    changes: ({
      /** What changes. */
      field: string
      /** The current value; null if there is none. */
      from: string | null
      /** The new value; null if there will be none. */
      to: string | null
    })[]
  } | null
  /** The SHA-256 of the subject. If the subject has a different one when the action is carried out, the approval fails. */
  subject_hash: string | null
  /** The reference that identifies a repeated request, such as the `unique_reference` of an order; or null. */
  reference: string | null
  /** The number of changes to the resource when the request was made, not counting notes such as the `status_reason` of a venture. If there are more at the time of the approval, it fails. */
  sequence: number
  /** The person who made the request. */
  maker_id: string
  /** The person who decided it; null until then, and if it expired. */
  checker_id: string | null
  /** PENDING: waiting for a second person. APPROVED: approved and carried out. REJECTED: by a second person. WITHDRAWN: by the maker. FAILED: approved, but it could no longer be carried out. EXPIRED: nobody decided in time. */
  state: 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'FAILED' | 'EXPIRED'
  /** Why it was rejected or withdrawn, or why it failed. */
  reason: string | null
  /** The code of the refusal that made it fail, such as `resource_changed`; null unless it was refused. */
  reason_code: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** The time until which it can be approved, in UTC. */
  expires_at: string
  /** When it was decided, in UTC; null until then. */
  decided_at: string | null
  /** How many people of the bank could approve it now: people with the right role who are not related to the maker. At 0, it waits until another person joins the bank. Null if it is no longer pending. */
  approvers: number | null
  /** What the action created or changed. It is shown only here, and may contain a secret that is shown only once. */
  result: { [name: string]: unknown } | null
}

export type DeliveryAttempt = {
  /** When the attempt began, in UTC. */
  at: string
  /** Null if there was no response. */
  response_status: number | null
  /** How long the receiver took, in milliseconds. */
  duration_ms: number
  /** The first 1,024 characters of the response. */
  response_body: string | null
  /** Why there was no response, or why it was not accepted; null if the event was delivered. */
  failure: string | null
}

/** The filling of an empty sandbox with the demo bank. */
export type DemoRun = {
  /** The seed of the bank. The same seed gives the same bank. */
  seed: number
  /** Whether the bank is being filled, is full, or could not be finished. */
  status: 'RUNNING' | 'DONE' | 'FAILED'
  /** How much of the work, out of `total`, is done. */
  done: number
  /** The amount of work, in requests, days and other steps. 0 until it is known. */
  total: number
  /** The current step in words, such as `Day 12 of 90`. */
  step: string
  /** SHA-256 over everything that people see, with dates as days since the start, in hexadecimal digits; null until the bank is full. Ids and keys are left out, so two banks of one seed have the same digest. */
  digest: string | null
  /** Why the bank could not be finished, in a sentence; null unless `status` is FAILED. */
  detail: string | null
}

export type EndOfDayOrder = {
  /** The day that has ended. Default: today. */
  date?: string | undefined
}

export type EndedDay = {
  /** The nostro. */
  nostro_id: string
  /** The day that has ended. */
  date: string
  /** ENDED: payments missing on the statement were looked for. ENDED_BEFORE: that had already happened. STATEMENT_MISSING: there is no statement of this day. */
  state: 'ENDED' | 'ENDED_BEFORE' | 'STATEMENT_MISSING'
  /** How many payments should have been on the statement but were not. */
  missing: number
}

export type Event = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** An event type from the catalogue. New types may be added. */
  type: string
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    /** The resource as it was after the change. */
    object: {
      /** The id of the resource. */
      id: string
    } & { [name: string]: unknown }
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type EventResend = {
  /** The id of the resend. */
  id: string
  /** The number of this resend within the venture, starting at 1. */
  number: number
  /** The event that was sent again. */
  event_id: string
  /** When it was sent again, in UTC. */
  resent_at: string
}

export type ExpectedVolumeRule = {
  /** Fires if the client moves more money in a month than the onboarding details say. */
  kind: 'expected_volume'
}

export type ExplainedScreening = {
  /** The id of the screening. The service assigns it. */
  id: string
  /** The venture of the subject. */
  venture_id: string
  /** What was screened. */
  subject_kind: 'transfer' | 'client' | 'beneficiary'
  /** The transfer, client or beneficiary that was screened. */
  subject_id: string
  /** The reason for the screening. processing: a payment being processed. created, changed: a client or a beneficiary. list: a new version of a list. nightly: everything is compared again every day. art_5d: an instant payment in euro; its parties are not compared during the payment, because all clients are compared every day. */
  cause: 'processing' | 'created' | 'changed' | 'list' | 'nightly' | 'art_5d'
  /** The names that were compared. */
  parties: ({
    /** The field in which it was found: a party, such as `creditor` or `ultimate_debtor`, or a text, such as `purpose`. */
    party: string
    /** The name that was compared; null if there is none. */
    name: string | null
    /** Whether the name could be read. */
    reading: 'whole' | 'part' | 'none'
    /** The highest score of the name, from 0 to 1; null if nothing was compared. */
    best_score: number | null
  })[]
  /** The versions of the lists that it was compared with. */
  versions: string[]
  /** The version of the comparison, with which scores can be computed again. */
  algorithm: string
  /** The version of the venture's policy that gave the thresholds. */
  policy_version: number
  /** From this score on, a person reviews it. */
  screen_threshold: number
  /** From this score on, a freeze of the payment is proposed. */
  block_threshold: number
  /** CLEAR: nothing was found. HIT: a person must review it. BLOCK: a person must review it, and should freeze it. */
  outcome: 'CLEAR' | 'HIT' | 'BLOCK'
  /** The highest score of all parties, from 0 to 1; null if nothing was compared. */
  best_score: number | null
  /** When it was created, in UTC. */
  created_at: string
  /** The hits, with their explanations. */
  hits: ScreeningHit[]
}

export type FailedSince = {
  /** Deliveries that were created at or after this time are sent again. */
  since: string
}

export type ForcedDebitReport = {
  /** The BIC of the bank that sent the message. */
  sender: string
  /** The kind of message, without its version. */
  kind: 'pacs.003' | 'pacs.004' | 'pacs.007' | 'pacs.008' | 'camt.054' | 'card.clearing' | 'card.reversal' | 'chargeback'
  /** The id of the transaction in the message, without spaces around it. The bank books a message once, whichever way it arrives. */
  tx_id: string
  /** The venture of the account. */
  venture_id: string
  /** The account to debit, whatever its balance. If the account is closed, a break is opened instead. */
  account_id: string
  /** The amount to debit, in the currency of the account. */
  amount: string
  /** What the debit is for. */
  transfer_type: 'ADJUSTMENT' | 'FEE' | 'CARD_CLEARING' | 'PAYMENT_RETURN' | 'PAYMENT_REVERSAL' | 'PAYMENT_TECHNICAL_REVERSAL' | 'PAYMENT_CANCELLATION' | 'CARD_REVERSAL'
  /** The rail that carried the debit. Default: a rail that fits, or that of the parent. */
  method?: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC' | null | undefined
  /** The transfer that the debit takes back or clears; absent or null if there is none. */
  parent_transaction_id?: string | null | undefined
  /** Why, in words. Its first 140 characters are the purpose of the transfer. */
  explanation: string
  /** Why it came back, as an ISO 20022 code such as MD07. The return and its parent get it as `status_reason_code`. */
  reason_code?: string | null | undefined
  /** Why it came back, in words. The return and its parent get it as `status_reason`. */
  reason?: string | null | undefined
}

export type Found = {
  /** What was found. */
  kind: 'transfer' | 'client' | 'account' | 'beneficiary' | 'payment' | 'payment_link' | 'event' | 'mandate' | 'webhook_endpoint'
  /** Its id. */
  id: string
  /** Its name for people: a name or a reference. */
  title: string
  /** What distinguishes it from others, such as its status or its IBAN, or null. */
  subtitle: string | null
}

export type FoundAnywhere = {
  /** What was found. */
  kind: 'transfer' | 'client' | 'account' | 'beneficiary' | 'payment' | 'payment_link' | 'event' | 'mandate' | 'webhook_endpoint' | 'venture'
  /** Its id. */
  id: string
  /** Its venture. */
  venture_id: string
  /** Its name for people: a name or a reference. For a client the id, because names are shown only with an audit entry. */
  title: string
}

export type Health = {
  /** `ok` if the process runs, `ready` if it can serve requests. Otherwise the response is a problem. */
  status: string
}

export type InboundPaymentReport = {
  /** The BIC of the bank that sent the message. */
  sender: string
  /** The kind of message: a customer credit transfer. */
  kind: 'pacs.008'
  /** The id of the transaction in the message, without spaces around it. The bank books a message once, whichever way it arrives. */
  tx_id: string
  /** The IBAN that the payment names as its creditor. */
  iban: string
  /** What arrived, such as `30.00`. */
  amount: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** The rail that the money came over. */
  rail: 'SEPA' | 'INST' | 'SWIFT' | 'DOMESTIC'
  /** What the payment is for, in the payer's words. */
  purpose?: string | null | undefined
  /** The name of the payer. */
  dr_name?: string | null | undefined
  /** The IBAN of the payer. */
  dr_iban?: string | null | undefined
  /** The BIC of the payer's bank. */
  dr_bank_bic?: string | null | undefined
  /** Street and house number of the payer. */
  dr_address?: string | null | undefined
  /** The city of the payer. */
  dr_city?: string | null | undefined
  /** The country of the payer, as an ISO 3166-1 alpha-3 code. */
  dr_country_code?: string | null | undefined
  /** The postal code of the payer. */
  dr_postal_code?: string | null | undefined
}

export type Job = {
  /** The id of the job. */
  id: string
  /** The kind of work. */
  kind: string
  /** The nil UUID for a job of no venture. */
  venture_id: string
  /** READY: running, or retried automatically. DEAD: failed too often, and waits for a person. */
  state: 'READY' | 'DEAD'
  /** How many times it was tried. */
  attempts: number
  /** Why the last attempt failed; null if none has. */
  last_error: string | null
  /** When the next attempt is due, in UTC. */
  due_at: string
  /** When it was created, in UTC. */
  created_at: string
}

export type JustBelowRule = {
  /** Fires for several payments that are each a little below a threshold. */
  kind: 'just_below'
  /** The amount, in the currency of the account, that a payer may want to stay below. */
  threshold: string
  /** How far below the threshold still counts, as a share of it: with `0.1`, from 90 % on. */
  share: string
  /** The number of such payments at which the rule fires. */
  count: number
  /** How many days the rule looks back, including today. */
  days: number
}

export type KycEvent = {
  /** The id of the event at the verifier. */
  id: string
  /** The type of the event. */
  type: string
  /** The outcome of the event. APPLIED: it counts for the status of its client. IGNORED: its type changes nothing. UNMATCHED: it names no known client or application. */
  verdict: 'APPLIED' | 'IGNORED' | 'UNMATCHED'
  /** The client whom the event is about; null if it is UNMATCHED. */
  client_id: string | null
  /** When the service received it, in UTC. */
  received_at: string
}

export type KycMove = {
  /** The id of the corresponding event, `client.created` or `client.kyc_updated`. */
  id: string
  /** The previous status; null for the registration. */
  from_status: 'NOT_STARTED' | 'CREATED' | 'PROCESSING' | 'ABORTED' | 'PENDING_REVIEW' | 'VALIDATED' | 'DECLINED' | null
  /** The new status. */
  to_status: 'NOT_STARTED' | 'CREATED' | 'PROCESSING' | 'ABORTED' | 'PENDING_REVIEW' | 'VALIDATED' | 'DECLINED'
  /** Who did it. venture: a key of the venture. user: a person of the venture. operator: a person of the bank, or the admin key. service: the service itself. connector: a rail that reports what happened outside. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person who made the change. Null for the bank's people, the service and the verifier. */
  actor_id: string | null
  /** The `kyc_note` of the client at that time, or null. */
  reason: string | null
  /** The risk level of the client at that time. */
  risk_level: 'Low' | 'Medium' | 'High'
  /** When the status changed, in UTC. */
  at: string
}

export type Link = {
  /** The id of the link. It is not a secret. */
  id: string
  /** SET_UP: creates the first admin of the bank. INVITATION: adds a person. RESET: lets a person choose a new password. */
  kind: 'SET_UP' | 'INVITATION' | 'RESET'
  /** The email address of the person that the link is for; null for the set-up, where the person chooses it. */
  email: string | null
  /** The role that an invitation gives; null for the other kinds. */
  role: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** The time until which the link works, in UTC. */
  expires_at: string
  /** When the link was used, in UTC; null until then. */
  used_at: string | null
  /** When the link was revoked, in UTC; null if it was not. */
  revoked_at: string | null
}

export type LinkUse = {
  /** The part of the link after `#`. */
  secret: string
  /** The code that belongs to the link, if two people of the bank created it together. */
  code?: string | undefined
  /** The email address of the first admin. Only with a set-up link. */
  email?: string | undefined
  /** The name of the person. Required for a new person. */
  name?: string | undefined
  /** At least 12 characters. */
  password?: string | undefined
}

export type LinkWithUrl = {
  /** The id of the link. It is not a secret. */
  id: string
  /** SET_UP: creates the first admin of the bank. INVITATION: adds a person. RESET: lets a person choose a new password. */
  kind: 'SET_UP' | 'INVITATION' | 'RESET'
  /** The email address of the person that the link is for; null for the set-up, where the person chooses it. */
  email: string | null
  /** The role that an invitation gives; null for the other kinds. */
  role: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** The time until which the link works, in UTC. */
  expires_at: string
  /** When the link was used, in UTC; null until then. */
  used_at: string | null
  /** When the link was revoked, in UTC; null if it was not. */
  revoked_at: string | null
  /** The URL for the person to open. It is shown only once, works once, and is not sent by the service. */
  url: string
}

export type LoggedRequest = {
  /** The id of this row of the log, not the `request_id`. */
  id: string
  /** When the response was sent. */
  at: string
  /** The HTTP method. */
  method: string
  /** The path of the operation in the contract, such as `/api/v1/transfers/{transfer_id}`; null if no operation has the path. */
  route: string | null
  /** The HTTP status of the response. */
  status: number
  /** Why the request was refused: the `code` of the problem in the response. */
  code: string | null
  /** How long the response took, in milliseconds. */
  duration_ms: number
  /** The caller: a key of the venture (`venture`), a person of the venture (`user`), the bank (`operator`) or a partner of the bank (`connector`); null without a valid key or session. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The first 12 characters of the API key, if the request had one. */
  key_prefix: string | null
  /** The `X-Request-Id` of the response. Callers can choose it, so several requests may have the same one. */
  request_id: string
}

/** A debtor's signed consent to direct debits. */
export type Mandate = {
  /** The id of the mandate. The service assigns it. */
  id: string
  /** The account that receives the money. */
  account_id: string
  /** The reference by which the debtor knows the mandate. It is unique for the creditor. */
  reference: string
  /** The SEPA creditor identifier of the client who collects. */
  creditor_id: string
  /** CORE: any debtor. B2B: the debtor is not a consumer and cannot claim the money back. */
  scheme: 'CORE' | 'B2B'
  /** RCUR: for any number of collections. OOFF: for one. */
  sequence_type: 'RCUR' | 'OOFF'
  /** The name of the debtor. */
  debtor_name: string
  /** The IBAN of the account that is debited. */
  debtor_iban: string
  /** The day on which the debtor signed it. */
  signed_on: string
  /** EXPIRED: it was not used for 36 months. */
  state: 'ACTIVE' | 'CANCELLED' | 'EXPIRED'
  /** The latest settlement date of a collection that used it. */
  last_used_on: string | null
  /** The last day on which it can be used. Each use extends it. */
  expires_on: string
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

/** A mandate was cancelled. A mandate that expires emits no event. */
export type MandateCancelledEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'mandate.cancelled'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Mandate
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A mandate was registered. */
export type MandateCreatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'mandate.created'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Mandate
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type NewAccount = {
  /** The client who will hold the account. */
  client_id: string
  /** A name for people, for example in the venture's app. At most 140 characters. */
  account_name: string
  /** What kind of account it is. The service treats all kinds alike. */
  account_type: 'CURRENT' | 'SAVINGS' | 'ESCROW'
  /** ISO 4217 code, in upper or lower case. */
  currency: string
  /** The maximum amount that may be sent in a UTC day, with no more decimals than the currency has; null for no limit. */
  daily_limit?: string | null | undefined
  /** The maximum amount that may be sent in a UTC month, with no more decimals than the currency has; null for no limit. */
  monthly_limit?: string | null | undefined
  /** The maximum amount that may be sent in a UTC year, with no more decimals than the currency has; null for no limit. */
  yearly_limit?: string | null | undefined
  /** A note by the venture. */
  description?: string | null | undefined
  /** The id of the account in your own systems. The service does not interpret it. */
  external_account_id?: string | null | undefined
}

export type NewApiKey = {
  /** What the key is for, such as the name of the program that uses it. */
  name: string
  /** What the key may be used for. `clients`, `accounts`, `transfers`, `payments` and `webhooks` change and read their area; `transfers` includes beneficiaries, and `webhooks` includes events. `sign` moves transfers to SIGNED. `read` reads all areas. */
  scopes: ('clients' | 'accounts' | 'transfers' | 'sign' | 'payments' | 'webhooks' | 'read')[]
  /** When the key stops working. It does not expire if this is absent or null. */
  expires_at?: string | null | undefined
}

export type NewBankInvitation = {
  /** The email address of the person. The service sends no email, so pass the link on yourself. */
  email: string
  /** The role at the bank. admin: everything. operator: daily work. auditor: reading. Null for a person who does not work there. */
  role: 'admin' | 'operator' | 'auditor'
}

export type NewBankKey = {
  /** What the key is for, such as the name of the program that uses it. */
  name: string
  /** What the key may be used for. payees: answers which other banks ask for (`POST /vop/requests`). lists: importing versions of watch lists, which two people activate. metrics: reading `/metrics`. */
  scope: 'payees' | 'lists' | 'metrics'
  /** When the key stops working. It does not expire if this is absent or null. */
  expires_at?: string | null | undefined
}

export type NewBeneficiary = {
  /** The client who pays the beneficiary. */
  client_id: string
  /** The name of the person or company, as known to the beneficiary's bank. At most 140 characters. */
  name: string
  /** Whether the beneficiary is a person or a company. */
  beneficiary_type: 'PERSON' | 'COMPANY'
  /** Without spaces, in upper or lower case. Required if there is no account number. */
  iban?: string | null | undefined
  /** 8 or 11 characters, in upper or lower case. */
  bic?: string | null | undefined
  /** For banks without IBANs: ASCII letters and digits, with `-`, `.`, `/` and spaces between them. Stored in upper case. */
  account_number?: string | null | undefined
  /** An ABA routing number: nine digits, the last of which is a check digit. */
  routing_number?: string | null | undefined
  /** 8 or 11 characters, in upper or lower case. */
  swift_code?: string | null | undefined
  /** The name of the bank. */
  bank_name?: string | null | undefined
  /** The address of the bank. */
  bank_address?: string | null | undefined
  /** Street and house number of the beneficiary. */
  address?: string | null | undefined
  /** The city of the beneficiary. */
  city?: string | null | undefined
  /** The postal code of the beneficiary. */
  postal_code?: string | null | undefined
  /** The country of the beneficiary, as an ISO 3166-1 alpha-3 code. */
  country_code?: string | null | undefined
  /** Whether apps should show the beneficiary to users. The default is true. */
  display?: boolean | null | undefined
}

export type NewCaseByHand = {
  /** The venture concerned; null for a case of the bank, which is about `nothing`. */
  venture_id?: string | null | undefined
  /** What the case is about. */
  about: 'transfer' | 'client' | 'account' | 'nothing'
  /** The id of the transfer, client or account; null if the case is about `nothing`. */
  resource_id?: string | null | undefined
  /** Why the case is opened. */
  reason: string
  /** URGENT if something should be stopped; NORMAL by default. */
  severity?: 'NORMAL' | 'URGENT' | undefined
  /** When it should be decided; in three days by default. */
  due_at?: string | null | undefined
}

export type NewCaseLink = {
  /** The case to link with this one. */
  other_case_id: string
}

export type NewCaseNote = {
  /** The note. It can be neither changed nor deleted. */
  text: string
}

export type NewDemoRun = {
  /** Determines the names, the amounts and the events. The same seed gives the same bank. Default: 1. */
  seed?: number | undefined
}

export type NewMandate = {
  /** The account that receives the money. */
  account_id: string
  /** The reference by which the debtor knows the mandate. It is unique for the creditor. */
  reference: string
  /** The SEPA creditor identifier of the client who collects, in upper or lower case. */
  creditor_id: string
  /** CORE: any debtor. B2B: the debtor is not a consumer and cannot claim the money back. */
  scheme: 'CORE' | 'B2B'
  /** RCUR: for any number of collections. OOFF: for one. */
  sequence_type: 'RCUR' | 'OOFF'
  /** The name of the debtor, at most 140 characters. */
  debtor_name: string
  /** The IBAN of the account that is debited, in a SEPA country, without spaces. */
  debtor_iban: string
  /** The day on which the debtor signed it. */
  signed_on: string
  /** For a mandate that was used at another bank: the day of its last use. */
  last_used_on?: string | null | undefined
}

export type NewNostro = {
  /** A name for people, such as that of the settlement bank. */
  name: string
  /** The IBAN or another account number, as it appears in statements. */
  account: string
  /** The BIC of the settlement bank. */
  bic: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** The rails that settle on this account. */
  rails: ('SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC')[]
  /** The balance before the first statement. */
  prefunding: string
}

export type NewPairClearing = {
  /** A person of the bank. */
  one_id: string
  /** Another person of the bank. The order of the two does not matter. */
  other_id: string
  /** Why the two may approve for each other. */
  reason: string
}

export type NewPayeeRule = {
  /** Fires for a payment above an amount to an account that the client has not paid before. */
  kind: 'new_payee'
  /** The amount in the currency of the account. A payment of exactly this amount does not count. */
  above: string
}

export type NewPaymentLink = {
  /** The amount for each payer, such as `12.50`, with at most as many decimals as the currency has. */
  amount: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** What the payer pays for. The page shows it. */
  description?: string | null | undefined
  /** The language of the pages that the payer sees. Default: EN. */
  language?: 'FR' | 'EN' | 'AR' | undefined
  /** Where the payer goes after a successful payment. Default: a result page of the service. */
  success_url?: string | null | undefined
  /** Where the payer goes after an unsuccessful payment. Required together with `success_url`. */
  fail_url?: string | null | undefined
  /** Whether the payer must enter it. */
  ask_name?: boolean | undefined
  /** Whether the payer must enter it. */
  ask_email?: boolean | undefined
  /** Whether the payer must enter it. */
  ask_phone?: boolean | undefined
  /** How many payments the link can be used for. Absent or null: any number. */
  max_uses?: number | null | undefined
  /** Until when the link can be used. Absent or null: no limit. */
  expires_at?: string | null | undefined
}

export type NewQuestion = {
  /** The question. It must not name a listed person whom the case is about. */
  text: string
  /** The day by which the bank needs the answer. */
  due_on: string
}

export type NewRate = {
  /** The ISO 4217 code of the currency, such as `EUR`. */
  from_currency: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  to_currency: string
  /** How much of `to_currency` one unit of `from_currency` is worth, without the margin. */
  rate: string
  /** The share of the debited amount that the bank charges as its fee. */
  margin: string
  /** When the rate becomes valid; immediately if absent. */
  valid_from?: string | undefined
  /** When the rate ceases to be valid. If absent or null, it is valid until another one replaces it. */
  valid_until?: string | null | undefined
}

export type NewVentureInvitation = {
  /** The email address of the person. The service sends no email, so pass the link on yourself. */
  email: string
  /** The role in the venture. admin: everything, including keys and users. operator: clients, accounts and money. viewer: reading. */
  role: 'admin' | 'operator' | 'viewer'
}

export type NewWatchlist = {
  /** The name by which policies select the list: lower-case letters, digits, hyphens and underscores. */
  name: string
  /** The format of all versions of the list. */
  format: 'OFAC' | 'UN' | 'EU' | 'UK' | 'OPENSANCTIONS'
  /** `PEPS`: politically exposed persons, who count only for ventures whose policy has `screen_peps`. The default is `SANCTIONS`. */
  purpose?: 'SANCTIONS' | 'PEPS' | undefined
  /** Whether the list is outside Art. 5d of Regulation (EU) No 260/2012, such as a list of national measures. Only such a list is compared during an instant payment in euro, and only if the policy says `transactions`. The default is false. */
  outside_art_5d?: boolean | undefined
}

export type NewWebhookEndpoint = {
  /** The URL to which events are sent by POST: https, or also http in the sandbox. */
  url: string
  /** A note by the venture. */
  description?: string | null | undefined
  /** The types of events to send; null for all. */
  event_types?: ('client.created' | 'client.updated' | 'client.kyc_updated' | 'onboarding.submitted' | 'onboarding.updated' | 'beneficiary.created' | 'beneficiary.updated' | 'account.created' | 'account.updated' | 'account.activated' | 'account.frozen' | 'account.overdrawn' | 'account.closed' | 'mandate.created' | 'mandate.cancelled' | 'transfer.created' | 'transfer.updated' | 'transfer.status_changed' | 'transfer.completed' | 'transfer.failed' | 'transfer.returned' | 'payment.created' | 'payment.paid' | 'payment.failed' | 'payment.refused' | 'payment.canceled' | 'payment.expired' | 'payment.refunded' | 'payment_link.created' | 'payment_link.updated' | 'payout.created' | 'case.question' | 'venture.updated' | 'venture.key_rotated' | 'webhook_endpoint.disabled' | 'webhook_endpoint.test')[] | null | undefined
}

export type Nostro = {
  /** The id of the nostro. The service assigns it. */
  id: string
  /** A name for people, such as that of the settlement bank. */
  name: string
  /** The IBAN or another account number, as it appears in statements. */
  account: string
  /** The BIC of the settlement bank. */
  bic: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** The rails that settle on this account. */
  rails: ('SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC')[]
  /** The balance before the first statement. */
  prefunding: string
  /** The closing balance of the last statement; the prefunding if there is none yet. */
  balance: string
  /** The day of the last statement. */
  last_statement_on: string | null
  /** How many breaks wait for a decision. */
  open_breaks: number
  /** When it was created, in UTC. */
  created_at: string
}

export type NostroEntry = {
  /** The id of the entry. The service assigns it. */
  id: string
  /** The nostro. */
  nostro_id: string
  /** The number of its statement; null while it was only notified. */
  number: number | null
  /** Its position on the statement, from 0. */
  position: number
  /** Positive for incoming money. */
  amount: string
  /** The day on which the settlement bank booked it. */
  booked_on: string
  /** The day from which the money counts. */
  value_on: string
  /** The settlement bank's reference, or null. */
  servicer_reference: string | null
  /** The id of the message that the payment was in, or null. */
  message_id: string | null
  /** The id of the transaction in its message, or null. */
  tx_id: string | null
  /** The payer's reference for the payment, or null. */
  end_to_end_id: string | null
  /** The name of the payer or payee, or null. */
  counterparty_name: string | null
  /** The IBAN of the other side, or null. */
  counterparty_iban: string | null
  /** The bank transaction code of ISO 20022, or null. */
  transaction_code: string | null
  /** Further information from the settlement bank, or null. */
  information: string | null
  /** NOTIFIED: announced, but not on a statement yet. MATCHED: it matches payments of the bank. BREAK: it waits for a decision. RESOLVED: it was decided in another way. */
  state: 'NOTIFIED' | 'MATCHED' | 'BREAK' | 'RESOLVED'
  /** How the payments were found. PACK: the whole pack. REFERENCE: an id. LIKENESS: amount, day and party. HAND: a person. Null while it is not matched. */
  matched_by: 'PACK' | 'REFERENCE' | 'LIKENESS' | 'HAND' | null
  /** When it was created, in UTC. */
  created_at: string
}

export type NostroStatement = {
  /** The id of the statement. The service assigns it. */
  id: string
  /** The nostro. */
  nostro_id: string
  /** Its number among the applied statements of the nostro, from 1. */
  number: number
  /** The settlement bank's id for it. */
  statement_id: string
  /** The settlement bank's number for it. */
  sequence: number
  /** The opening balance. */
  opening: string
  /** The closing balance. */
  closing: string
  /** The day of the opening balance. */
  opened_on: string
  /** The day of the closing balance. */
  closed_on: string
  /** The last moment that it covers, in UTC. */
  until: string
  /** How many entries it has. */
  entries: number
  /** The message that contained it. */
  message_id: string
  /** When it was created, in UTC. */
  created_at: string
  /** When the end of its day was processed. */
  ended_at: string | null
}

/** What a client has declared about money and work. */
export type OnboardingDetails = {
  /** The id of the details. The service assigns it. */
  id: string
  /** What the client will use accounts for. */
  account_purposes: ('PAY_BILLS' | 'MONEY_TO_FROM_FAMILY' | 'DIVIDENDS' | 'SAVINGS' | 'PERSONAL_BUSINESS_PURPOSES' | 'PENSION' | 'CRYPTO' | 'SALARY' | 'LOTTERY_GAMING' | 'RECONCILIATION' | 'VIRTUAL_ACCOUNT' | 'CURRENCY_EXCHANGE' | 'OTHER')[]
  /** How much the client expects to receive in a month, as a range. Monitoring applies it in the currency of the account. */
  expected_monthly_incoming_volume: 'LESS_THAN1000' | 'BETWEEN1001_AND5000' | 'BETWEEN5001_AND10000' | 'BETWEEN10001_AND15000' | 'BETWEEN15001_AND30000' | 'BETWEEN30001_AND60000' | 'MORE_THAN60001'
  /** How much the client expects to pay in a month, as a range. Monitoring applies it in the currency of the account. */
  expected_monthly_outgoing_volume: 'LESS_THAN1000' | 'BETWEEN1001_AND5000' | 'BETWEEN5001_AND10000' | 'BETWEEN10001_AND15000' | 'BETWEEN15001_AND30000' | 'BETWEEN30001_AND60000' | 'MORE_THAN60001'
  /** What the client does for a living. `other_occupation` explains OTHER. */
  occupation: 'BUSINESS_OWNER' | 'CLERGY' | 'CRAFTSMAN' | 'ENGINEER' | 'EXECUTIVE' | 'FARMER' | 'FREELANCE' | 'LIBERAL_PROFESSION' | 'POLITICIAN' | 'PROFESSOR' | 'PUBLIC_SERVANT' | 'RETIRED' | 'SHOPKEEPER' | 'STUDENT' | 'UNEMPLOYED' | 'WORKER' | 'OTHER'
  /** The industry in which the client works. */
  occupation_sector: 'ACCOUNTING_AUDIT' | 'E_MONEY_SERVICES' | 'CURRENCY_EXCHANGE' | 'TRADES_ON_OTC_MARKET' | 'PRECIOUS_METALS_OR_STONES' | 'PAWNSHOPS' | 'CROSS_BORDER_CASH_OR_PRECIOUS_MATERIALS' | 'MINING_EXTRACTIVE_INDUSTRIES' | 'ENERGY' | 'TRADE_IN_PETROL_PRODUCTS' | 'TRADE_IN_MEDICINES' | 'REAL_ESTATE' | 'CONSTRUCTION_REPAIR' | 'CONSULTANCY_LEGAL' | 'FREELANCE' | 'NON_PROFIT_LEGAL_ENTITIES' | 'CRYPTOCURRENCIES' | 'GAMING' | 'GAMBLING' | 'EU_FUNDS_UTILIZATION' | 'ADULT' | 'HIGH_VALUE_ASSET_DEALER' | 'BANKING_LENDING' | 'INSURANCE_SECURITY' | 'TRANSPORTATION_AND_LOGISTICS' | 'MANUFACTURING' | 'UTILITIES_AND_INFRASTRUCTURE' | 'TRADE_IN_FOOD_PRODUCT' | 'WHOLESALE' | 'REPAIR_OF_MOTOR_VEHICLES' | 'SOCIAL_WORK_ACTIVITIES' | 'AUTO_AVIATION' | 'COURIER_POST_SERVICES' | 'AGRICULTURE_FORESTRY_AND_FISHING' | 'OTHER_TRADE_AND_SALES' | 'TRAVEL_TOURISM' | 'INFORMATION_AND_COMMUNICATION' | 'PR_MARKETING' | 'EDUCATION' | 'INFORMATIONAL_TECHNOLOGIES' | 'PUBLIC_AND_DEFENCE_SECTOR' | 'HEALTH_CARE_MEDICAL_SERVICES' | 'ART_ENTERTAINMENT_SPORT' | 'ADMINISTRATIVE_OFFICE_BUSINESS_ACTIVITIES' | 'HOSPITALITY_AND_LEISURE' | 'SCIENTIFIC_AND_TECHNICAL_ACTIVITIES' | 'OTHER'
  /** Where the client's money comes from. `other_source_of_funds` explains OTHER. */
  source_of_funds: 'COMPENSATION_PAYOUT' | 'COMPANY_PROFITS' | 'COMPANY_SALE' | 'DIVIDEND_PAYMENTS' | 'DIVORCE_SETTLEMENT' | 'FIXED_DEPOSITS' | 'GIFT' | 'INHERITANCE' | 'INSURANCE_PAYOUT' | 'LOAN' | 'LOTTERY_OR_GAMBLING_WIN' | 'RETIREMENT_INCOME' | 'SALE_OF_INVESTMENT' | 'SALE_OF_PROPERTY' | 'SAVINGS_FROM_SALARY' | 'OTHER'
  /** Whether the client is a US person for tax purposes (FATCA). */
  is_us_person: boolean
  /** The country that the money comes from, by its number in the venture's own systems, or null. */
  funds_origin_country_id: number | null
  /** The occupation in words, or null. */
  other_occupation: string | null
  /** The source of funds in words, or null. */
  other_source_of_funds: string | null
  /** The tax identification number of the client, or null. */
  tax_identification_number: string | null
  /** The application at the verifier; null until the service has opened it, shortly after the submission. */
  kyc_application_id: string | null
  /** The verifier's page, where the client shows documents. Send the client there. Null until the application is open. */
  kyc_link: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

export type OnboardingSubmission = {
  /** What the client will use accounts for. May be empty. */
  account_purposes_input: ('PAY_BILLS' | 'MONEY_TO_FROM_FAMILY' | 'DIVIDENDS' | 'SAVINGS' | 'PERSONAL_BUSINESS_PURPOSES' | 'PENSION' | 'CRYPTO' | 'SALARY' | 'LOTTERY_GAMING' | 'RECONCILIATION' | 'VIRTUAL_ACCOUNT' | 'CURRENCY_EXCHANGE' | 'OTHER')[]
  /** How much the client expects to receive in a month, as a range. Monitoring applies it in the currency of the account. */
  expected_monthly_incoming_volume: 'LESS_THAN1000' | 'BETWEEN1001_AND5000' | 'BETWEEN5001_AND10000' | 'BETWEEN10001_AND15000' | 'BETWEEN15001_AND30000' | 'BETWEEN30001_AND60000' | 'MORE_THAN60001'
  /** How much the client expects to pay in a month, as a range. Monitoring applies it in the currency of the account. */
  expected_monthly_outgoing_volume: 'LESS_THAN1000' | 'BETWEEN1001_AND5000' | 'BETWEEN5001_AND10000' | 'BETWEEN10001_AND15000' | 'BETWEEN15001_AND30000' | 'BETWEEN30001_AND60000' | 'MORE_THAN60001'
  /** What the client does for a living. `other_occupation` explains OTHER. */
  occupation: 'BUSINESS_OWNER' | 'CLERGY' | 'CRAFTSMAN' | 'ENGINEER' | 'EXECUTIVE' | 'FARMER' | 'FREELANCE' | 'LIBERAL_PROFESSION' | 'POLITICIAN' | 'PROFESSOR' | 'PUBLIC_SERVANT' | 'RETIRED' | 'SHOPKEEPER' | 'STUDENT' | 'UNEMPLOYED' | 'WORKER' | 'OTHER'
  /** The industry in which the client works. */
  occupation_sector: 'ACCOUNTING_AUDIT' | 'E_MONEY_SERVICES' | 'CURRENCY_EXCHANGE' | 'TRADES_ON_OTC_MARKET' | 'PRECIOUS_METALS_OR_STONES' | 'PAWNSHOPS' | 'CROSS_BORDER_CASH_OR_PRECIOUS_MATERIALS' | 'MINING_EXTRACTIVE_INDUSTRIES' | 'ENERGY' | 'TRADE_IN_PETROL_PRODUCTS' | 'TRADE_IN_MEDICINES' | 'REAL_ESTATE' | 'CONSTRUCTION_REPAIR' | 'CONSULTANCY_LEGAL' | 'FREELANCE' | 'NON_PROFIT_LEGAL_ENTITIES' | 'CRYPTOCURRENCIES' | 'GAMING' | 'GAMBLING' | 'EU_FUNDS_UTILIZATION' | 'ADULT' | 'HIGH_VALUE_ASSET_DEALER' | 'BANKING_LENDING' | 'INSURANCE_SECURITY' | 'TRANSPORTATION_AND_LOGISTICS' | 'MANUFACTURING' | 'UTILITIES_AND_INFRASTRUCTURE' | 'TRADE_IN_FOOD_PRODUCT' | 'WHOLESALE' | 'REPAIR_OF_MOTOR_VEHICLES' | 'SOCIAL_WORK_ACTIVITIES' | 'AUTO_AVIATION' | 'COURIER_POST_SERVICES' | 'AGRICULTURE_FORESTRY_AND_FISHING' | 'OTHER_TRADE_AND_SALES' | 'TRAVEL_TOURISM' | 'INFORMATION_AND_COMMUNICATION' | 'PR_MARKETING' | 'EDUCATION' | 'INFORMATIONAL_TECHNOLOGIES' | 'PUBLIC_AND_DEFENCE_SECTOR' | 'HEALTH_CARE_MEDICAL_SERVICES' | 'ART_ENTERTAINMENT_SPORT' | 'ADMINISTRATIVE_OFFICE_BUSINESS_ACTIVITIES' | 'HOSPITALITY_AND_LEISURE' | 'SCIENTIFIC_AND_TECHNICAL_ACTIVITIES' | 'OTHER'
  /** Where the client's money comes from. `other_source_of_funds` explains OTHER. */
  source_of_funds: 'COMPENSATION_PAYOUT' | 'COMPANY_PROFITS' | 'COMPANY_SALE' | 'DIVIDEND_PAYMENTS' | 'DIVORCE_SETTLEMENT' | 'FIXED_DEPOSITS' | 'GIFT' | 'INHERITANCE' | 'INSURANCE_PAYOUT' | 'LOAN' | 'LOTTERY_OR_GAMBLING_WIN' | 'RETIREMENT_INCOME' | 'SALE_OF_INVESTMENT' | 'SALE_OF_PROPERTY' | 'SAVINGS_FROM_SALARY' | 'OTHER'
  /** Whether the client is a US person for tax purposes (FATCA). */
  is_us_person: boolean
  /** The country that the money comes from, by its number in your own systems. */
  funds_origin_country_id?: number | null | undefined
  /** The occupation in words, for OTHER. */
  other_occupation?: string | null | undefined
  /** The source of funds in words, for OTHER. */
  other_source_of_funds?: string | null | undefined
  /** The tax identification number of the client. */
  tax_identification_number?: string | null | undefined
}

/** Onboarding details were submitted. The `id` is that of the response to the submission. */
export type OnboardingSubmittedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'onboarding.submitted'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: OnboardingDetails
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** The verifier opened the application, so `kyc_link` is set. */
export type OnboardingUpdatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'onboarding.updated'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: OnboardingDetails
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type OperatorHealth = {
  /** RED while an instance has not finished a round of the file exchange for 5 minutes, once the certificate of the listener for other banks has expired, and while something is missing. */
  status: 'GREEN' | 'RED'
  /** What a bank outside the sandbox still lacks. Empty in the sandbox, whose stand-ins play all of it. */
  missing: ({
    /** The part that is missing. */
    part: 'identity' | 'verifier' | 'rail' | 'nostro' | 'watch_lists' | 'payee_directory'
    /** What is missing, as a sentence. */
    what: string
    /** What waits for it or does not work without it. */
    waits: string
    /** What to do. */
    remedy: string
  })[]
  /** How many requests this instance answered within the last 60 seconds. */
  requests_last_minute: number
  /** How long requests took, by route. The most frequent route is first. */
  routes: ({
    /** The method. */
    method: string
    /** The pattern of the path; `unknown` for paths that do not exist. */
    route: string
    /** How many requests were answered since the instance started. */
    count: number
    /** The average duration of these requests, in milliseconds. */
    mean_ms: number
    /** Half of the requests took at most this many milliseconds, rounded up to the bound of a bucket; null if it is more than ten seconds. */
    p50_ms: number | null
    /** 99 % of the requests took at most this many milliseconds, rounded up to the bound of a bucket; null if it is more than ten seconds. */
    p99_ms: number | null
  })[]
  /** This instance's connections to the database. */
  pool: {
    /** Connections in use. */
    busy: number
    /** Idle connections. */
    idle: number
    /** Requests that are waiting for a connection. */
    waiting: number
  }
  /** Webhook deliveries of all ventures. */
  deliveries: {
    /** Deliveries that are waiting for another attempt. */
    pending: number
    /** Deliveries that have been given up. */
    failed: number
    /** For how many seconds the oldest delivery that is due has been waiting; 0 if none is. */
    oldest_due_s: number
  }
  /** Jobs of all instances, by kind. A kind without any is left out. */
  jobs: {
    /** The kind of job. */
    kind: string
    /** Jobs that are waiting to become due or for a worker. */
    ready: number
    /** Jobs that have been given up. */
    dead: number
    /** For how many seconds the oldest due job has been waiting; 0 if none is. */
    oldest_due_s: number
  }[]
  /** The request log of this instance. */
  request_log: {
    /** Requests that have not been written yet. */
    waiting: number
    /** Requests that are missing from the log because the database did not keep up. */
    dropped: number
  }
  /** The file exchange with the clearing system; null if there is none. */
  exchange: {
    /** For how many seconds the oldest file has been in the inbox; 0 if none is there. */
    oldest_file_s: number
    /** How many seconds ago the last round through the inbox ended. */
    last_round_s: number
    /** Files that were refused and set aside since the instance started. Each has a case. */
    refused_files: number
  } | null
  /** The listener for questions of other banks about payees; null if there is none. */
  vop: {
    /** Questions of other banks about payees that were answered since the instance started. */
    answered: number
    /** Connections and requests of other banks that were refused since then. */
    refused: number
    /** In how many seconds the certificate of the listener expires; negative afterwards. */
    certificate_expires_s: number
  } | null
}

export type OperatorLoggedRequest = {
  /** The venture whose key or person sent the request. The zero id stands for the bank, and for requests without a valid key. */
  venture_id: string
  /** The id of this row of the log, not the `request_id`. */
  id: string
  /** When the response was sent. */
  at: string
  /** The HTTP method. */
  method: string
  /** The path of the operation in the contract, such as `/api/v1/transfers/{transfer_id}`; null if no operation has the path. */
  route: string | null
  /** The HTTP status of the response. */
  status: number
  /** Why the request was refused: the `code` of the problem in the response. */
  code: string | null
  /** How long the response took, in milliseconds. */
  duration_ms: number
  /** The caller: a key of the venture (`venture`), a person of the venture (`user`), the bank (`operator`) or a partner of the bank (`connector`); null without a valid key or session. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The first 12 characters of the API key, if the request had one. */
  key_prefix: string | null
  /** The `X-Request-Id` of the response. Callers can choose it, so several requests may have the same one. */
  request_id: string
}

export type OperatorTransfer = {
  /** The venture of the transfer. */
  venture_id: string
  /** The id of the transfer. The service assigns it. */
  id: string
  /** The account of the client: the debtor of an outbound transfer, the creditor of an inbound one. */
  account_id: string
  /** The reference of the order, unique across all transfers. It is also the idempotency key. */
  unique_reference: string
  /** INBOUND: the account receives the money. OUTBOUND: the account pays it. */
  direction: 'INBOUND' | 'OUTBOUND'
  /** The rail that carries the transfer. INST: SEPA instant. SDD: SEPA direct debit. INTERNAL: between two accounts of the venture. */
  method: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC'
  /** What the transfer is for. PAYMENT for everything that clients order. */
  transfer_type: 'FEE' | 'PAYMENT' | 'PAYMENT_CANCELLATION' | 'PAYMENT_RETURN' | 'FEE_CANCELLATION' | 'CCY_EXCHANGE' | 'ADJUSTMENT' | 'PAYMENT_TECHNICAL_REVERSAL' | 'PAYMENT_REVERSAL' | 'CARD_AUTH' | 'CARD_ADVICE' | 'CARD_REVERSAL' | 'FX_POSITION_CLOSING' | 'CARD_CLEARING'
  /** Where the transfer is on its way. COMPLETED, REJECTED, CANCELLED, INVALID, DROPPED, AML_REJECTED and MANUAL_REJECTED are terminal. The guide Transfers has all moves; `GET /transfers/{transfer_id}/transitions` says which are possible now. */
  status: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN'
  /** Whether the transfer goes over SEPA instant. */
  is_instant: boolean
  /** What the payment is for, as the payee sees it, or null. */
  purpose: string | null
  /** The day on which the money moves between the banks. */
  settlement_date: string
  /** What the creditor receives, with exactly as many decimals as `credit_currency` has. */
  credit_amount: string
  /** What the debtor pays, without the fee, with exactly as many decimals as `debit_currency` has. */
  debit_amount: string
  /** The ISO 4217 code of the currency that the creditor receives. */
  credit_currency: string
  /** The ISO 4217 code of the currency that the debtor pays. */
  debit_currency: string
  /** The value of one unit of `debit_currency` in `credit_currency`; null within one currency. */
  exchange_rate: string | null
  /** The fee for the exchange in `debit_currency`, debited in addition to `debit_amount`; null if there is none. */
  fx_fee_amount: string | null
  /** The name of the creditor, or null. */
  cr_name: string | null
  /** The IBAN of the creditor; null if the creditor has another kind of account number. */
  cr_iban: string | null
  /** The BIC of the creditor's bank, or null. */
  cr_bank_bic: string | null
  /** The account number of the creditor if it has no IBAN; otherwise null. */
  cr_account_id: string | null
  /** Street and house number of the creditor, or null. */
  cr_address: string | null
  /** The name of the creditor's bank, or null. */
  cr_bank_name: string | null
  /** The city of the creditor, or null. */
  cr_city: string | null
  /** The country of the creditor, as an ISO 3166-1 alpha-3 code, or null. */
  cr_country_code: string | null
  /** The postal code of the creditor, or null. */
  cr_postal_code: string | null
  /** The name of the debtor, or null. */
  dr_name: string | null
  /** The IBAN of the debtor; null if the debtor has another kind of account number. */
  dr_iban: string | null
  /** The BIC of the debtor's bank, or null. */
  dr_bank_bic: string | null
  /** The account number of the debtor if it has no IBAN; otherwise null. */
  dr_account_id: string | null
  /** Street and house number of the debtor, or null. */
  dr_address: string | null
  /** The name of the debtor's bank, or null. */
  dr_bank_name: string | null
  /** The city of the debtor, or null. */
  dr_city: string | null
  /** The country of the debtor, as an ISO 3166-1 alpha-3 code, or null. */
  dr_country_code: string | null
  /** The postal code of the debtor, or null. */
  dr_postal_code: string | null
  /** The beneficiary that is paid; null if the order named none. */
  beneficiary_id: string | null
  /** The transfer that this one returns, reverses, cancels or clears; null for all others. */
  parent_transaction_id: string | null
  /** The mandate of a collection by direct debit; null for all other transfers. */
  mandate_id: string | null
  /** BANK: the bank's people ordered it, two of them together with four-eyes approval. Null for all other transfers. */
  authentication: 'BANK' | null
  /** The approval in which two people of the bank agreed on the order; null for all other transfers. */
  approval_id: string | null
  /** The category of the payment, as a code of ISO 20022 such as `SALA`, or null. */
  category_purpose_code: string | null
  /** The reason for the payment, as a code of ISO 20022 such as `GDDS`, or null. */
  purpose_code: string | null
  /** A machine-readable reference, such as an RF creditor reference, or null. */
  structured_reference: string | null
  /** The issuer of the format of `structured_reference`, or null. */
  structured_reference_issuer: string | null
  /** The partner bank that carries the transfer, as noted by the person or program that moved it, or null. */
  bank_partner_id: string | null
  /** The number of the transfer at the partner bank, or null. */
  bank_partner_trx_id: number | null
  /** When the transfer was signed, in UTC; null if it was not. */
  signed_at: string | null
  /** Why the transfer has its status, in words, or null. */
  status_reason: string | null
  /** Why the transfer has its status, as a code, or null. */
  status_reason_code: string | null
  /** The clearing scheme's answer, such as `ACSC` or `RJCT`; null before it answers. */
  third_party_status: string | null
  /** The reason code of the scheme's answer, such as `AC04`, or null. */
  third_party_status_code: string | null
  /** The reason of the scheme's answer in words, or null. */
  third_party_status_reason: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
  details?: TransferDetails | undefined
}

export type OwnSession = {
  /** The id of the session, which is not the secret in the cookie. */
  id: string
  /** Whether it is the session of this request. */
  current: boolean
  /** Whether the person signed in or reauthenticated with a passkey. */
  by_passkey: boolean
  /** When it was created, in UTC. */
  created_at: string
  /** When the person last authenticated, in UTC. */
  authenticated_at: string
  /** When it was last used, in UTC, accurate to about a minute. */
  last_seen_at: string
  /** When the session ends at the latest, in UTC. Without use, it ends after 30 minutes. */
  expires_at: string
}

export type Pack = {
  /** The id of the pack. The service assigns it. */
  id: string
  /** The rail of the pack. */
  rail: 'SEPA' | 'INST' | 'SDD'
  /** What its message contains: payments (pacs.008), direct debits (pacs.003) or returns (pacs.004). */
  kind: 'CREDIT_TRANSFER' | 'DIRECT_DEBIT' | 'RETURN'
  /** The id of its message, which is also the name of the file. */
  message_id: string
  /** The cut-off at which it was packed; null on a rail without cut-offs. */
  cycle: string | null
  /** The version of the participation by which it was made. */
  participation: number
  /** The day on which its payments settle. */
  settlement_date: string
  /** OPEN until its message is SEALED, then DELIVERED and ACKNOWLEDGED. UNKNOWN: not answered in time. REFUSED: the scheme refused the whole message. INVALID: the message broke a rule, so it was never made. NOT_SENT: two people declared it not sent, and its payments are sent again. DROPPED: no payments were left in it. */
  state: 'OPEN' | 'SEALED' | 'DELIVERED' | 'ACKNOWLEDGED' | 'REFUSED' | 'UNKNOWN' | 'INVALID' | 'NOT_SENT' | 'DROPPED'
  /** Why the scheme or the service refused it, or null. */
  reason: string | null
  /** How many payments the message contains; 0 until it is sealed. */
  count: number
  /** The sum of its payments; 0 until it is sealed. */
  total: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
  /** When its file was delivered, in UTC; null until then. */
  delivered_at: string | null
}

export type PackWithPayments = {
  /** The id of the pack. The service assigns it. */
  id: string
  /** The rail of the pack. */
  rail: 'SEPA' | 'INST' | 'SDD'
  /** What its message contains: payments (pacs.008), direct debits (pacs.003) or returns (pacs.004). */
  kind: 'CREDIT_TRANSFER' | 'DIRECT_DEBIT' | 'RETURN'
  /** The id of its message, which is also the name of the file. */
  message_id: string
  /** The cut-off at which it was packed; null on a rail without cut-offs. */
  cycle: string | null
  /** The version of the participation by which it was made. */
  participation: number
  /** The day on which its payments settle. */
  settlement_date: string
  /** OPEN until its message is SEALED, then DELIVERED and ACKNOWLEDGED. UNKNOWN: not answered in time. REFUSED: the scheme refused the whole message. INVALID: the message broke a rule, so it was never made. NOT_SENT: two people declared it not sent, and its payments are sent again. DROPPED: no payments were left in it. */
  state: 'OPEN' | 'SEALED' | 'DELIVERED' | 'ACKNOWLEDGED' | 'REFUSED' | 'UNKNOWN' | 'INVALID' | 'NOT_SENT' | 'DROPPED'
  /** Why the scheme or the service refused it, or null. */
  reason: string | null
  /** How many payments the message contains; 0 until it is sealed. */
  count: number
  /** The sum of its payments; 0 until it is sealed. */
  total: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
  /** When its file was delivered, in UTC; null until then. */
  delivered_at: string | null
  /** The payments of the message, in order. */
  payments: RailPayment[]
}

export type Pair = {
  /** A person of the bank. */
  one_id: string
  /** Another person of the bank. The order of the two does not matter. */
  other_id: string
  /** How many of each other's requests they have approved in the last 90 days. */
  approvals: number
  /** The total of those approvals that have an amount, one sum for each currency. */
  totals: {
    /** The ISO 4217 code of the currency, such as `EUR`. */
    currency: string
    /** The sum of the amounts in this currency. */
    amount: string
  }[]
  /** When the last of them was approved, in UTC; null if there is none. */
  last_approved_at: string | null
  /** NONE: the two are not related. RELATED: they count as one person, so neither can approve the other's requests. CLEARED: they are related, but a third admin has cleared them. */
  relation: 'NONE' | 'RELATED' | 'CLEARED'
  /** How the two are related, whether cleared or not. INVITATION: one of them has invited the other. RESET: one has reset the other's access. ROLE: one has given the other a role or restored their access. SAME_PERSON: one person, or the admin key, has added both to a venture or reset them alone. ADMIN_KEY: the admin key has added one of them within the last seven days, while the other was already there. Approving such an act counts like doing it. */
  related_by: ('INVITATION' | 'RESET' | 'ROLE' | 'SAME_PERSON' | 'ADMIN_KEY')[]
  /** A permission for two related people to approve each other's requests. */
  clearing: {
    /** The id of the clearing. The service assigns it. */
    id: string
    /** A person of the bank. */
    one_id: string
    /** Another person of the bank. The order of the two does not matter. */
    other_id: string
    /** Why the two may approve for each other. */
    reason: string
    /** The admin who has cleared the pair. */
    cleared_by: string
    /** When the pair was cleared, in UTC. */
    cleared_at: string
    /** The person who has revoked the clearing; null for the admin key, and until then. */
    taken_back_by: string | null
    /** When the clearing was revoked, in UTC; null until then. */
    taken_back_at: string | null
  } | null
  /** Whether the caller, if an admin, may clear the two now: the two are related, both still belong to the bank, and the caller is related to neither of them. */
  can_be_cleared: boolean
}

/** A permission for two related people to approve each other's requests. */
export type PairClearing = {
  /** The id of the clearing. The service assigns it. */
  id: string
  /** A person of the bank. */
  one_id: string
  /** Another person of the bank. The order of the two does not matter. */
  other_id: string
  /** Why the two may approve for each other. */
  reason: string
  /** The admin who has cleared the pair. */
  cleared_by: string
  /** When the pair was cleared, in UTC. */
  cleared_at: string
  /** The person who has revoked the clearing; null for the admin key, and until then. */
  taken_back_by: string | null
  /** When the clearing was revoked, in UTC; null until then. */
  taken_back_at: string | null
}

export type Participation = {
  /** The id of this version. The service assigns it. */
  id: string
  /** The rail: the name of the participation. */
  rail: 'SEPA' | 'INST' | 'SDD'
  /** The version, from 1. The newest one whose time has come is in force. */
  version: number
  /** The scheme: how messages are written and read. */
  profile: 'sct' | 'inst' | 'sdd'
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** ACTIVE, SUSPENDED or ENDED. Unless it is ACTIVE, nothing is collected or sealed; answers and incoming messages are still applied. */
  state: 'ACTIVE' | 'SUSPENDED' | 'ENDED'
  /** The calendar by which the rail settles: TARGET, FED, ALWAYS, or one whose years were entered. */
  calendar: string
  /** The IANA time zone of the cut-offs, such as `Europe/Berlin`. */
  zone: string
  /** When packs leave on the days on which the rail settles. A rail without cut-offs sends continuously. */
  cut_offs: string[]
  /** How many settlement days before its settlement date a payment is sent. */
  lead_days: number
  /** After how many hours without an answer the clearing system is asked about a pack. Null: as RAILS_ANSWER_HOURS says. */
  answer_hours: number | null
  /** The smallest amount that the bank sends over the rail, or null. */
  smallest: string | null
  /** The largest amount that the bank sends over the rail, or null. */
  largest: string | null
  /** Among the rails that fit an order, the one with the smallest number is taken. */
  prefers: number
  /** What the clearing system wants around and in each message. */
  envelope: {
    /** The code of the clearing system in `ClrSys`, or null. */
    clearing_code: string | null
    /** The own name of the clearing system in `ClrSys`, or null. */
    clearing_system: string | null
    /** The BIC in `InstdAgt`, or null. */
    instructed_bic: string | null
    /** The `AppHdr` (head.001.001.02) before each document; null for documents alone. */
    header: {
      /** The element that contains the header and the document. */
      root: string
      /** The sender in the header. Null for the bank's own BIC. */
      from_bic: string | null
      /** The receiver in the header: that of the clearing system. */
      to_bic: string
      /** What the clearing system wants in `BizSvc`, or null. */
      business_service: string | null
    } | null
  }
  /** From when it is in force, in UTC. A suspension is in force at once. */
  effective_at: string
  /** Who did it. venture: a key of the venture. user: a person of the venture. operator: a person of the bank, or the admin key. service: the service itself. connector: a rail that reports what happened outside. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector'
  /** The person who created this version; null for the service and the admin key. */
  actor_id: string | null
  /** When it was created, in UTC. */
  created_at: string
}

export type ParticipationChange = {
  /** The rail: the name of the participation. */
  rail: 'SEPA' | 'INST' | 'SDD'
  /** The calendar by which the rail settles: TARGET, FED, ALWAYS, or one whose years were entered. */
  calendar?: string | undefined
  /** The IANA time zone of the cut-offs, such as `Europe/Berlin`. */
  zone?: string | undefined
  /** When packs leave on the days on which the rail settles. A rail without cut-offs sends continuously. */
  cut_offs?: string[] | undefined
  /** How many settlement days before its settlement date a payment is sent. */
  lead_days?: number | undefined
  /** After how many hours without an answer the clearing system is asked about a pack. Null: as RAILS_ANSWER_HOURS says. */
  answer_hours?: number | null | undefined
  /** The smallest amount that the bank sends over the rail, or null. */
  smallest?: string | null | undefined
  /** The largest amount that the bank sends over the rail, or null. */
  largest?: string | null | undefined
  /** Among the rails that fit an order, the one with the smallest number is taken. */
  prefers?: number | undefined
  /** What the clearing system wants around and in each message. */
  envelope?: {
    /** The code of the clearing system in `ClrSys`, or null. */
    clearing_code: string | null
    /** The own name of the clearing system in `ClrSys`, or null. */
    clearing_system: string | null
    /** The BIC in `InstdAgt`, or null. */
    instructed_bic: string | null
    /** The `AppHdr` (head.001.001.02) before each document; null for documents alone. */
    header: {
      /** The element that contains the header and the document. */
      root: string
      /** The sender in the header. Null for the bank's own BIC. */
      from_bic: string | null
      /** The receiver in the header: that of the clearing system. */
      to_bic: string
      /** What the clearing system wants in `BizSvc`, or null. */
      business_service: string | null
    } | null
  } | undefined
  /** ENDED: the bank no longer takes part. ACTIVE: it takes part again. */
  state?: 'ACTIVE' | 'ENDED' | undefined
  /** From when the change is in force, at least two minutes from now. If absent, two minutes after it is decided. */
  effective_at?: string | undefined
}

export type Passkey = {
  /** The id of the passkey. The service assigns it. */
  id: string
  /** The person's name for it, such as the name of a device. */
  name: string
  /** When it was created, in UTC. */
  created_at: string
  /** When the person last signed in with it, in UTC; null if never. */
  last_used_at: string | null
}

export type PasskeyOptions = {
  /** What the passkey signs, in base64url. It can be used once, within five minutes. */
  challenge: string
} & { [name: string]: unknown }

export type PasskeyProof = {
  /** The credential of the browser as JSON (PublicKeyCredential.toJSON()). */
  credential: { [name: string]: unknown }
}

export type PasskeyRegistration = {
  /** The person's name for it, such as the name of a device. */
  name: string
  /** The credential of the browser as JSON (PublicKeyCredential.toJSON()). */
  credential: { [name: string]: unknown }
}

export type PasswordChange = {
  /** The new password: at least 12 characters. */
  new_password: string
}

export type PasswordProof = {
  /** The password of the signed-in person. */
  password: string
}

export type PayeeAnswer = {
  /** Whether the account belongs to a holder of this name. CLOSE_MATCH: the holder has a similar name, which is in `matched_name`. NOT_POSSIBLE: it could not be verified; `reason` says why. */
  result: 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'NOT_POSSIBLE'
  /** The name of the holder, only for a close match. */
  matched_name: string | null
  /** account_unknown: the bank of the account has no such account. no_directory: there is no directory to ask. no_answer: the other bank did not answer in time. name_unreadable: the name cannot be compared. not_applicable: the bank of the account does not verify this. */
  reason: 'account_unknown' | 'no_directory' | 'no_answer' | 'name_unreadable' | 'not_applicable' | null
}

export type PayeeQuestion = {
  /** The name of the payee, as known to the payer. */
  name: string
  /** The IBAN that the payer wants to pay to, without spaces. */
  iban: string
  /** The BIC of the bank of the account, if known. Without it, the routing service finds the bank by the IBAN. */
  bic?: string | null | undefined
  /** An id of the payee, if it is an organisation. It is verified apart from the name. */
  identification?: {
    /** What kind of id it is: `LEI`, `BIC`, or a code of ISO 20022, such as `TXID` for a tax or VAT number or `COID` for a company number. */
    scheme: 'LEI' | 'BIC' | 'TXID' | 'COID' | 'CINC' | 'SREN' | 'SRET' | 'DUNS' | 'GS1G' | 'BANK' | 'CBID' | 'CHID' | 'CUST' | 'EMPL' | 'BDID' | 'BOID'
    /** The id itself. */
    value: string
    /** Who has issued it. Not for an LEI or a BIC. */
    issuer?: string | null | undefined
  } | null | undefined
}

export type PayeeRequest = {
  /** The name of the payee, as known to the payer. */
  name: string
  /** The IBAN that the payer wants to pay to, without spaces. */
  iban: string
}

export type PayeeVerification = {
  /** The id of the verification. The service assigns it. */
  id: string
  /** The name that was verified. */
  name: string
  /** The IBAN that was verified, in upper case. */
  iban: string
  /** Whether the account belongs to a holder of this name. CLOSE_MATCH: the holder has a similar name, which is in `matched_name`. NOT_POSSIBLE: it could not be verified; `reason` says why. */
  result: 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'NOT_POSSIBLE'
  /** The name of the holder, only for a close match. */
  matched_name: string | null
  /** account_unknown: the bank of the account has no such account. no_directory: there is no directory to ask. no_answer: the other bank did not answer in time. name_unreadable: the name cannot be compared. not_applicable: the bank of the account does not verify this. */
  reason: 'account_unknown' | 'no_directory' | 'no_answer' | 'name_unreadable' | 'not_applicable' | null
  /** The id of an organisation that was verified; null if only the name was. */
  identification: {
    /** What kind of id it is: `LEI`, `BIC`, or a code of ISO 20022, such as `TXID` for a tax or VAT number or `COID` for a company number. */
    scheme: 'LEI' | 'BIC' | 'TXID' | 'COID' | 'CINC' | 'SREN' | 'SRET' | 'DUNS' | 'GS1G' | 'BANK' | 'CBID' | 'CHID' | 'CUST' | 'EMPL' | 'BDID' | 'BOID'
    /** The id itself. */
    value: string
    /** Who has issued it. Not for an LEI or a BIC. */
    issuer?: string | null | undefined
  } | null
  /** Whether the account belongs to the holder of this id; null if no id was verified. It never decides about a transfer. */
  id_result: 'MATCH' | 'NO_MATCH' | 'NOT_POSSIBLE' | null
  /** When it was created, in UTC. */
  created_at: string
  /** The time until which transfers can rely on it. */
  valid_until: string
}

/** A card payment. */
export type Payment = {
  /** The id of the payment. The service assigns it. */
  id: string
  /** The id of the venture. */
  business_id: string
  /** What the payer pays, with exactly as many decimals as the currency has. */
  amount: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** The language of the pages that the payer sees. Default: EN. */
  language: 'FR' | 'EN' | 'AR'
  /** PENDING: the payer has not paid yet. PAID: the gateway has taken the money. REFUSED: the card was refused; another one may be tried. FAILED: the gateway did not accept the order. CANCELED, EXPIRED: not paid. REFUNDED: paid back in full. */
  status: 'PENDING' | 'PAID' | 'FAILED' | 'REFUSED' | 'CANCELED' | 'REFUNDED' | 'EXPIRED'
  /** Where the payer goes after a successful payment. */
  success_url: string
  /** Where the payer goes after an unsuccessful payment. */
  fail_url: string
  /** The order number that the service gave the card gateway. */
  gateway_order_number: string
  /** The id that the card gateway gave the order; null until it is registered. */
  gateway_order_id: string | null
  /** The status number of the order at the card gateway; null until it has sent one. */
  gateway_order_status: number | null
  /** The error code of the card gateway, `amount_mismatch` if it took another amount, or null. */
  gateway_error_code: string | null
  /** The result code of the authorisation at the card gateway, or null. */
  action_code: string | null
  /** The result of the authorisation in words, or null. */
  action_code_description: string | null
  /** The authorisation number of the bank that issued the card, or null. */
  approval_code: string | null
  /** The response code of the bank that issued the card, `00` if it accepted, or null. */
  resp_code: string | null
  /** The response code in words, or null. */
  resp_code_desc: string | null
  /** The card network, such as `VISA`; null until a card was tried. */
  card_brand: string | null
  /** The first six and the last four digits of the card number, with stars between them; null until a card was tried. */
  masked_pan: string | null
  /** The venture's own reference for the order, or null. */
  order_ref: string | null
  /** What the payer pays for, or null. */
  description: string | null
  /** The page where the payer enters the card. Null until the card gateway has registered the order. */
  form_url: string | null
  /** The name that the payer entered; null unless the payment link asks for it. */
  customer_name: string | null
  /** The email address that the payer entered; null unless the payment link asks for it. */
  customer_email: string | null
  /** The phone number that the payer entered; null unless the payment link asks for it. */
  customer_phone: string | null
  /** The payment link that the payment was started from; null if the venture created it. */
  payment_link_id: string | null
  /** The amount that was refunded to the payer. */
  refunded_amount: string
  /** When the payment was paid, in UTC; null until then. */
  paid_at: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

/** A card payment was canceled by the venture or the payer, or reversed in full. */
export type PaymentCanceledEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'payment.canceled'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Payment
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A card payment was created, by the venture or by a payer who used a payment link. */
export type PaymentCreatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'payment.created'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Payment
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A card payment was not paid in time. */
export type PaymentExpiredEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'payment.expired'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Payment
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A card payment failed: the gateway did not accept the order, or it took another amount or currency (`amount_mismatch`). */
export type PaymentFailedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'payment.failed'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Payment
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A page where anyone who has its URL can pay a fixed amount by card. */
export type PaymentLink = {
  /** The id of the link, for the API. The service assigns it. */
  id: string
  /** The last part of the URL, which identifies the link to the public page. */
  token: string
  /** The page for the payer. Anyone who has the URL can pay. */
  url: string
  /** Whether the link can be used. The venture switches it on and off. */
  active: boolean
  /** The amount for each payer, with exactly as many decimals as the currency has. */
  amount: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** What the payer pays for, or null. */
  description: string | null
  /** The language of the pages that the payer sees. Default: EN. */
  language: 'FR' | 'EN' | 'AR'
  /** Where the payer goes after a successful payment; null for a page of the service. */
  success_url: string | null
  /** Where the payer goes after an unsuccessful payment; null for a page of the service. */
  fail_url: string | null
  /** Whether the payer must enter a name. */
  ask_name: boolean
  /** Whether the payer must enter an email address. */
  ask_email: boolean
  /** Whether the payer must enter a phone number. */
  ask_phone: boolean
  /** How many payments the link can be used for; null for any number. */
  max_uses: number | null
  /** The number of payments of this link that are PAID, REFUNDED or PENDING. */
  uses: number
  /** Until when the link can be used, in UTC; null for no limit. */
  expires_at: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

/** A payment link was created. */
export type PaymentLinkCreatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'payment_link.created'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: PaymentLink
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type PaymentLinkUpdate = {
  /** Whether the link can be used. */
  active?: boolean | undefined
  /** What the payer pays for; null removes it. */
  description?: string | null | undefined
  /** How many payments the link can be used for; null for any number. */
  max_uses?: number | null | undefined
  /** Until when the link can be used; null for no limit. */
  expires_at?: string | null | undefined
}

/** A payment link was changed. Using a link only emits payment events. */
export type PaymentLinkUpdatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'payment_link.updated'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: PaymentLink
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type PaymentOrder = {
  /** What the payer pays, such as `12.50`, with at most as many decimals as the currency has. */
  amount: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** Where the payer goes after a successful payment. `payment_id` and `status` are added to it. */
  success_url: string
  /** Where the payer goes after an unsuccessful payment. `payment_id` and `status` are added to it. */
  fail_url: string
  /** The language of the pages that the payer sees. Default: EN. */
  language?: 'FR' | 'EN' | 'AR' | undefined
  /** Your own reference for the order. The service does not interpret it. */
  order_ref?: string | null | undefined
  /** What the payer pays for. The page of the gateway shows it. */
  description?: string | null | undefined
}

/** A card payment was paid. It may have been refused before, if the payer then used another card. */
export type PaymentPaidEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'payment.paid'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Payment
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A card payment was refunded in full or in part. After a partial refund it is still `PAID` and `previous_status` is null. */
export type PaymentRefundedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'payment.refunded'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Payment
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A card was refused. The payer can try another card until the session expires. */
export type PaymentRefusedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'payment.refused'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Payment
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** Card money that was paid out to the venture, or taken back from it. */
export type Payout = {
  /** The id of the payout. The service assigns it. */
  id: string
  /** The account that received the money, or from which it was taken back. */
  account_id: string
  /** The transfer that credits or debits the account. */
  transfer_id: string
  /** The payment whose refund or cancellation took the money back. Null: the money was paid out. */
  payment_id: string | null
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** The amount taken from the payable card money. Below zero if it was taken back from the account. */
  amount: string
  /** The fee of the bank, which is a part of `amount`. */
  fee_amount: string
  /** What the account received, or paid if it is below zero: `amount` minus `fee_amount`. */
  net_amount: string
  /** The purpose of the transfer, or null. */
  description: string | null
  /** When it was created, in UTC. */
  created_at: string
}

/** Card money was paid out to the payout account. */
export type PayoutCreatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'payout.created'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Payout
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type PayoutOrder = {
  /** Shown as the purpose of the transfer. Without it, the purpose is "Card payments". */
  description?: string | null | undefined
}

export type PayoutSettings = {
  /** The account that receives the card money, every day. Null: nothing is paid out. */
  payout_account_id: string | null
}

export type PayoutSettingsUpdate = {
  /** The account of the venture that receives the card money, every day; null to pay nothing out. */
  payout_account_id: string | null
}

export type PersonRegistration = {
  /** The first name, as in the identity document. */
  first_name: string
  /** Middle names, as in the identity document. */
  middle_name?: string | null | undefined
  /** The last name, as in the identity document. */
  last_name: string
  /** The date of birth, as YYYY-MM-DD. Clients are at least 18 years old. */
  date_of_birth: string
  /** The gender in the identity document; null if it was not given. */
  gender?: 'male' | 'female' | null | undefined
  /** The nationality, as an ISO 3166-1 alpha-3 code. */
  nationality: string
  /** The country of birth, as an ISO 3166-1 alpha-3 code. */
  birth_country: string
  /** The country where the client pays taxes, as an ISO 3166-1 alpha-3 code. */
  country_of_tax_residence: string
  /** Street and house number. */
  address: string
  /** The city of the address. */
  city: string
  /** The postcode of the address. */
  postcode: string
  /** The country of the address, as an ISO 3166-1 alpha-3 code. */
  country_code: string
  /** The email address. It is unique across all clients, ignoring case. */
  email: string
  /** The state or province of the address. */
  state_province?: string | null | undefined
  /** Another email address. */
  second_email?: string | null | undefined
  /** The mobile phone number in international format, such as `+33612345678`. */
  mobile_phone_number?: string | null | undefined
  /** Another phone number in international format. */
  second_mobile_phone_number?: string | null | undefined
  /** The id of the client in your own systems. The service does not interpret it. */
  external_client_code?: string | null | undefined
  /** What the client expects to receive, in your own words. */
  planned_income?: string | null | undefined
  /** What the client expects to spend, in your own words. */
  planned_expenditure?: string | null | undefined
  /** The number of the client's organization in the venture's own systems. The service does not interpret it. */
  organization_id: number
  /** How the client is verified. FULL_KYC (the default): the full check of the verifier. DOC_ONLY: documents only. NOT_REQUIRED: not at all; in MANAGED ventures, only the bank may choose this. */
  kyc_level?: 'FULL_KYC' | 'DOC_ONLY' | 'NOT_REQUIRED' | undefined
  /** How risky the client is, as the venture, the bank or the verifier assesses it. The default is Low. */
  risk_level?: 'Low' | 'Medium' | 'High' | undefined
}

export type Policy = {
  /** The venture. */
  venture_id: string
  /** The version of the policy; 0 until the bank has changed something for this venture. */
  version: number
  /** The bank's share of card payouts. */
  card_fee: string
  /** The days between a card payment and its payout. */
  payout_delay_days: number
  /** For how many seconds an exchange rate is guaranteed for a transfer. */
  rate_hold_s: number
  /** The debit amount, in its own currency, above which a transfer needs a signature; null for never. */
  sign_above: string | null
  /** The debit amount above which a person of the bank reviews a payment; null for never. */
  review_above: string | null
  /** Who may sign: anyone, anyone except the key or person that ordered, or a person (not a key) who did not order. */
  signer: 'any' | 'other' | 'user'
  /** From this score on, a person reviews a name that resembles a list entry. */
  screen_threshold: string
  /** From this score on, a freeze of the payment is proposed. */
  block_threshold: string
  /** The names of the watch lists to use; null for all active lists. */
  lists: string[] | null
  /** Whether politically exposed persons count as hits. */
  screen_peps: boolean
  /** Whether the name of the payee is verified before a payment. */
  payee_check: 'off' | 'warn' | 'require'
  /** For how many hours a transfer waits for funds. */
  funds_wait_h: number
  /** What happens to the money of an unanswered instant payment. restore: ten seconds after the order, the account is as it was. hold: it is kept until there is an answer. */
  instant_timeout: 'hold' | 'restore'
  /** What is compared during an instant payment in euro. clients: nothing, because all clients are compared every day. transactions: the lists outside Art. 5d. */
  instant_screening: 'clients' | 'transactions'
  /** Rules for further payments that a person reviews. */
  rules: { [name: string]: unknown }[]
  /** Who did it. venture: a key of the venture. user: a person of the venture. operator: a person of the bank, or the admin key. service: the service itself. connector: a rail that reports what happened outside. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The person who created this version; null for the admin key and for version 0. */
  actor_id: string | null
  /** When this version was created, in UTC; null for version 0. */
  created_at: string | null
}

export type PolicyUpdate = {
  /** The bank's share of card payouts. */
  card_fee?: string | undefined
  /** The days between a card payment and its payout. */
  payout_delay_days?: number | undefined
  /** For how many seconds an exchange rate is guaranteed for a transfer. */
  rate_hold_s?: number | undefined
  /** The debit amount, in its own currency, above which a transfer needs a signature; null for never. */
  sign_above?: string | null | undefined
  /** The debit amount above which a person of the bank reviews a payment; null for never. */
  review_above?: string | null | undefined
  /** Who may sign: anyone, anyone except the key or person that ordered, or a person (not a key) who did not order. */
  signer?: 'any' | 'other' | 'user' | undefined
  /** From this score on, a person reviews a name that resembles a list entry. */
  screen_threshold?: string | undefined
  /** From this score on, a freeze of the payment is proposed. */
  block_threshold?: string | undefined
  /** The names of the watch lists to use; null for all active lists. */
  lists?: string[] | null | undefined
  /** Whether politically exposed persons count as hits. */
  screen_peps?: boolean | undefined
  /** Whether the name of the payee is verified before a payment. */
  payee_check?: 'off' | 'warn' | 'require' | undefined
  /** For how many hours a transfer waits for funds. */
  funds_wait_h?: number | undefined
  /** What happens to the money of an unanswered instant payment. restore: ten seconds after the order, the account is as it was. hold: it is kept until there is an answer. */
  instant_timeout?: 'hold' | 'restore' | undefined
  /** What is compared during an instant payment in euro. clients: nothing, because all clients are compared every day. transactions: the lists outside Art. 5d. */
  instant_screening?: 'clients' | 'transactions' | undefined
  /** Rules for further payments that a person reviews. */
  rules?: (AmountRule | SumRule | CountRule | NewPayeeRule | ExpectedVolumeRule | CountryRule | JustBelowRule)[] | undefined
}

/** The body of every error response (RFC 9457). */
export type Problem = {
  /** The page of the error code, relative to the service: `/docs/errors#` and the code. */
  type: string
  /** A short title, which is the same for every problem with this code. */
  title: string
  /** The status of the response. */
  status: number
  /** What is wrong with this request, including its values, and what to do about it. */
  detail: string
  /** The path of the request, without its query. */
  instance: string
  /** The error code, which is never renamed. Programs should compare only this field. */
  code: 'malformed_request' | 'malformed_body' | 'invalid_request' | 'invalid_signature' | 'unauthorized' | 'sign_in_failed' | 'forbidden' | 'foreign_origin' | 'console_needs_https' | 'passkey_required' | 'reauthentication_required' | 'reserved_to_bank' | 'signer_not_allowed' | 'not_yours_to_sign' | 'approval_required' | 'admin_key_retired' | 'key_seen_by_bank' | 'person_needed' | 'venture_has_admin' | 'pair_not_yours' | 'route_not_found' | 'account_not_found' | 'mandate_not_found' | 'payee_verification_not_found' | 'api_key_not_found' | 'application_not_found' | 'approval_not_found' | 'watchlist_not_found' | 'watchlist_version_not_found' | 'screening_not_found' | 'question_not_found' | 'file_not_found' | 'case_not_found' | 'beneficiary_not_found' | 'client_not_found' | 'delivery_not_found' | 'endpoint_not_found' | 'event_not_found' | 'verification_not_found' | 'request_not_found' | 'job_not_found' | 'link_not_found' | 'passkey_not_found' | 'session_not_found' | 'payment_not_found' | 'payment_link_not_found' | 'payout_not_found' | 'onboarding_not_found' | 'transfer_not_found' | 'user_not_found' | 'inbound_payment_not_found' | 'demo_not_started' | 'request_log_off' | 'service_not_empty' | 'demo_running' | 'demo_not_possible' | 'sandbox_payment_not_found' | 'unapplied_payment_not_found' | 'break_not_found' | 'clearing_not_found' | 'nostro_not_found' | 'nostro_statement_not_found' | 'venture_not_found' | 'method_not_allowed' | 'request_timeout' | 'approval_pending' | 'verification_running' | 'approval_not_pending' | 'own_approval' | 'related_approval' | 'four_eyes_off' | 'pair_not_related' | 'decided_by_case' | 'watchlist_name_used' | 'watchlist_version_exists' | 'watchlist_version_deleted' | 'watchlist_shrunk' | 'case_decided' | 'case_open' | 'question_not_possible' | 'question_answered' | 'too_many_files' | 'inbound_payment_booked' | 'venture_not_managed' | 'unapplied_payment_decided' | 'break_decided' | 'nostro_exists' | 'client_mismatch' | 'client_sanctioned' | 'account_not_suspended' | 'account_closed' | 'account_not_active' | 'mandate_exists' | 'mandate_not_active' | 'epc_qr_not_possible' | 'account_not_empty' | 'account_transition_not_allowed' | 'already_reserved' | 'already_sent' | 'already_member' | 'already_set_up' | 'bank_has_admins' | 'client_blocked' | 'account_frozen' | 'compliance_pending' | 'idempotency_key_in_use' | 'idempotency_secret_shown' | 'email_used' | 'endpoint_limit' | 'endpoint_disabled' | 'signature_mismatch' | 'signature_not_requested' | 'settled_on_us' | 'sent_by_rails' | 'instant_not_possible' | 'in_suspense' | 'not_cleared' | 'not_received' | 'not_sent' | 'onboarding_exists' | 'payout_changed' | 'payment_transition_not_allowed' | 'refund_exists' | 'refund_refused' | 'receiver_not_active' | 'reservation_required' | 'screening_required' | 'policy_changed' | 'policy_invalid' | 'processed_by_bank' | 'sandbox_payment_not_recallable' | 'message_not_applied' | 'recall_not_possible' | 'recall_pending' | 'resource_changed' | 'venture_disabled' | 'venture_has_books' | 'transfer_terminal' | 'transfer_transition_not_allowed' | 'job_not_dead' | 'key_limit' | 'last_admin' | 'user_elsewhere' | 'user_exists' | 'kyc_event_conflict' | 'unique_reference_used' | 'link_expired' | 'file_too_large' | 'body_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'bulk_refused' | 'payee_check_required' | 'payee_check_not_accepted' | 'passkey_refused' | 'weak_password' | 'decision_not_offered' | 'decision_details_invalid' | 'assignee_invalid' | 'amount_mismatch' | 'file_type_invalid' | 'question_tips_off' | 'balance_too_large' | 'beneficiary_invalid' | 'mandate_invalid' | 'beneficiary_mismatch' | 'beneficiary_required' | 'currency_mismatch' | 'insufficient_funds' | 'limit_exceeded' | 'parent_invalid' | 'watchlist_refused' | 'pack_not_found' | 'pack_state_not_allowed' | 'message_not_found' | 'rate_missing' | 'exchange_not_today' | 'nothing_to_pay_out' | 'payable_insufficient' | 'payout_account_missing' | 'refund_exceeds_payment' | 'method_not_available' | 'rail_suspended' | 'rail_ended' | 'participation_invalid' | 'calendar_year_not_found' | 'calendar_is_rule' | 'transfer_method_invalid' | 'beneficiary_needs_account' | 'client_underage' | 'endpoint_url_refused' | 'identity_field_immutable' | 'invalid_bic' | 'invalid_iban' | 'invalid_routing_number' | 'query_too_broad' | 'statement_too_long' | 'too_many_lists' | 'too_many_streams' | 'too_many_requests' | 'too_many_requests_open' | 'too_many_sign_ins' | 'headers_too_large' | 'internal_error' | 'gateway_missing' | 'unavailable' | 'outcome_unknown'
  /** The id of the request, as in the header `X-Request-Id`. Quote it when you contact the operator. */
  request_id: string
  /** The fields that are wrong. Only with `invalid_request`. */
  errors?: {
    /** The name of the field. Names inside objects and lists are joined with dots, such as `rules.0.above`. */
    field: string
    /** What is wrong with the field, for people. It completes a sentence that begins with the field's name. */
    message: string
  }[] | undefined
} & { [name: string]: unknown }

/** A question of the bank. */
export type Question = {
  /** The id of the question. The service assigns it. */
  id: string
  /** The question. */
  text: string
  /** The day by which the bank needs the answer. */
  due_on: string
  /** OPEN: waiting for an answer. ANSWERED: answered once, for good. */
  state: 'OPEN' | 'ANSWERED'
  /** The answer; null until then. */
  answer: string | null
  /** The files that belong to the answer; none until then. */
  file_ids: string[]
  /** When it was created, in UTC. */
  created_at: string
  /** When it was answered, in UTC; null until then. */
  answered_at: string | null
}

export type QuestionAnswer = {
  /** The answer. All files that were sent for the question belong to it. */
  answer: string
}

export type QuestionFile = {
  /** The id of the file. The service assigns it. */
  id: string
  /** The name of the file. */
  name: string
  /** The media type of the file. */
  type: string
  /** The size of the file in bytes. */
  size: number
  /** The SHA-256 of the file in hexadecimal. */
  sha256: string
  /** When it was created, in UTC. */
  created_at: string
}

export type RailCycles = {
  /** When packs leave on the days on which the rail settles, in the zone of its participation. A rail without cut-offs sends continuously. */
  cut_offs: string[]
}

export type RailMessage = {
  /** The id of the message within the service, which assigns it. */
  id: string
  /** OUT: sent by the bank. IN: received from another bank. */
  direction: 'IN' | 'OUT'
  /** The type, such as pacs.008.001.08; null if the file could not be read. */
  type: string | null
  /** The id in the message itself; null if the file could not be read. */
  message_id: string | null
  /** The BIC of the sender; null if the file could not be read. */
  sender: string | null
  /** The name of the file. */
  file: string
  /** The pack that the message contains or asks about. */
  pack_id: string | null
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string
  /** The size of the file, in bytes. */
  size_bytes: number
  /** OUT: SEALED, then DELIVERED. IN: RECEIVED, then APPLIED; or REFUSED whole. */
  state: 'SEALED' | 'DELIVERED' | 'RECEIVED' | 'APPLIED' | 'REFUSED'
  /** Why the whole message was refused, as a code, or null. */
  reason: string | null
  /** The exact fault, or why the message is held back. */
  detail: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

export type RailPayment = {
  /** The venture of the transfer. */
  venture_id: string
  /** The transfer that is sent. */
  transfer_id: string
  /** Rises only after the attempt before was REFUSED. */
  attempt: number
  /** The id of the transaction in the message. */
  tx_id: string
  /** The reference that travels with the payment to the payee. */
  end_to_end_id: string
  /** Its position in the pack, from 1; null while it is in none. */
  position: number | null
  /** The amount that leaves the bank, with exactly as many decimals as the currency has. */
  amount: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** COLLECTED, then PACKED, and SENT once the message is sealed; then the scheme's answer. UNKNOWN: not answered in time. REFUSED: this attempt did not happen. DROPPED: it left the pack before the pack was sealed. */
  state: 'COLLECTED' | 'PACKED' | 'SENT' | 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED' | 'UNKNOWN' | 'REFUSED' | 'DROPPED'
  /** The scheme's reason code, or why it was refused, or null. */
  reason: string | null
  /** The day on which it settled; null until then. */
  settled_on: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

export type Rate = {
  /** The id of the rate. The service assigns it. */
  id: string
  /** The currency that is debited, as an ISO 4217 code. */
  from_currency: string
  /** The currency that is credited, as an ISO 4217 code. */
  to_currency: string
  /** How much of `to_currency` one unit of `from_currency` is worth, without the margin. */
  rate: string
  /** The share of the debited amount that the bank charges as its fee. */
  margin: string
  /** When the rate becomes valid, in UTC. */
  valid_from: string
  /** When the rate ceases to be valid, in UTC; null if it is valid until another one replaces it. */
  valid_until: string | null
  /** Who did it. venture: a key of the venture. user: a person of the venture. operator: a person of the bank, or the admin key. service: the service itself. connector: a rail that reports what happened outside. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector'
  /** The person who set it; null for the admin key. */
  actor_id: string | null
  /** When it was created, in UTC. */
  created_at: string
}

export type ReachableBanks = {
  /** The banks that the rail reaches, with all their branches. An empty list means every bank. */
  bics: string[]
}

export type Recall = {
  /** The id of the recall. The service assigns it. */
  id: string
  /** The payment to be returned. */
  transfer_id: string
  /** OUT: the bank asks for the payment. IN: another bank asks for it. */
  direction: 'IN' | 'OUT'
  /** The id of the request in its message. */
  case_reference: string
  /** The code of the reason. */
  reason: string
  /** The other bank's answer. The money itself comes back as a return. */
  state: 'REQUESTED' | 'ACCEPTED' | 'REFUSED'
  /** Why the payment is not given back. */
  answer_reason: string | null
  /** By when the other bank should answer; null if there is no such day. */
  due_on: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

export type RecallRequest = {
  /** AC03: The payment was made to a wrong account number. AM09: The amount is wrong. CUST: A customer decided so. DUPL: The payment is a duplicate of another. FRAD: The payment is fraudulent. SVNR: What was paid for was not delivered. TECH: A technical problem led to a wrong payment. UPAY: The payment was not owed. */
  reason: 'AC03' | 'AM09' | 'CUST' | 'DUPL' | 'FRAD' | 'SVNR' | 'TECH' | 'UPAY'
  /** For the other bank, in the characters of the scheme. */
  information?: string | null | undefined
}

export type Reconciliation = {
  /** The nostro. */
  nostro_id: string
  /** The day of the statement that is compared: the last one up to the requested day. */
  date: string
  /** The number of the statement among those of the nostro. */
  number: number
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** The closing balance of the statement. */
  closing: string
  /** The bank's own money in the account. */
  prefunding: string
  /** The sum of the ledger entries on settlement accounts for payments over this nostro. Outgoing is positive. */
  settlement: string
  /** Payments that are booked but not on a statement yet. Outgoing is negative. */
  in_transit: string
  /** The differences of open breaks. */
  breaks: string
  /** closing - (prefunding - settlement - in_transit + breaks). Always zero. */
  difference: string
}

export type Redelivered = {
  /** The number of deliveries that are sent again. */
  redelivered: number
}

export type RefundOrder = {
  /** How much to refund, in the currency of the payment. Default: all that is left. */
  amount?: string | undefined
  /** Your own id for this refund, required with `amount`. Repeating the request with the same id does not refund the money twice. */
  external_refund_id?: string | undefined
}

export type Rejection = {
  /** The reason, for the person who made the request. */
  reason?: string | undefined
}

export type ReturnedPaymentReport = {
  /** The BIC of the bank that sent the message. */
  sender: string
  /** The kind of message, without its version. */
  kind: 'pacs.003' | 'pacs.004' | 'pacs.007' | 'pacs.008' | 'camt.054' | 'card.clearing' | 'card.reversal' | 'chargeback'
  /** The id of the transaction in the message, without spaces around it. The bank books a message once, whichever way it arrives. */
  tx_id: string
  /** The venture of the transfer. */
  venture_id: string
  /** The outbound transfer whose money came back. */
  transfer_id: string
  /** What kind of return it is. PAYMENT_RETURN if absent. */
  transfer_type?: 'PAYMENT_RETURN' | 'PAYMENT_REVERSAL' | 'PAYMENT_TECHNICAL_REVERSAL' | 'PAYMENT_CANCELLATION' | 'CARD_REVERSAL' | undefined
  /** What came back, in the currency in which it left; everything if absent. */
  amount?: string | null | undefined
  /** Why it came back, as an ISO 20022 code such as MD07. The return and its parent get it as `status_reason_code`. */
  reason_code?: string | null | undefined
  /** Why it came back, in words. The return and its parent get it as `status_reason`. */
  reason?: string | null | undefined
}

/** Our account with the simulated bank. */
export type SandboxBankAccount = {
  /** The IBAN of our account with the simulated bank. */
  iban: string
  /** The BIC of the simulated bank. */
  bic: string
  /** The currency of the account, always `EUR`. */
  currency: string
}

/** The numbers of payments by state. */
export type SandboxBankCounts = {
  /** How many payments are WAITING. */
  WAITING: number
  /** How many payments are SETTLED. */
  SETTLED: number
  /** How many payments are REJECTED. */
  REJECTED: number
  /** How many payments are RETURNED. */
  RETURNED: number
  /** How many payments are REFUSED. */
  REFUSED: number
}

export type SandboxBankCycle = {
  /** How many payments the bank has moved. */
  payments: number
}

export type SandboxBankDayEnd = {
  /** One, or several if there are more than 5,000 entries. */
  statements: SandboxBankStatement[]
}

export type SandboxBankDirectDebitOrder = {
  /** The account of ours that is debited. It need not exist. */
  iban: string
  /** The amount in euros. */
  amount: string
  /** Who collects. */
  name?: string | undefined
  /** The debtor, as named in the mandate. */
  payer_name?: string | undefined
  /** The scheme of the mandate. Default: CORE. */
  scheme?: 'CORE' | 'B2B' | undefined
  /** The sequence of the collection. Default: RCUR. */
  sequence_type?: 'FRST' | 'RCUR' | 'FNAL' | 'OOFF' | undefined
  /** The reference of the signed mandate. */
  mandate_reference?: string | undefined
  /** The day on which the debtor signed the mandate. */
  mandate_signed_on?: string | undefined
  /** The SEPA creditor identifier of the collecting creditor. */
  creditor_id?: string | undefined
  /** The due date. Default: the next TARGET day. */
  collection_date?: string | undefined
  /** What the collection is for, in the creditor's words. */
  purpose?: string | undefined
}

export type SandboxBankPayment = {
  /** Null for a return, whose transaction id is not a UUID. */
  id: string | null
  /** OUT leaves our bank, IN arrives at it. */
  direction: 'OUT' | 'IN'
  /** The kind of its message: a payment, a collection, or the return of either. */
  kind: 'CREDIT_TRANSFER' | 'DIRECT_DEBIT' | 'RETURN'
  /** The rail that it came over. */
  rail: 'SEPA' | 'INST' | 'SDD'
  /** The id of its message. */
  message_id: string
  /** The id of the transaction in the message. */
  tx_id: string
  /** The payer's reference for the payment. */
  end_to_end_id: string
  /** For a return: the payment that came back. */
  original_tx_id: string | null
  /** In euros. */
  amount: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** The name of the payer, or null. */
  debtor: string | null
  /** The IBAN of the payer, or null. */
  debtor_iban: string | null
  /** The name of the payee, or null. */
  creditor: string | null
  /** The IBAN of the payee, or null. */
  creditor_iban: string | null
  /** What the payment is for, or null. */
  purpose: string | null
  /** The due date of a collection; null for everything else. */
  due_on: string | null
  /** REFUSED: together with the whole message. */
  state: 'WAITING' | 'SETTLED' | 'REJECTED' | 'RETURNED' | 'REFUSED'
  /** The reason code of a rejection, refusal or return, or null. */
  reason: string | null
  /** The day on which it settled; null until then. */
  settled_on: string | null
}

export type SandboxBankPaymentOrder = {
  /** The account of ours that receives the money. It need not exist. */
  iban: string
  /** The amount in euros. */
  amount: string
  /** SEPA if absent. */
  rail?: 'SEPA' | 'INST' | undefined
  /** Who pays. */
  name?: string | undefined
  /** The IBAN of the payer. */
  payer_iban?: string | undefined
  /** The payee, in the payer's words. */
  payee_name?: string | undefined
  /** What the payment is for, in the payer's words. */
  purpose?: string | undefined
  /** The payer's reference for the payment. */
  end_to_end_id?: string | undefined
}

export type SandboxBankRecall = {
  /** The id of the request at the simulated bank. */
  id: string
  /** The payment to be returned. */
  bank_payment_id: string
  /** The code of the reason. */
  reason: string
  /** Our bank's answer. */
  state: 'REQUESTED' | 'ACCEPTED' | 'REFUSED'
}

export type SandboxBankRecallOrder = {
  /** A payment that the simulated bank sent us. */
  bank_payment_id: string
  /** The reason. Default: DUPL. */
  reason?: 'AC03' | 'AM09' | 'CUST' | 'DUPL' | 'FRAD' | 'SVNR' | 'TECH' | 'UPAY' | undefined
}

export type SandboxBankState = {
  account: SandboxBankAccount
  /** The balance of our account with the simulated bank, in euros. */
  balance: string
  /** The number of the last statement. */
  last_statement: number | null
  counts: SandboxBankCounts
  /** The newest 100 payments in both directions, newest first. */
  payments: SandboxBankPayment[]
}

export type SandboxBankStatement = {
  /** The number of the statement at the simulated bank. */
  sequence: number
  /** The day of the statement. */
  date: string
  /** The opening balance, in euros. */
  opening: string
  /** The closing balance, in euros. */
  closing: string
  /** How many entries it has. */
  entries: number
}

export type SandboxDecision = {
  /** The verifier's decision. REVIEW: a person reviews it. ABORTED: the client gave up. */
  outcome: 'APPROVED' | 'DECLINED' | 'REVIEW' | 'ABORTED'
}

export type SandboxDeposit = {
  /** The amount in the currency of the account, such as `100.00`. */
  amount: string
}

export type SandboxSettlement = {
  /** How the transfer ends. */
  outcome: 'COMPLETED' | 'REJECTED' | 'RETURNED'
}

export type SandboxVerification = {
  /** The client. */
  client_id: string
  /** The verifier's decision. The event is on its way. */
  outcome: 'APPROVED' | 'DECLINED' | 'REVIEW' | 'ABORTED'
}

export type Scheme = {
  /** The rail: the name of the participation. */
  rail: 'SEPA' | 'INST' | 'SDD'
  /** The method of its transfers. */
  method: string
  /** The name of its payments. */
  name: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** Whether new orders are accepted. */
  available: boolean
  /** Whether each payment is answered within seconds, on every day. */
  instant: boolean
  /** Whether it collects direct debits rather than pays. */
  collects: boolean
  /** The smallest amount of a transfer, or null. */
  smallest: string | null
  /** The largest amount of a transfer, or null. */
  largest: string | null
  /** When the next pack leaves, in UTC; null if payments leave continuously. */
  next_cut_off: string | null
  /** The day on which a payment that leaves next settles; null if its calendar is incomplete. */
  value_date: string | null
  /** What a payee needs for the scheme to reach them. */
  payee_needs: ({
    /** What the payee must have: `iban` or `bic`. */
    field: string
    /** Always, or only for an IBAN of a country outside the EEA. */
    when: 'always' | 'iban_outside_eea'
  })[]
}

export type Screening = {
  /** The id of the screening. The service assigns it. */
  id: string
  /** The venture of the subject. */
  venture_id: string
  /** What was screened. */
  subject_kind: 'transfer' | 'client' | 'beneficiary'
  /** The transfer, client or beneficiary that was screened. */
  subject_id: string
  /** The reason for the screening. processing: a payment being processed. created, changed: a client or a beneficiary. list: a new version of a list. nightly: everything is compared again every day. art_5d: an instant payment in euro; its parties are not compared during the payment, because all clients are compared every day. */
  cause: 'processing' | 'created' | 'changed' | 'list' | 'nightly' | 'art_5d'
  /** The names that were compared. */
  parties: ({
    /** The field in which it was found: a party, such as `creditor` or `ultimate_debtor`, or a text, such as `purpose`. */
    party: string
    /** The name that was compared; null if there is none. */
    name: string | null
    /** Whether the name could be read. */
    reading: 'whole' | 'part' | 'none'
    /** The highest score of the name, from 0 to 1; null if nothing was compared. */
    best_score: number | null
  })[]
  /** The versions of the lists that it was compared with. */
  versions: string[]
  /** The version of the comparison, with which scores can be computed again. */
  algorithm: string
  /** The version of the venture's policy that gave the thresholds. */
  policy_version: number
  /** From this score on, a person reviews it. */
  screen_threshold: number
  /** From this score on, a freeze of the payment is proposed. */
  block_threshold: number
  /** CLEAR: nothing was found. HIT: a person must review it. BLOCK: a person must review it, and should freeze it. */
  outcome: 'CLEAR' | 'HIT' | 'BLOCK'
  /** The highest score of all parties, from 0 to 1; null if nothing was compared. */
  best_score: number | null
  /** When it was created, in UTC. */
  created_at: string
}

export type ScreeningHit = {
  /** The id of the hit. The service assigns it. */
  id: string
  /** The field in which it was found: a party, such as `creditor` or `ultimate_debtor`, or a text, such as `purpose`. */
  party: string
  /** `entry`: the name resembles an entry. `unreadable`: part of the name could not be compared. `country`: the bank does not deal with this country. `payer_account`, `payer_name`, `payer_address`: the payment does not say this of its payer, as the law requires. */
  reason: 'entry' | 'unreadable' | 'country' | 'payer_account' | 'payer_name' | 'payer_address'
  /** The list of the entry; null if the reason is not an entry. */
  watchlist_id: string | null
  /** The version of the list; null if the reason is not an entry. */
  version_id: string | null
  /** The id of the entry in its list; null if the reason is not an entry. */
  entry_id: string | null
  /** How similar the name is to the entry, from 0 to 1; null if nothing could be compared. */
  score: number | null
  /** Everything that the score was computed from, so that it can be computed again, and the source of each fact: verified, or claimed by the venture, the other bank or the bank. */
  explanation: { [name: string]: unknown } | null
  /** OPEN: waiting for a decision. CLEARED: not the listed entry. CONFIRMED: the listed entry. */
  state: 'OPEN' | 'CLEARED' | 'CONFIRMED'
  /** The person who decided; null if it was the admin key. */
  decided_by: string | null
  /** When it was decided, in UTC; null until then. */
  decided_at: string | null
}

export type Seal = {
  /** The number of the seal in the chain, from 1. */
  number: number
  /** When the seal was made, in UTC. */
  at: string
  /** How many rows the seal covers. */
  rows: number
  /** A SHA-256 that depends on every row of this seal and on the root of the previous seal. */
  root: string
  /** The root of the previous seal. */
  previous_root: string
}

export type Session = {
  /** The id of the session, which is not the secret in the cookie. */
  id: string
  /** The signed-in person. */
  user: {
    /** The id of the user. */
    id: string
    /** The email address of the user. */
    email: string
    /** The name of the user. */
    name: string
  }
  /** The role at the bank. admin: everything. operator: daily work. auditor: reading. Null for a person who does not work there. */
  bank_role: 'admin' | 'operator' | 'auditor' | null
  /** The ventures that the person may act for. */
  memberships: ({
    /** The venture. */
    venture_id: string
    /** The role in the venture. admin: everything, including keys and users. operator: clients, accounts and money. viewer: reading. */
    role: 'admin' | 'operator' | 'viewer'
  })[]
  /** Whether the person signed in or reauthenticated with a passkey. */
  by_passkey: boolean
  /** Whether the person has registered a passkey, which reauthentication then requires. */
  has_passkey: boolean
  /** Whether this session can only register a passkey, or use the person's existing one. */
  passkey_required: boolean
  /** When it was created, in UTC. */
  created_at: string
  /** When the person last authenticated, in UTC. Sensitive operations require that within the last ten minutes. */
  authenticated_at: string
  /** When the session ends at the latest, in UTC. Without use, it ends after 30 minutes. */
  expires_at: string
  /** Whether a verifier opens applications for clients; false outside the sandbox without `VERIFIER`. */
  has_verifier: boolean
  /** How many seconds the clock of the service is ahead of real time, which sessions follow; null outside the sandbox. */
  clock_ahead_s: number | null
}

export type SignIn = {
  /** The email address of the user. */
  email: string
  /** The password of the user. */
  password: string
}

export type SignInRecord = {
  /** The id of the entry. */
  id: string
  /** What has happened. SIGN_IN_THROTTLED: attempts were refused without checking them, because too many had failed. PROVED: the person reauthenticated. SESSION_ENDED: the person ended one of their sessions. SESSIONS_ENDED: an admin or a higher role ended all of them. PASSWORD_RESET: a link was used, which also removes the passkeys. PASSKEY_REMOVED without an address: the passkeys were removed when the person got a higher role, because another person could have registered them. */
  what: 'SIGNED_IN' | 'SIGN_IN_FAILED' | 'SIGN_IN_THROTTLED' | 'PROVED' | 'PROOF_FAILED' | 'SIGNED_OUT' | 'SESSION_ENDED' | 'SESSIONS_ENDED' | 'PASSWORD_CHANGED' | 'PASSWORD_RESET' | 'PASSKEY_ADDED' | 'PASSKEY_REMOVED'
  /** The factor that was used; null if none is needed. */
  factor: 'PASSWORD' | 'PASSKEY' | null
  /** The network address that the request came from; null if another person did it. */
  address: string | null
  /** The session that began, continued or ended; null if the entry is about none, or about all. */
  session_id: string | null
  /** When it happened, in UTC. */
  created_at: string
}

export type Statement = {
  /** The account. */
  account_id: string
  /** The name of the account. */
  account_name: string
  /** The IBAN of the account. */
  account_number: string
  /** The ISO 4217 code of the currency of the account. */
  currency: string
  /** The client to whom the account belongs. */
  holder_name: string
  /** The name of the bank that keeps the account. */
  bank_name: string
  /** The BIC of the bank that keeps the account. */
  bank_bic: string
  /** The first moment of the interval, in UTC. */
  from: string
  /** The last millisecond of the interval. */
  to: string
  /** The balance just before the interval, with exactly as many decimals as the currency has. */
  opening_balance: string
  /** The sum of what came in, as a number that is not below zero. */
  total_credits: string
  /** The sum of what went out, as a number that is not below zero. */
  total_debits: string
  /** `opening_balance` plus the amounts of all lines. */
  closing_balance: string
  /** How many lines the statement has. */
  line_count: number
  /** When the statement was made. If the interval has not ended by then, lines may follow. */
  generated_at: string
  /** What was booked in the interval, oldest first. */
  lines: StatementLine[]
}

export type StatementLine = {
  /** The id of the ledger entry. */
  id: string
  /** The transfer that was booked; null for a booking without one. */
  transfer_id: string | null
  /** When it was booked, in UTC. */
  booked_at: string
  /** The UTC day on which it was booked. */
  booking_date: string
  /** The day from which the money counts: the transfer's settlement date. */
  value_date: string
  /** Positive for money that came in, negative for money that went out. */
  amount: string
  /** The balance after this line. */
  balance: string
  /** How much of an outgoing amount is a fee. */
  fee_amount: string | null
  /** What the other side received or paid, if in another currency. */
  exchanged_amount: string | null
  /** The currency of `exchanged_amount`; null within one currency. */
  exchanged_currency: string | null
  /** The exchange rate of the transfer; null within one currency. */
  exchange_rate: string | null
  /** The rail of the transfer; null for a booking without one. */
  method: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC' | null
  /** The type of the transfer; null for a booking without one. */
  transfer_type: 'FEE' | 'PAYMENT' | 'PAYMENT_CANCELLATION' | 'PAYMENT_RETURN' | 'FEE_CANCELLATION' | 'CCY_EXCHANGE' | 'ADJUSTMENT' | 'PAYMENT_TECHNICAL_REVERSAL' | 'PAYMENT_REVERSAL' | 'CARD_AUTH' | 'CARD_ADVICE' | 'CARD_REVERSAL' | 'FX_POSITION_CLOSING' | 'CARD_CLEARING' | null
  /** The reference of the order; null for a booking without a transfer. */
  unique_reference: string | null
  /** The name of the payer or payee, or null. */
  counterparty_name: string | null
  /** The IBAN of the other side, or null. */
  counterparty_iban: string | null
  /** The counterparty's account number, if it has no IBAN. */
  counterparty_account_id: string | null
  /** The BIC of the bank of the other side, or null. */
  counterparty_bic: string | null
  /** What the payment was for, or null. */
  purpose: string | null
  /** The machine-readable reference of the payment, or null. */
  structured_reference: string | null
  details?: TransferDetails | undefined
}

export type Statistics = {
  /** The first day, in UTC, of the counted transfers. */
  since: string
  /** The balances of all accounts, by currency. */
  balances: {
    /** The ISO 4217 code of the currency, such as `EUR`. */
    currency: string
    /** How many accounts are included. */
    accounts: number
    /** The sum of their current balances. */
    current_balance: string
    /** The sum of their reserved balances. */
    reserved_balance: string
    /** The sum of their available balances. */
    available_balance: string
  }[]
  /** Whether the venture has more than 10,000 accounts; only the newest are included. */
  balances_truncated: boolean
  /** The transfers created since then by current status, the most frequent status first. */
  transfers_by_status: ({
    /** The status. */
    status: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN'
    /** How many transfers have this status now. */
    count: number
  })[]
  /** The amounts of COMPLETED transfers by day of creation, currency and direction, oldest first. Days without any are left out. */
  volumes: ({
    /** The day, in UTC, on which the transfers were created. */
    date: string
    /** The ISO 4217 code of the currency, such as `EUR`. */
    currency: string
    /** INBOUND: received by accounts. OUTBOUND: sent by accounts. */
    direction: 'INBOUND' | 'OUTBOUND'
    /** The number of these transfers. */
    count: number
    /** The sum of their amounts on the accounts, without fees. */
    amount: string
  })[]
  /** Whether more than 10,000 transfers were created since then; only the newest are counted. */
  transfers_truncated: boolean
  /** What waits for a person. */
  attention: {
    /** Transfers of any age in REVIEW, ON_HOLD, MANUAL_ACTION or SOME_PROBLEMS. Counted up to 100: 100 means 100 or more. */
    transfers: number
    /** Transfers of any age in TO_SIGN. Counted up to 100: 100 means 100 or more. */
    transfers_to_sign: number
    /** Webhook deliveries without further attempts. Counted up to 100: 100 means 100 or more. */
    failed_deliveries: number
    /** Webhook endpoints that receive nothing. Counted up to 100: 100 means 100 or more. */
    disabled_endpoints: number
    /** Clients in CREATED, PROCESSING or PENDING_REVIEW. Counted up to 100: 100 means 100 or more. */
    clients_in_verification: number
  }
}

export type SumRule = {
  /** Fires if the payments of several days add up to more than an amount. */
  kind: 'sum'
  /** The sum in the currency of the account. Exactly this sum does not count. */
  above: string
  /** How many days the rule looks back, including today. */
  days: number
}

export type TestClock = {
  /** The time of the service. */
  now: string
  /** How many seconds it is ahead of the real time. */
  ahead_s: number
}

/** Money on its way in, out, or between two accounts. */
export type Transfer = {
  /** The id of the transfer. The service assigns it. */
  id: string
  /** The account of the client: the debtor of an outbound transfer, the creditor of an inbound one. */
  account_id: string
  /** The reference of the order, unique across all transfers. It is also the idempotency key. */
  unique_reference: string
  /** INBOUND: the account receives the money. OUTBOUND: the account pays it. */
  direction: 'INBOUND' | 'OUTBOUND'
  /** The rail that carries the transfer. INST: SEPA instant. SDD: SEPA direct debit. INTERNAL: between two accounts of the venture. */
  method: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC'
  /** What the transfer is for. PAYMENT for everything that clients order. */
  transfer_type: 'FEE' | 'PAYMENT' | 'PAYMENT_CANCELLATION' | 'PAYMENT_RETURN' | 'FEE_CANCELLATION' | 'CCY_EXCHANGE' | 'ADJUSTMENT' | 'PAYMENT_TECHNICAL_REVERSAL' | 'PAYMENT_REVERSAL' | 'CARD_AUTH' | 'CARD_ADVICE' | 'CARD_REVERSAL' | 'FX_POSITION_CLOSING' | 'CARD_CLEARING'
  /** Where the transfer is on its way. COMPLETED, REJECTED, CANCELLED, INVALID, DROPPED, AML_REJECTED and MANUAL_REJECTED are terminal. The guide Transfers has all moves; `GET /transfers/{transfer_id}/transitions` says which are possible now. */
  status: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN'
  /** Whether the transfer goes over SEPA instant. */
  is_instant: boolean
  /** What the payment is for, as the payee sees it, or null. */
  purpose: string | null
  /** The day on which the money moves between the banks. */
  settlement_date: string
  /** What the creditor receives, with exactly as many decimals as `credit_currency` has. */
  credit_amount: string
  /** What the debtor pays, without the fee, with exactly as many decimals as `debit_currency` has. */
  debit_amount: string
  /** The ISO 4217 code of the currency that the creditor receives. */
  credit_currency: string
  /** The ISO 4217 code of the currency that the debtor pays. */
  debit_currency: string
  /** The value of one unit of `debit_currency` in `credit_currency`; null within one currency. */
  exchange_rate: string | null
  /** The fee for the exchange in `debit_currency`, debited in addition to `debit_amount`; null if there is none. */
  fx_fee_amount: string | null
  /** The name of the creditor, or null. */
  cr_name: string | null
  /** The IBAN of the creditor; null if the creditor has another kind of account number. */
  cr_iban: string | null
  /** The BIC of the creditor's bank, or null. */
  cr_bank_bic: string | null
  /** The account number of the creditor if it has no IBAN; otherwise null. */
  cr_account_id: string | null
  /** Street and house number of the creditor, or null. */
  cr_address: string | null
  /** The name of the creditor's bank, or null. */
  cr_bank_name: string | null
  /** The city of the creditor, or null. */
  cr_city: string | null
  /** The country of the creditor, as an ISO 3166-1 alpha-3 code, or null. */
  cr_country_code: string | null
  /** The postal code of the creditor, or null. */
  cr_postal_code: string | null
  /** The name of the debtor, or null. */
  dr_name: string | null
  /** The IBAN of the debtor; null if the debtor has another kind of account number. */
  dr_iban: string | null
  /** The BIC of the debtor's bank, or null. */
  dr_bank_bic: string | null
  /** The account number of the debtor if it has no IBAN; otherwise null. */
  dr_account_id: string | null
  /** Street and house number of the debtor, or null. */
  dr_address: string | null
  /** The name of the debtor's bank, or null. */
  dr_bank_name: string | null
  /** The city of the debtor, or null. */
  dr_city: string | null
  /** The country of the debtor, as an ISO 3166-1 alpha-3 code, or null. */
  dr_country_code: string | null
  /** The postal code of the debtor, or null. */
  dr_postal_code: string | null
  /** The beneficiary that is paid; null if the order named none. */
  beneficiary_id: string | null
  /** The transfer that this one returns, reverses, cancels or clears; null for all others. */
  parent_transaction_id: string | null
  /** The mandate of a collection by direct debit; null for all other transfers. */
  mandate_id: string | null
  /** BANK: the bank's people ordered it, two of them together with four-eyes approval. Null for all other transfers. */
  authentication: 'BANK' | null
  /** The approval in which two people of the bank agreed on the order; null for all other transfers. */
  approval_id: string | null
  /** The category of the payment, as a code of ISO 20022 such as `SALA`, or null. */
  category_purpose_code: string | null
  /** The reason for the payment, as a code of ISO 20022 such as `GDDS`, or null. */
  purpose_code: string | null
  /** A machine-readable reference, such as an RF creditor reference, or null. */
  structured_reference: string | null
  /** The issuer of the format of `structured_reference`, or null. */
  structured_reference_issuer: string | null
  /** The partner bank that carries the transfer, as noted by the person or program that moved it, or null. */
  bank_partner_id: string | null
  /** The number of the transfer at the partner bank, or null. */
  bank_partner_trx_id: number | null
  /** When the transfer was signed, in UTC; null if it was not. */
  signed_at: string | null
  /** Why the transfer has its status, in words, or null. */
  status_reason: string | null
  /** Why the transfer has its status, as a code, or null. */
  status_reason_code: string | null
  /** The clearing scheme's answer, such as `ACSC` or `RJCT`; null before it answers. */
  third_party_status: string | null
  /** The reason code of the scheme's answer, such as `AC04`, or null. */
  third_party_status_code: string | null
  /** The reason of the scheme's answer in words, or null. */
  third_party_status_reason: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
  details?: TransferDetails | undefined
}

export type TransferBulk = {
  /** true (default): all orders are carried out, or none. false: each order is carried out or refused independently of the others. */
  atomic?: boolean | undefined
  /** The orders, each with the fields of a single create. They are checked and carried out one after the other, in this order. */
  transfers: TransferOrder[]
}

export type TransferBulkResult = {
  /** How many orders were carried out. */
  created: number
  /** How many orders were refused. Always 0 if `atomic` is true, because one refusal then refuses the whole request. */
  refused: number
  /** One result for each order, in the same order: `transfer`, the created transfer, or `problem`, the refusal that a single create would give. */
  results: ({
    /** The position of the order in `transfers`, from 0. */
    index: number
    transfer?: Transfer | undefined
    problem?: Problem | undefined
  })[]
}

/** A transfer moved to `COMPLETED`. `previous_status` is null for a transfer that the service created itself. */
export type TransferCompletedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'transfer.completed'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Transfer
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A transfer was created, by the venture or by the service itself. */
export type TransferCreatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'transfer.created'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Transfer
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** What the message of the payment says besides the fields of the transfer, as the other side said it. A field that the message does not have is left out, and so are the details of a transfer without any. */
export type TransferDetails = {
  /** The payer's reference, which every bank passes on unchanged. For a direct debit, that of the creditor. */
  end_to_end_id?: string | undefined
  /** The reference between the bank that sent the message and the next one. */
  instruction_id?: string | undefined
  /** The unique end-to-end transaction reference: a UUID that all banks use for the payment. */
  uetr?: string | undefined
  /** The id that the other bank gave to the transaction. */
  transaction_id?: string | undefined
  /** The reference that the clearing system gave to the payment. */
  clearing_reference?: string | undefined
  /** The name that the other side gave to the holder of the account. */
  holder_name?: string | undefined
  /** The party that ordered the payment in the name of the payer. */
  initiating_party?: {
    /** The name of the party. */
    name?: string | undefined
    /** The BIC of an organisation. */
    bic?: string | undefined
    /** The LEI of an organisation. */
    lei?: string | undefined
    /** The country of its address, as an ISO 3166-1 alpha-3 code. */
    country_code?: string | undefined
  } | undefined
  /** The party in whose name the payer pays. */
  ultimate_debtor?: {
    /** The name of the party. */
    name?: string | undefined
    /** The BIC of an organisation. */
    bic?: string | undefined
    /** The LEI of an organisation. */
    lei?: string | undefined
    /** The country of its address, as an ISO 3166-1 alpha-3 code. */
    country_code?: string | undefined
  } | undefined
  /** The party for which the payee receives the money. */
  ultimate_creditor?: {
    /** The name of the party. */
    name?: string | undefined
    /** The BIC of an organisation. */
    bic?: string | undefined
    /** The LEI of an organisation. */
    lei?: string | undefined
    /** The country of its address, as an ISO 3166-1 alpha-3 code. */
    country_code?: string | undefined
  } | undefined
  /** The identifier under which the creditor collects direct debits. */
  creditor_id?: string | undefined
  /** The reference of the mandate of a direct debit. */
  mandate_reference?: string | undefined
  /** The day on which that mandate was signed. */
  mandate_signed_on?: string | undefined
  /** The scheme of that mandate, such as `CORE` or `B2B`. */
  mandate_scheme?: string | undefined
  /** The place of the direct debit in its sequence, such as `RCUR`. */
  mandate_sequence?: string | undefined
  /** The banks between those of the payer and the payee. */
  agents?: ({
    /** Its place: the bank that sent the message, one before it, or one between it and the payee. */
    role: 'instructing' | 'previous_1' | 'previous_2' | 'previous_3' | 'intermediary_1' | 'intermediary_2' | 'intermediary_3'
    /** The BIC of the bank. */
    bic?: string | undefined
    /** The name of the bank. */
    name?: string | undefined
  })[] | undefined
  /** What the payer wrote in addition to structured references. */
  additional_remittance?: string[] | undefined
  /** What the payer asked the banks to do, in words. */
  instructions?: string[] | undefined
}

export type TransferDryRun = {
  /** Whether the order would be accepted. */
  accepted: boolean
  /** Why the order would be refused; null if it would be accepted. */
  refusal: {
    /** The code of the refusal. */
    code: string
    /** What is wrong, with the values, and what to do about it. */
    detail: string
  } | null
  /** The transfer as it would be derived, with the status at the end of the walk; null if the order would be refused. */
  transfer: {
    /** The account of the client: the debtor of an outbound transfer, the creditor of an inbound one. */
    account_id: string
    /** The reference of the order, unique across all transfers. It is also the idempotency key. */
    unique_reference: string
    /** INBOUND: the account receives the money. OUTBOUND: the account pays it. */
    direction: 'INBOUND' | 'OUTBOUND'
    /** The rail that carries the transfer. INST: SEPA instant. SDD: SEPA direct debit. INTERNAL: between two accounts of the venture. */
    method: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC'
    /** What the transfer is for. PAYMENT for everything that clients order. */
    transfer_type: 'FEE' | 'PAYMENT' | 'PAYMENT_CANCELLATION' | 'PAYMENT_RETURN' | 'FEE_CANCELLATION' | 'CCY_EXCHANGE' | 'ADJUSTMENT' | 'PAYMENT_TECHNICAL_REVERSAL' | 'PAYMENT_REVERSAL' | 'CARD_AUTH' | 'CARD_ADVICE' | 'CARD_REVERSAL' | 'FX_POSITION_CLOSING' | 'CARD_CLEARING'
    /** Where the transfer is on its way. COMPLETED, REJECTED, CANCELLED, INVALID, DROPPED, AML_REJECTED and MANUAL_REJECTED are terminal. The guide Transfers has all moves; `GET /transfers/{transfer_id}/transitions` says which are possible now. */
    status: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN'
    /** Whether the transfer goes over SEPA instant. */
    is_instant: boolean
    /** What the payment is for, as the payee sees it, or null. */
    purpose: string | null
    /** The day on which the money moves between the banks. */
    settlement_date: string
    /** What the creditor receives, with exactly as many decimals as `credit_currency` has. */
    credit_amount: string
    /** What the debtor pays, without the fee, with exactly as many decimals as `debit_currency` has. */
    debit_amount: string
    /** The ISO 4217 code of the currency that the creditor receives. */
    credit_currency: string
    /** The ISO 4217 code of the currency that the debtor pays. */
    debit_currency: string
    /** The value of one unit of `debit_currency` in `credit_currency`; null within one currency. */
    exchange_rate: string | null
    /** The fee for the exchange in `debit_currency`, debited in addition to `debit_amount`; null if there is none. */
    fx_fee_amount: string | null
    /** The name of the creditor, or null. */
    cr_name: string | null
    /** The IBAN of the creditor; null if the creditor has another kind of account number. */
    cr_iban: string | null
    /** The BIC of the creditor's bank, or null. */
    cr_bank_bic: string | null
    /** The account number of the creditor if it has no IBAN; otherwise null. */
    cr_account_id: string | null
    /** Street and house number of the creditor, or null. */
    cr_address: string | null
    /** The name of the creditor's bank, or null. */
    cr_bank_name: string | null
    /** The city of the creditor, or null. */
    cr_city: string | null
    /** The country of the creditor, as an ISO 3166-1 alpha-3 code, or null. */
    cr_country_code: string | null
    /** The postal code of the creditor, or null. */
    cr_postal_code: string | null
    /** The name of the debtor, or null. */
    dr_name: string | null
    /** The IBAN of the debtor; null if the debtor has another kind of account number. */
    dr_iban: string | null
    /** The BIC of the debtor's bank, or null. */
    dr_bank_bic: string | null
    /** The account number of the debtor if it has no IBAN; otherwise null. */
    dr_account_id: string | null
    /** Street and house number of the debtor, or null. */
    dr_address: string | null
    /** The name of the debtor's bank, or null. */
    dr_bank_name: string | null
    /** The city of the debtor, or null. */
    dr_city: string | null
    /** The country of the debtor, as an ISO 3166-1 alpha-3 code, or null. */
    dr_country_code: string | null
    /** The postal code of the debtor, or null. */
    dr_postal_code: string | null
    /** The beneficiary that is paid; null if the order named none. */
    beneficiary_id: string | null
    /** The transfer that this one returns, reverses, cancels or clears; null for all others. */
    parent_transaction_id: string | null
    /** The mandate of a collection by direct debit; null for all other transfers. */
    mandate_id: string | null
    /** BANK: the bank's people ordered it, two of them together with four-eyes approval. Null for all other transfers. */
    authentication: 'BANK' | null
    /** The approval in which two people of the bank agreed on the order; null for all other transfers. */
    approval_id: string | null
    /** The category of the payment, as a code of ISO 20022 such as `SALA`, or null. */
    category_purpose_code: string | null
    /** The reason for the payment, as a code of ISO 20022 such as `GDDS`, or null. */
    purpose_code: string | null
    /** A machine-readable reference, such as an RF creditor reference, or null. */
    structured_reference: string | null
    /** The issuer of the format of `structured_reference`, or null. */
    structured_reference_issuer: string | null
    /** The partner bank that carries the transfer, as noted by the person or program that moved it, or null. */
    bank_partner_id: string | null
    /** The number of the transfer at the partner bank, or null. */
    bank_partner_trx_id: number | null
    /** When the transfer was signed, in UTC; null if it was not. */
    signed_at: string | null
    /** Why the transfer has its status, in words, or null. */
    status_reason: string | null
    /** Why the transfer has its status, as a code, or null. */
    status_reason_code: string | null
    /** The clearing scheme's answer, such as `ACSC` or `RJCT`; null before it answers. */
    third_party_status: string | null
    /** The reason code of the scheme's answer, such as `AC04`, or null. */
    third_party_status_code: string | null
    /** The reason of the scheme's answer in words, or null. */
    third_party_status_reason: string | null
    details?: TransferDetails | undefined
  } | null
  /** The statuses that the transfer would pass through, as things are now. */
  walk: ('CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN')[]
  /** Why the next move would be refused; null if it would not be. */
  stopped_by: {
    /** The code of the refusal. */
    code: string
    /** What is wrong, with the values, and what to do about it. */
    detail: string
  } | null
  /** What the transfer would wait for at the end of the walk; null if it would have ended. bank: a person at the bank. venture: the venture moves its transfers itself. */
  waits_for: 'signature' | 'sending_day' | 'funds' | 'screening' | 'review' | 'other_bank' | 'bank' | 'venture' | null
  /** How long the transfer would wait at most, in UTC; null if that is unknown or it would not wait. */
  waits_until: string | null
  /** The day on which the transfer would start in order to settle on its date: a payment to another bank leaves on it, one within the bank is booked on it. Null if the order would be refused. */
  sending_day: string | null
  /** The message to the other bank; null if no message would leave the bank, or if the venture moves the transfer itself. */
  message: {
    /** The rail that would carry it. */
    rail: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC'
    /** The type of the ISO 20022 message, such as pacs.008.001.08. */
    type: string
    /** Each text of the transfer, and what the other bank would read. Empty if nothing could be sent, and for returns. */
    texts: ({
      /** The field of the transfer. */
      field: 'dr_name' | 'cr_name' | 'purpose' | 'structured_reference' | 'unique_reference'
      /** The text of the transfer. */
      given: string
      /** The text as it would be sent, in the characters of the scheme. Null if the message would not carry it: `purpose` next to a structured reference, or a `unique_reference` that does not fit, which the id of the transfer replaces. */
      sent: string | null
    })[]
    /** Whether the rail reaches the other bank; null if it reaches every bank, or if only the bank's IBAN is known. */
    reachable: boolean | null
    /** The cut-off at which it would leave, in UTC; null if it would leave at once, or if the day is too far off. */
    cut_off: string | null
    /** Why no message could carry it, so that it would become INVALID; null if one could. */
    fault: {
      /** The code of the refusal. */
      code: string
      /** What is wrong, with the values, and what to do about it. */
      detail: string
    } | null
  } | null
  /** The limits of the account and their use, including the transfer if it would be accepted. */
  limits: ({
    /** The period of the limit, in UTC. */
    period: 'day' | 'month' | 'year'
    /** The limit of the account; null if there is none. */
    limit: string | null
    /** How much of the limit is used. */
    used: string
    /** How much of the limit is left; null if there is no limit. */
    left: string | null
  })[]
  /** Whether the account has the funds. */
  funds: {
    /** The ISO 4217 code of the currency of the account. */
    currency: string
    /** The available balance before the transfer. */
    available: string
    /** The amount including the fee. Null if the order would be refused. */
    needed: string | null
    /** Whether `available` covers `needed`; null if the order would be refused. */
    sufficient: boolean | null
  }
  /** UNDER_REVIEW: it would wait for a person at the bank. NOT_AVAILABLE: it would wait until the bank can screen it. */
  screening: 'CLEAR' | 'UNDER_REVIEW' | 'NOT_AVAILABLE' | null
  /** The payee verification that the order would rely on; null if it needs none. */
  payee_check: {
    /** What the venture's policy requires: nothing, a note, or a result. */
    policy: 'off' | 'warn' | 'require'
    /** The newest valid result for this name and IBAN; null if there is none. */
    result: 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'NOT_POSSIBLE' | null
    /** The holder's name in case of a close match; otherwise null. */
    matched_name: string | null
    /** Until when an order can rely on the result, in UTC; null without a result. */
    valid_until: string | null
  } | null
}

export type TransferEntry = {
  /** The id of the entry. Later entries have greater ids. */
  id: string
  /** The journal of the entry. The entries of a journal sum to zero in each currency. */
  journal_id: string
  /** The client's account on which it was booked; null for a system account. */
  account_id: string | null
  /** The venture's own account on which it was booked, with its currency, such as `settlement:SEPA:EUR` or `fees:EUR`; null for a client's account. */
  system_account: string | null
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** Positive for money into the account, negative for money out of it. */
  amount: string
  /** The current balance of the account after the entry; null for a system account. */
  balance: string | null
  /** When it was created, in UTC. */
  created_at: string
}

/** A transfer moved to a terminal status other than `COMPLETED` and was not returned. */
export type TransferFailedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'transfer.failed'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Transfer
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type TransferFlow = {
  /** The name of the flow, or of its variant: some book transfers need no screening or no hold, and so have fewer statuses and moves. */
  name: 'sending' | 'receiving' | 'collected' | 'collecting' | 'book' | 'book_mirror' | 'book_exempt' | 'book_exempt_credit'
  /** The flow. The guide Transfers describes the five. */
  flow: 'sending' | 'receiving' | 'book' | 'collected' | 'collecting'
  /** The conditions for COMPLETED. */
  needs: {
    /** Whether the transfer must have been screened. */
    screened: boolean
    /** Whether its money must be held. */
    held: boolean
    /** Whether it must have been sent to the clearing scheme. */
    sent: boolean
    /** Whether its money must have been received. */
    received: boolean
  }
  /** The statuses that transfers in this flow can have. */
  statuses: ('CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN')[]
  /** All moves. A status without a move is terminal. From ON_HOLD, a transfer can also return to the status that it was held in. */
  moves: ({
    /** The status before the move. */
    from: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN'
    /** The status after it. */
    to: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN'
  })[]
  /** Which transfers have this flow. It never changes during the life of a transfer. */
  carries: ({
    /** INBOUND: the account receives the money. OUTBOUND: the account pays it. */
    direction: 'INBOUND' | 'OUTBOUND'
    /** The rail that carries the transfer. INST: SEPA instant. SDD: SEPA direct debit. INTERNAL: between two accounts of the venture. */
    method: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC'
    /** The types of transfers. */
    transfer_types: ('FEE' | 'PAYMENT' | 'PAYMENT_CANCELLATION' | 'PAYMENT_RETURN' | 'FEE_CANCELLATION' | 'CCY_EXCHANGE' | 'ADJUSTMENT' | 'PAYMENT_TECHNICAL_REVERSAL' | 'PAYMENT_REVERSAL' | 'CARD_AUTH' | 'CARD_ADVICE' | 'CARD_REVERSAL' | 'FX_POSITION_CLOSING' | 'CARD_CLEARING')[]
  })[]
}

export type TransferMove = {
  /** The id of the move. Later moves of a transfer have greater ids. */
  id: string
  /** The status before; null for the creation. */
  from_status: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN' | null
  /** The status after. */
  to_status: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN'
  /** The actor: a key of the venture, a user of the venture, the operator, the service itself, or a connector of a rail. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector'
  /** The API key or the person. Null for the bank's people, the service and rails. */
  actor_id: string | null
  /** The `status_reason` at that time, or null. */
  reason: string | null
  /** The `status_reason_code` at that time, or null. */
  reason_code: string | null
  /** The clearing scheme's answer that came with the move, or null. */
  third_party_status: string | null
  /** When it was created, in UTC. */
  created_at: string
}

export type TransferOrder = {
  /** The account of your client: the debtor of an outbound transfer, the creditor of an inbound one. */
  account_id: string
  /** 1 to 128 printable ASCII characters, unique across all transfers. It is also the idempotency key. */
  unique_reference: string
  /** INBOUND: the account receives the money. OUTBOUND: the account pays it. */
  direction?: 'INBOUND' | 'OUTBOUND' | null | undefined
  /** The rail that carries the transfer. INST: SEPA instant. SDD: SEPA direct debit. INTERNAL: between two accounts of the venture. */
  method?: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC' | null | undefined
  /** What the transfer is for. PAYMENT for everything that clients order. */
  transfer_type?: 'FEE' | 'PAYMENT' | 'PAYMENT_CANCELLATION' | 'PAYMENT_RETURN' | 'FEE_CANCELLATION' | 'CCY_EXCHANGE' | 'ADJUSTMENT' | 'PAYMENT_TECHNICAL_REVERSAL' | 'PAYMENT_REVERSAL' | 'CARD_AUTH' | 'CARD_ADVICE' | 'CARD_REVERSAL' | 'FX_POSITION_CLOSING' | 'CARD_CLEARING' | null | undefined
  /** Asks for SEPA instant if both sides support it. Default: false. */
  is_instant?: boolean | null | undefined
  /** What the payment is for, as the payee sees it. At most 140 characters. */
  purpose?: string | null | undefined
  /** The day on which the money moves between the banks. Default: the earliest day of the method. */
  settlement_date?: string | null | undefined
  /** What the creditor receives, such as `30.00`. One of the two amounts is enough: the other follows from it and the exchange rate. */
  credit_amount?: string | null | undefined
  /** What the debtor pays without the fee, such as `30.00`. One of the two amounts is enough. */
  debit_amount?: string | null | undefined
  /** The currency that the creditor receives, as an ISO 4217 code. Default: that of the account or of the other amount. */
  credit_currency?: string | null | undefined
  /** The currency that the debtor pays, as an ISO 4217 code. Default: that of the account or of the other amount. */
  debit_currency?: string | null | undefined
  /** The value of one unit of `debit_currency` in `credit_currency`, such as `1.0825`. Only between two currencies; in MANAGED ventures the bank sets it. */
  exchange_rate?: string | null | undefined
  /** The fee for the exchange in `debit_currency`, debited in addition to `debit_amount`. Only for outbound transfers between two currencies; in MANAGED ventures the bank sets it. */
  fx_fee_amount?: string | null | undefined
  /** The name of the creditor. Default: that of the beneficiary or of the account's client. */
  cr_name?: string | null | undefined
  /** The IBAN of the creditor. For outbound transfers it is that of the beneficiary; any other is refused. */
  cr_iban?: string | null | undefined
  /** The BIC of the creditor's bank. Default: that of the beneficiary's bank or of this bank. */
  cr_bank_bic?: string | null | undefined
  /** Street and house number of the creditor. */
  cr_address?: string | null | undefined
  /** The name of the creditor's bank. */
  cr_bank_name?: string | null | undefined
  /** The city of the creditor. */
  cr_city?: string | null | undefined
  /** The country of the creditor, as an ISO 3166-1 alpha-3 code. */
  cr_country_code?: string | null | undefined
  /** The postal code of the creditor. */
  cr_postal_code?: string | null | undefined
  /** The name of the debtor. Default: that of the account's client or of the mandate. */
  dr_name?: string | null | undefined
  /** The IBAN of the debtor. Default: that of the account or of the mandate. */
  dr_iban?: string | null | undefined
  /** The BIC of the debtor's bank. Default for outbound transfers: that of this bank. */
  dr_bank_bic?: string | null | undefined
  /** Street and house number of the debtor. */
  dr_address?: string | null | undefined
  /** The name of the debtor's bank. */
  dr_bank_name?: string | null | undefined
  /** The city of the debtor. */
  dr_city?: string | null | undefined
  /** The country of the debtor, as an ISO 3166-1 alpha-3 code. */
  dr_country_code?: string | null | undefined
  /** The postal code of the debtor. */
  dr_postal_code?: string | null | undefined
  /** The beneficiary that is paid. Required for outbound transfers; it must belong to the client of the account. */
  beneficiary_id?: string | null | undefined
  /** The transfer that this one returns, reverses, cancels or clears. Required for these types. */
  parent_transaction_id?: string | null | undefined
  /** Makes the transfer a collection by SEPA direct debit from the debtor of the mandate. */
  mandate_id?: string | null | undefined
  /** The category of the payment, as a code of ISO 20022 such as `SALA`. */
  category_purpose_code?: string | null | undefined
  /** The reason for the payment, as a code of ISO 20022 such as `GDDS`. */
  purpose_code?: string | null | undefined
  /** A machine-readable reference, such as an RF creditor reference. */
  structured_reference?: string | null | undefined
  /** The issuer of the format of `structured_reference`. */
  structured_reference_issuer?: string | null | undefined
  /** Whether the payer accepts that the payee's name does not match, or not quite match, that of the account. */
  payee_check_accepted?: boolean | null | undefined
  /** What the payee is to be told besides. Only in MANAGED ventures. */
  details?: {
    /** The reference for the payee, which every bank passes on unchanged. Default: `unique_reference` if banks can carry it. */
    end_to_end_id?: string | null | undefined
    /** The party in whose name the account pays, if it is another one. */
    ultimate_debtor?: {
      /** The name of the party. */
      name: string
      /** The BIC of an organisation. */
      bic?: string | null | undefined
      /** The LEI of an organisation. */
      lei?: string | null | undefined
    } | null | undefined
    /** The party for which the payee receives the money, if it is another one. */
    ultimate_creditor?: {
      /** The name of the party. */
      name: string
      /** The BIC of an organisation. */
      bic?: string | null | undefined
      /** The LEI of an organisation. */
      lei?: string | null | undefined
    } | null | undefined
  } | null | undefined
}

/** Received money was sent back: the transfer moved from `TO_RETURN` to `REJECTED`. Or returns, reversals and cancellations together have reached the amount of the transfer; its status then stays as it is, and `previous_status` is null. */
export type TransferReturnedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'transfer.returned'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Transfer
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A transfer moved to a status that is not terminal. */
export type TransferStatusChangedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'transfer.status_changed'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Transfer
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type TransferTransition = {
  /** A status that can follow the current one. */
  status: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN'
  /** Whether the move is possible now. */
  allowed: boolean
  /** The error code with which the move would be refused now. */
  blocked_by: string | null
  /** Whether the move needs the clearing scheme's answer, sent as `third_party_status` in the same request. */
  needs_third_party_status: boolean
}

export type TransferUpdate = {
  /** The status to move to. Without it, the other fields are stored and the status stays. */
  status?: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN' | undefined
  /** Why the transfer has its status, in words; null removes it. */
  status_reason?: string | null | undefined
  /** Why the transfer has its status, as a code; null removes it. */
  status_reason_code?: string | null | undefined
  /** The partner bank that carries the transfer; null removes it. The service does not interpret it. */
  bank_partner_id?: string | null | undefined
  /** The number of the transfer at the partner bank; null removes it. The service does not interpret it. */
  bank_partner_trx_id?: number | null | undefined
  /** The clearing scheme's answer, such as `ACSC`. Some moves need it in the same request. */
  third_party_status?: string | null | undefined
  /** The reason code of the scheme's answer, such as `AC04`; null removes it. */
  third_party_status_code?: string | null | undefined
  /** The reason of the scheme's answer in words; null removes it. */
  third_party_status_reason?: string | null | undefined
  /** When the client signed. In MANAGED ventures the service sets it. */
  signed_at?: string | null | undefined
  /** SHA-256 over what the signer has seen. Only with the status SIGNED. It must match the transfer. */
  signed_hash?: string | null | undefined
}

/** Fields of a transfer other than its status changed. */
export type TransferUpdatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'transfer.updated'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Transfer
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type TrialBalanceRow = {
  /** The venture that keeps these books. The house has its own id. */
  venture_id: string
  /** `clients` for all accounts of clients, or the internal account, such as `settlement:SEPA`. */
  account: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** A decimal number with exactly as many decimals as the currency has. */
  balance: string
}

export type UnappliedPayment = {
  /** The id of the unapplied payment. The service assigns it. */
  id: string
  /** OPEN: waits for a decision. APPLIED: credited to an account. RETURNING: on its way back to the payer. PAID_OUT: paid to the client's account at another bank. */
  status: 'OPEN' | 'APPLIED' | 'RETURNING' | 'PAID_OUT'
  /** Why no account could take it. RETURN_REFUSED: the other bank refused its return. */
  reason: 'ACCOUNT_UNKNOWN' | 'ACCOUNT_CLOSED' | 'CURRENCY_MISMATCH' | 'RETURN_REFUSED'
  /** The rail that the money came over. */
  rail: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC'
  /** A decimal number with exactly as many decimals as the currency has. */
  amount: string
  /** The ISO 4217 code of the currency, such as `EUR`. */
  currency: string
  /** The IBAN that the payment names, or that of the closed account. */
  iban: string
  /** What the payment is for, in the payer's words, or null. */
  purpose: string | null
  /** The name of the payer, or null. */
  dr_name: string | null
  /** The IBAN of the payer, or null. */
  dr_iban: string | null
  /** The BIC of the payer's bank, or null. */
  dr_bank_bic: string | null
  /** Street and house number of the payer, or null. */
  dr_address: string | null
  /** The city of the payer, or null. */
  dr_city: string | null
  /** The country of the payer, as an ISO 3166-1 alpha-3 code, or null. */
  dr_country_code: string | null
  /** The postal code of the payer, or null. */
  dr_postal_code: string | null
  /** What the message says besides, or null. The transfer gets it when the money is applied. */
  said: {
    /** The reason for the payment, as a code of ISO 20022. */
    purpose_code?: string | undefined
    /** The category of the payment, as a code of ISO 20022. */
    category_purpose_code?: string | undefined
    /** A machine-readable reference, such as an RF creditor reference. */
    structured_reference?: string | undefined
    /** The issuer of the format of that reference. */
    structured_reference_issuer?: string | undefined
    /** The payer's reference, which every bank passes on unchanged. For a direct debit, that of the creditor. */
    end_to_end_id?: string | undefined
    /** The reference between the bank that sent the message and the next one. */
    instruction_id?: string | undefined
    /** The unique end-to-end transaction reference: a UUID that all banks use for the payment. */
    uetr?: string | undefined
    /** The id that the other bank gave to the transaction. */
    transaction_id?: string | undefined
    /** The reference that the clearing system gave to the payment. */
    clearing_reference?: string | undefined
    /** The name that the other side gave to the holder of the account. */
    holder_name?: string | undefined
    /** The party that ordered the payment in the name of the payer. */
    initiating_party?: {
      /** The name of the party. */
      name?: string | undefined
      /** The BIC of an organisation. */
      bic?: string | undefined
      /** The LEI of an organisation. */
      lei?: string | undefined
      /** The country of its address, as an ISO 3166-1 alpha-3 code. */
      country_code?: string | undefined
    } | undefined
    /** The party in whose name the payer pays. */
    ultimate_debtor?: {
      /** The name of the party. */
      name?: string | undefined
      /** The BIC of an organisation. */
      bic?: string | undefined
      /** The LEI of an organisation. */
      lei?: string | undefined
      /** The country of its address, as an ISO 3166-1 alpha-3 code. */
      country_code?: string | undefined
    } | undefined
    /** The party for which the payee receives the money. */
    ultimate_creditor?: {
      /** The name of the party. */
      name?: string | undefined
      /** The BIC of an organisation. */
      bic?: string | undefined
      /** The LEI of an organisation. */
      lei?: string | undefined
      /** The country of its address, as an ISO 3166-1 alpha-3 code. */
      country_code?: string | undefined
    } | undefined
    /** The identifier under which the creditor collects direct debits. */
    creditor_id?: string | undefined
    /** The reference of the mandate of a direct debit. */
    mandate_reference?: string | undefined
    /** The day on which that mandate was signed. */
    mandate_signed_on?: string | undefined
    /** The scheme of that mandate, such as `CORE` or `B2B`. */
    mandate_scheme?: string | undefined
    /** The place of the direct debit in its sequence, such as `RCUR`. */
    mandate_sequence?: string | undefined
    /** The banks between those of the payer and the payee. */
    agents?: ({
      /** Its place: the bank that sent the message, one before it, or one between it and the payee. */
      role: 'instructing' | 'previous_1' | 'previous_2' | 'previous_3' | 'intermediary_1' | 'intermediary_2' | 'intermediary_3'
      /** The BIC of the bank. */
      bic?: string | undefined
      /** The name of the bank. */
      name?: string | undefined
    })[] | undefined
    /** What the payer wrote in addition to structured references. */
    additional_remittance?: string[] | undefined
    /** What the payer asked the banks to do, in words. */
    instructions?: string[] | undefined
  } | null
  /** The venture of `client_id`, or null. */
  client_venture_id: string | null
  /** The client whose money it is, if it came back to a closed account. */
  client_id: string | null
  /** The transfer whose money came back, or null. */
  parent_transaction_id: string | null
  /** The venture of the account that was credited; null unless APPLIED. */
  applied_venture_id: string | null
  /** The transfer that credits the money, if it was applied. */
  transfer_id: string | null
  /** The payee of the pay-out; null unless PAID_OUT. */
  payout_name: string | null
  /** The IBAN of the pay-out; null unless PAID_OUT. */
  payout_iban: string | null
  /** The rail of the pay-out; null unless PAID_OUT. */
  paid_out_over: 'SEPA' | 'INST' | 'SWIFT' | 'DOMESTIC' | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was decided, in UTC; null while it is OPEN. */
  decided_at: string | null
}

export type UnmatchedEvent = {
  /** The id of the event at the verifier. */
  id: string
  /** The type of the event. */
  type: string
  /** The application id in the event, or null. */
  application_id: string | null
  /** The client id in the event. */
  subject_id: string | null
  /** The venture that sent it; null if the verifier's relay did. */
  received_by: string | null
  /** When the service received it, in UTC. */
  received_at: string
}

export type UsedLink = {
  /** SET_UP: creates the first admin of the bank. INVITATION: adds a person. RESET: lets a person choose a new password. */
  kind: 'SET_UP' | 'INVITATION' | 'RESET'
  /** The user who now exists, or whose password has changed. */
  user_id: string
  /** The email address that the user signs in with. */
  email: string
}

export type User = {
  /** The id of the user. The service assigns it. */
  id: string
  /** The email address that the person signs in with. */
  email: string
  /** The name of the person. */
  name: string
  /** DISABLED: the person cannot sign in, and all sessions have ended. */
  status: 'ACTIVE' | 'DISABLED'
  /** The role at the bank. admin: everything. operator: daily work. auditor: reading. Null for a person who does not work there. */
  bank_role: 'admin' | 'operator' | 'auditor' | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

export type UserUpdate = {
  /** DISABLED: the person cannot sign in, and all sessions have ended. */
  status?: 'ACTIVE' | 'DISABLED' | undefined
  /** The role at the bank. admin: everything. operator: daily work. auditor: reading. Null for a person who does not work there. */
  bank_role?: 'admin' | 'operator' | 'auditor' | null | undefined
}

/** A company that offers accounts and payments with this service. */
export type Venture = {
  /** The id of the venture. The service assigns it. */
  id: string
  /** The name of the venture. */
  name: string
  /** DISABLED: all keys of the venture get 401, and its people cannot act for it. */
  status: 'ACTIVE' | 'DISABLED'
  /** Who processes the venture's transfers. OPEN: the venture makes every move itself. MANAGED: the venture orders transfers, and the bank processes them. */
  control: 'OPEN' | 'MANAGED'
  /** The first twelve characters of the oldest valid API key; null if there is none. */
  api_key_prefix: string | null
  /** When it was created, in UTC. */
  created_at: string
}

export type VentureAuditEntry = {
  /** The id of the entry. Later entries have greater ids. */
  id: string
  /** When the request was carried out, in UTC. */
  at: string
  /** Who did it. venture: a key of the venture. user: a person of the venture. operator: a person of the bank, or the admin key. service: the service itself. connector: a rail that reports what happened outside. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector'
  /** The operationId of the request. */
  action: string
  /** The last resource in the path of the request, or what the request created if the path has none. */
  resource: string | null
  /** The id of the request, as in its header `X-Request-Id`. */
  request_id: string
  /** The names of the fields that the request sent, never their values. For a note, a file, a question or an answer also `sha256:` and its hash. */
  fields: string[]
  /** The API key or the person; null for the bank's people, the admin key and the service. */
  actor_id: string | null
  /** The IPv4 address or the /64 network that the request came from; null for the bank's people. */
  address: string | null
}

/** The API key of the venture was replaced. The event does not contain it. */
export type VentureKeyRotatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'venture.key_rotated'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Venture
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type VentureRegistration = {
  /** The name of the venture, at most 140 characters. */
  name: string
  /** Who processes the venture's transfers. OPEN: the venture makes every move itself. MANAGED: the venture orders transfers, and the bank processes them. */
  control?: 'OPEN' | 'MANAGED' | undefined
}

export type VentureUpdate = {
  /** The new name of the venture, at most 140 characters. */
  name?: string | undefined
  /** DISABLED: all keys of the venture get 401, and its people cannot act for it. */
  status?: 'ACTIVE' | 'DISABLED' | undefined
  /** Who processes the venture's transfers. OPEN: the venture makes every move itself. MANAGED: the venture orders transfers, and the bank processes them. */
  control?: 'OPEN' | 'MANAGED' | undefined
}

/** The operator changed the name, the status or the control of the venture. */
export type VentureUpdatedEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'venture.updated'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: Venture
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type VentureUser = {
  /** The id of the user. The service assigns it. */
  id: string
  /** The email address that the person signs in with. */
  email: string
  /** The name of the person. */
  name: string
  /** DISABLED: the person cannot sign in, and all sessions have ended. */
  status: 'ACTIVE' | 'DISABLED'
  /** The role in the venture. admin: everything, including keys and users. operator: clients, accounts and money. viewer: reading. */
  role: 'admin' | 'operator' | 'viewer'
  /** When it was created, in UTC. */
  created_at: string
}

export type VentureUserUpdate = {
  /** The role in the venture. admin: everything, including keys and users. operator: clients, accounts and money. viewer: reading. */
  role: 'admin' | 'operator' | 'viewer'
}

export type VentureWithKey = {
  /** The id of the venture. The service assigns it. */
  id: string
  /** The name of the venture. */
  name: string
  /** DISABLED: all keys of the venture get 401, and its people cannot act for it. */
  status: 'ACTIVE' | 'DISABLED'
  /** Who processes the venture's transfers. OPEN: the venture makes every move itself. MANAGED: the venture orders transfers, and the bank processes them. */
  control: 'OPEN' | 'MANAGED'
  /** The first twelve characters of the oldest valid API key; null if there is none. */
  api_key_prefix: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** The API key. It is shown only once; only its SHA-256 hash is stored. */
  api_key: string
}

export type VerificationEvent = {
  /** The id of the event at the verifier. An event whose id has already been recorded is not applied again. */
  id: string
  /** What happened, such as `verification.approved`, `verification.declined` or `verification.review`. Unknown types are recorded and ignored. */
  type: string
  /** When it happened at the verifier, with any offset. The events of a client are applied in this order, unless all of them have a `sequence`. */
  created_at: string
  /** The application that the event is about. Either this or `client_id` is required. */
  application_id?: string | null | undefined
  /** The client whom the event is about. Either this or `application_id` is required. */
  client_id?: string | null | undefined
  /** The number of the event. The events of a client are applied in this order if all of them have one. */
  sequence?: number | null | undefined
  /** The findings of the verifier. */
  data?: {
    /** The verifier's risk assessment, which becomes the client's. */
    risk_level?: 'Low' | 'Medium' | 'High' | undefined
    /** The reasons for the decision, in the verifier's own codes. */
    reason_codes?: string[] | undefined
    /** A note for people. It becomes the `kyc_note` of the client. */
    note?: string | undefined
  } | undefined
}

export type VerificationReport = {
  /** The id of the run. */
  id: string
  /** DONE: everything was checked, with or without violations. FAILED: the run could not be carried out. */
  status: 'RUNNING' | 'DONE' | 'FAILED'
  /** When it started, in UTC. */
  started_at: string
  /** When it ended, in UTC. Null while it runs, and if its instance ended before it. */
  ended_at: string | null
  /** How many invariants there are to check. */
  invariants: number
  /** How many of them have been checked. */
  done: number
  /** The invariant that is being checked; null if none is. */
  step: string | null
  /** Why the run failed; null if it did not. */
  detail: string | null
  /** The names of the invariants that were broken; empty if all hold, and until the run is DONE. */
  broken: string[]
  /** One entry for each broken invariant. Runs of earlier versions of Vostro have none. */
  findings: {
    /** The name of the invariant. */
    name: string
    /** What should hold. */
    meaning: string
    /** How many rows break it. */
    violations: number
    /** Some of these rows, as JSON. */
    examples: string[]
  }[]
}

export type VerificationRun = {
  /** The id of the run. */
  id: string
  /** DONE: everything was checked, with or without violations. FAILED: the run could not be carried out. */
  status: 'RUNNING' | 'DONE' | 'FAILED'
  /** When it started, in UTC. */
  started_at: string
  /** When it ended, in UTC. Null while it runs, and if its instance ended before it. */
  ended_at: string | null
  /** How many invariants there are to check. */
  invariants: number
  /** How many of them have been checked. */
  done: number
  /** The invariant that is being checked; null if none is. */
  step: string | null
  /** Why the run failed; null if it did not. */
  detail: string | null
  /** The names of the invariants that were broken; empty if all hold, and until the run is DONE. */
  broken: string[]
}

export type Watchlist = {
  /** The id of the watch list. The service assigns it. */
  id: string
  /** The name by which policies select the list. */
  name: string
  /** The format of all versions of the list. */
  format: 'OFAC' | 'UN' | 'EU' | 'UK' | 'OPENSANCTIONS'
  /** `PEPS`: politically exposed persons, who count only for ventures whose policy has `screen_peps`. The default is `SANCTIONS`. */
  purpose: 'SANCTIONS' | 'PEPS'
  /** Whether the list is outside Art. 5d of Regulation (EU) No 260/2012, such as a list of national measures. Only such a list is compared during an instant payment in euro, and only if the policy says `transactions`. */
  outside_art_5d: boolean
  /** The active version; null until one is activated. */
  active_version_id: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

export type WatchlistActivation = {
  /** Activates the version although it has at least 20 % fewer entries or names than the active one. */
  force?: boolean | undefined
}

export type WatchlistVersion = {
  /** The id of the version. The service assigns it. */
  id: string
  /** The watch list. */
  watchlist_id: string
  /** The SHA-256 of the files. */
  sha256: string
  /** How many persons, organisations, vessels and aircraft it lists. */
  entries: number
  /** How many names and aliases the entries have. */
  names: number
  /** Names of countries without a code, which were left out of the entries. */
  unknown_countries: string[]
  /** When it was imported, in UTC. */
  imported_at: string
  /** Who did it. venture: a key of the venture. user: a person of the venture. operator: a person of the bank, or the admin key. service: the service itself. connector: a rail that reports what happened outside. */
  imported_by: 'venture' | 'user' | 'operator' | 'service' | 'connector'
  /** The person or the key of the bank that imported it; null for the admin key and the service. */
  imported_by_id: string | null
  /** When the version was last activated. */
  activated_at: string | null
  /** When another version last replaced it. */
  replaced_at: string | null
  /** When its entries were deleted, long after they were needed. It cannot be activated again. */
  deleted_at: string | null
  /** Whether names are compared with this version. */
  active: boolean
}

export type WebhookDelivery = {
  /** The id of the delivery. The service assigns it. */
  id: string
  /** The endpoint. */
  endpoint_id: string
  /** The event. It is the `webhook-id` of every attempt. */
  event_id: string
  /** The type of the event. */
  event_type: string
  /** The resource that the event is about. */
  resource_id: string
  /** PENDING: another attempt will follow. DELIVERED: the receiver answered with 2xx. FAILED: there are no more attempts. */
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  /** All attempts so far, oldest first. */
  attempts: DeliveryAttempt[]
  /** Null while an earlier event of the same resource must be delivered first, and when there are no more attempts. */
  next_attempt_at: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When the receiver accepted it, in UTC; null until then. */
  delivered_at: string | null
}

/** Where a venture receives events. */
export type WebhookEndpoint = {
  /** The id of the endpoint. The service assigns it. */
  id: string
  /** The venture of the endpoint. */
  venture_id: string
  /** The URL to which events are sent by POST. */
  url: string
  /** A note by the venture, or null. */
  description: string | null
  /** The types of events that are sent; null for all. */
  event_types: string[] | null
  /** DISABLED: nothing is sent. An endpoint that becomes ACTIVE again receives the events it missed. */
  status: 'ACTIVE' | 'DISABLED'
  /** Why the endpoint is disabled, in words; null while it is active. */
  disabled_reason: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
}

/** A webhook endpoint was disabled: by the venture, by `410 Gone`, or by five days of failures. */
export type WebhookEndpointDisabledEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'webhook_endpoint.disabled'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: WebhookEndpoint
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

/** A test event was requested. It is sent to this endpoint only. */
export type WebhookEndpointTestEvent = {
  /** The id of the event. It is the same in every delivery, and it is the `webhook-id`. */
  id: string
  /** The type of the event. */
  type: 'webhook_endpoint.test'
  /** When it happened, in UTC. */
  timestamp: string
  /** The venture concerned. */
  venture_id: string
  /** Increases by one with each event of the same resource. */
  sequence: number
  /** Who caused it: a key or a person of the venture, the operator, the service or a connector. Null for older events. */
  actor: 'venture' | 'user' | 'operator' | 'service' | 'connector' | null
  /** The API key or the person. Ventures do not see the ids of the bank's people. */
  actor_id: string | null
  /** What happened. */
  data: {
    object: WebhookEndpoint
    /** The status before the change, in events about a status change; otherwise null. */
    previous_status: string | null
  }
}

export type WebhookEndpointUpdate = {
  /** The URL to which events are sent from now on. */
  url?: string | undefined
  /** A note by the venture; null removes it. */
  description?: string | null | undefined
  /** The types of events to send; null for all. */
  event_types?: ('client.created' | 'client.updated' | 'client.kyc_updated' | 'onboarding.submitted' | 'onboarding.updated' | 'beneficiary.created' | 'beneficiary.updated' | 'account.created' | 'account.updated' | 'account.activated' | 'account.frozen' | 'account.overdrawn' | 'account.closed' | 'mandate.created' | 'mandate.cancelled' | 'transfer.created' | 'transfer.updated' | 'transfer.status_changed' | 'transfer.completed' | 'transfer.failed' | 'transfer.returned' | 'payment.created' | 'payment.paid' | 'payment.failed' | 'payment.refused' | 'payment.canceled' | 'payment.expired' | 'payment.refunded' | 'payment_link.created' | 'payment_link.updated' | 'payout.created' | 'case.question' | 'venture.updated' | 'venture.key_rotated' | 'webhook_endpoint.disabled' | 'webhook_endpoint.test')[] | null | undefined
  /** DISABLED: nothing is sent. An endpoint that becomes ACTIVE again receives the events it missed. */
  status?: 'ACTIVE' | 'DISABLED' | undefined
}

export type WebhookEndpointWithSecret = {
  /** The id of the endpoint. The service assigns it. */
  id: string
  /** The venture of the endpoint. */
  venture_id: string
  /** The URL to which events are sent by POST. */
  url: string
  /** A note by the venture, or null. */
  description: string | null
  /** The types of events that are sent; null for all. */
  event_types: string[] | null
  /** DISABLED: nothing is sent. An endpoint that becomes ACTIVE again receives the events it missed. */
  status: 'ACTIVE' | 'DISABLED'
  /** Why the endpoint is disabled, in words; null while it is active. */
  disabled_reason: string | null
  /** When it was created, in UTC. */
  created_at: string
  /** When it was last changed, in UTC. */
  updated_at: string
  /** The secret that signs deliveries. It is shown only once. */
  secret: string
}

/** Why the service refuses. */
export type ProblemCode = Problem['code']

/** Every event, by its type. */
export type EventsByType = {
  /** A client was registered. `data.object` is the Client after the change. */
  'client.created': ClientCreatedEvent
  /** A field of a client other than `kyc_status` changed. `data.object` is the Client after the change. */
  'client.updated': ClientUpdatedEvent
  /** The `kyc_status` of a client changed. `data.object` is the Client after the change. */
  'client.kyc_updated': ClientKycUpdatedEvent
  /** Onboarding details were submitted. The `id` is that of the response to the submission. `data.object` is the OnboardingDetails after the change. */
  'onboarding.submitted': OnboardingSubmittedEvent
  /** The verifier opened the application, so `kyc_link` is set. `data.object` is the OnboardingDetails after the change. */
  'onboarding.updated': OnboardingUpdatedEvent
  /** A beneficiary was created. `data.object` is the Beneficiary after the change. */
  'beneficiary.created': BeneficiaryCreatedEvent
  /** The `display` of a beneficiary changed. `data.object` is the Beneficiary after the change. */
  'beneficiary.updated': BeneficiaryUpdatedEvent
  /** An account was created. `data.object` is the Account after the change. */
  'account.created': AccountCreatedEvent
  /** The name, description or a limit of an account changed. Balance changes only emit transfer events. `data.object` is the Account after the change. */
  'account.updated': AccountUpdatedEvent
  /** An account was activated, for the first time or after a freeze. `data.object` is the Account after the change. */
  'account.activated': AccountActivatedEvent
  /** An account was frozen. `data.object` is the Account after the change. */
  'account.frozen': AccountFrozenEvent
  /** A debit that the bank could not refuse, such as a returned direct debit, took the account below zero, or further below it. `data.object` is the Account after the change. */
  'account.overdrawn': AccountOverdrawnEvent
  /** An account was closed permanently. `data.object` is the Account after the change. */
  'account.closed': AccountClosedEvent
  /** A mandate was registered. `data.object` is the Mandate after the change. */
  'mandate.created': MandateCreatedEvent
  /** A mandate was cancelled. A mandate that expires emits no event. `data.object` is the Mandate after the change. */
  'mandate.cancelled': MandateCancelledEvent
  /** A transfer was created, by the venture or by the service itself. `data.object` is the Transfer after the change. */
  'transfer.created': TransferCreatedEvent
  /** Fields of a transfer other than its status changed. `data.object` is the Transfer after the change. */
  'transfer.updated': TransferUpdatedEvent
  /** A transfer moved to a status that is not terminal. `data.object` is the Transfer after the change. */
  'transfer.status_changed': TransferStatusChangedEvent
  /** A transfer moved to `COMPLETED`. `previous_status` is null for a transfer that the service created itself. `data.object` is the Transfer after the change. */
  'transfer.completed': TransferCompletedEvent
  /** A transfer moved to a terminal status other than `COMPLETED` and was not returned. `data.object` is the Transfer after the change. */
  'transfer.failed': TransferFailedEvent
  /** Received money was sent back: the transfer moved from `TO_RETURN` to `REJECTED`. Or returns, reversals and cancellations together have reached the amount of the transfer; its status then stays as it is, and `previous_status` is null. `data.object` is the Transfer after the change. */
  'transfer.returned': TransferReturnedEvent
  /** A card payment was created, by the venture or by a payer who used a payment link. `data.object` is the Payment after the change. */
  'payment.created': PaymentCreatedEvent
  /** A card payment was paid. It may have been refused before, if the payer then used another card. `data.object` is the Payment after the change. */
  'payment.paid': PaymentPaidEvent
  /** A card payment failed: the gateway did not accept the order, or it took another amount or currency (`amount_mismatch`). `data.object` is the Payment after the change. */
  'payment.failed': PaymentFailedEvent
  /** A card was refused. The payer can try another card until the session expires. `data.object` is the Payment after the change. */
  'payment.refused': PaymentRefusedEvent
  /** A card payment was canceled by the venture or the payer, or reversed in full. `data.object` is the Payment after the change. */
  'payment.canceled': PaymentCanceledEvent
  /** A card payment was not paid in time. `data.object` is the Payment after the change. */
  'payment.expired': PaymentExpiredEvent
  /** A card payment was refunded in full or in part. After a partial refund it is still `PAID` and `previous_status` is null. `data.object` is the Payment after the change. */
  'payment.refunded': PaymentRefundedEvent
  /** A payment link was created. `data.object` is the PaymentLink after the change. */
  'payment_link.created': PaymentLinkCreatedEvent
  /** A payment link was changed. Using a link only emits payment events. `data.object` is the PaymentLink after the change. */
  'payment_link.updated': PaymentLinkUpdatedEvent
  /** Card money was paid out to the payout account. `data.object` is the Payout after the change. */
  'payout.created': PayoutCreatedEvent
  /** The bank has asked the venture something. The answer goes to `POST /questions/{question_id}/answer`. `data.object` is the Question after the change. */
  'case.question': CaseQuestionEvent
  /** The operator changed the name, the status or the control of the venture. `data.object` is the Venture after the change. */
  'venture.updated': VentureUpdatedEvent
  /** The API key of the venture was replaced. The event does not contain it. `data.object` is the Venture after the change. */
  'venture.key_rotated': VentureKeyRotatedEvent
  /** A webhook endpoint was disabled: by the venture, by `410 Gone`, or by five days of failures. `data.object` is the WebhookEndpoint after the change. */
  'webhook_endpoint.disabled': WebhookEndpointDisabledEvent
  /** A test event was requested. It is sent to this endpoint only. `data.object` is the WebhookEndpoint after the change. */
  'webhook_endpoint.test': WebhookEndpointTestEvent
}

/** An event. `type` says which one, and with it what `data.object` is. Newer versions of the service may send further types. */
export type VostroEvent = EventsByType[keyof EventsByType]

export type ListVenturesQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListKeysQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListSignInsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListBankKeysQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListUsersQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListUserSignInsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListBankInvitationsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListPairsQuery = {
  /** The pairs with the highest totals in this currency are listed first. */
  currency?: string | undefined
}

export type ListVentureUsersQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListVentureInvitationsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListAuditLogQuery = {
  /** Returns only entries about this venture. The zero id stands for the bank. */
  venture_id?: string | undefined
  /** Returns only entries of this kind of actor. */
  actor?: 'venture' | 'user' | 'operator' | 'service' | 'connector' | undefined
  /** Returns only entries of this key or person. */
  actor_id?: string | undefined
  /** Returns only entries of this operation, given by its operationId. */
  action?: string | undefined
  /** Returns only entries about the resource with this id. */
  resource?: string | undefined
  /** Returns only what was created on or after this date or time. */
  date_from?: string | undefined
  /** Returns only what was created on or before this date or time. A date includes its whole day. */
  date_to?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListVentureAuditLogQuery = {
  /** Returns only entries of this kind of actor. */
  actor?: 'venture' | 'user' | 'operator' | 'service' | 'connector' | undefined
  /** Returns only entries of this key or person. */
  actor_id?: string | undefined
  /** Returns only entries of this operation, given by its operationId. */
  action?: string | undefined
  /** Returns only entries about the resource with this id. */
  resource?: string | undefined
  /** Returns only what was created on or after this date or time. */
  date_from?: string | undefined
  /** Returns only what was created on or before this date or time. A date includes its whole day. */
  date_to?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListApprovalsQuery = {
  /** Returns only approvals in this state. CLOSED stands for every state but PENDING. */
  state?: 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'FAILED' | 'EXPIRED' | 'CLOSED' | undefined
  /** Returns only approvals about this venture. The zero id stands for the bank. */
  venture_id?: string | undefined
  /** Returns only approvals of this action. */
  action?: string | undefined
  /** Returns only approvals about this resource. */
  resource_id?: string | undefined
  /** Returns only requests of this person, or with `others`, only requests of other people. */
  maker_id?: string | undefined
  /** Returns only pending requests that nobody at the bank could approve now, or with `false`, only all other requests. */
  stuck?: boolean | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListCasesQuery = {
  /** Returns only cases in this state. */
  state?: 'OPEN' | 'DECIDED' | undefined
  /** Returns only cases of this severity. */
  severity?: 'NORMAL' | 'URGENT' | undefined
  /** Returns only cases of this kind. */
  kind?: string | undefined
  /** Returns only cases of this venture. The zero id stands for the bank. */
  venture_id?: string | undefined
  /** Returns only cases about this resource, such as a transfer. */
  resource_id?: string | undefined
  /** Returns only cases assigned to this person; `none` for unassigned cases. */
  assignee_id?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListQuestionsQuery = {
  /** Returns only questions in this state. */
  state?: 'OPEN' | 'ANSWERED' | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListJobsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only jobs in this state. */
  state?: 'READY' | 'DEAD' | undefined
  /** Returns only jobs of this kind. */
  kind?: string | undefined
}

export type ListPacksQuery = {
  /** Returns only packs in this state. */
  state?: 'OPEN' | 'SEALED' | 'DELIVERED' | 'ACKNOWLEDGED' | 'REFUSED' | 'UNKNOWN' | 'INVALID' | 'NOT_SENT' | 'DROPPED' | undefined
  /** Returns only packs of this rail. */
  rail?: 'SEPA' | 'INST' | 'SDD' | undefined
  /** Returns only the pack whose message has this id. */
  message_id?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListMessagesQuery = {
  /** Returns only messages in this direction. */
  direction?: 'IN' | 'OUT' | undefined
  /** Returns only messages in this state. */
  state?: 'SEALED' | 'DELIVERED' | 'RECEIVED' | 'APPLIED' | 'REFUSED' | undefined
  /** Returns only messages of this type, such as `pacs.008.001.08`. */
  type?: 'pain.001.001.09' | 'pain.008.001.08' | 'pacs.002.001.10' | 'pacs.003.001.08' | 'pacs.004.001.09' | 'pacs.008.001.08' | 'pacs.028.001.03' | 'camt.029.001.09' | 'camt.053.001.08' | 'camt.054.001.08' | 'camt.056.001.08' | undefined
  /** Returns only the message of this pack, and those that ask about it. */
  pack_id?: string | undefined
  /** Returns only the messages in which this transfer left or arrived, and those that answer or ask about them. */
  transfer_id?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListWatchlistVersionsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListScreeningsQuery = {
  /** Returns only screenings of this transfer, client or beneficiary. */
  subject_id?: string | undefined
  /** Returns only screenings with this outcome. */
  outcome?: 'CLEAR' | 'HIT' | 'BLOCK' | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListEventsQuery = {
  /** Returns only events of this type. */
  type?: 'client.created' | 'client.updated' | 'client.kyc_updated' | 'onboarding.submitted' | 'onboarding.updated' | 'beneficiary.created' | 'beneficiary.updated' | 'account.created' | 'account.updated' | 'account.activated' | 'account.frozen' | 'account.overdrawn' | 'account.closed' | 'mandate.created' | 'mandate.cancelled' | 'transfer.created' | 'transfer.updated' | 'transfer.status_changed' | 'transfer.completed' | 'transfer.failed' | 'transfer.returned' | 'payment.created' | 'payment.paid' | 'payment.failed' | 'payment.refused' | 'payment.canceled' | 'payment.expired' | 'payment.refunded' | 'payment_link.created' | 'payment_link.updated' | 'payout.created' | 'case.question' | 'venture.updated' | 'venture.key_rotated' | 'webhook_endpoint.disabled' | 'webhook_endpoint.test' | undefined
  /** Returns only events about the resource with this id. */
  resource_id?: string | undefined
  /** Returns only what was created on or after this date or time. */
  date_from?: string | undefined
  /** Returns only what was created on or before this date or time. A date includes its whole day. */
  date_to?: string | undefined
  /** Follows events, oldest first: returns those after the event with this id, or all of them with `start`. No event is missed, even if its transaction ended late. `now` returns only the last event that a follower would have received: everything after it happens from now on. Cannot be combined with `after` or `offset`. */
  since?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListEventResendsQuery = {
  /** Returns only resends of the event with this id. */
  event_id?: string | undefined
  /** Follows resends, oldest first: returns those after the one with this `number`, or all of them with `0`. Cannot be combined with `after` or `offset`. */
  since_number?: number | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListClientsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only clients with this verification status. */
  kyc_status?: 'NOT_STARTED' | 'CREATED' | 'PROCESSING' | 'ABORTED' | 'PENDING_REVIEW' | 'VALIDATED' | 'DECLINED' | undefined
  /** A part of the text to search for. Case does not matter. */
  search?: string | undefined
}

export type ListUnmatchedKycEventsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
}

export type ListConflictingKycEventsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
}

export type ListBeneficiariesQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only beneficiaries of this client. */
  client_id?: string | undefined
  /** Returns only beneficiaries that should, or should not, be shown to users. */
  display?: boolean | undefined
  /** A part of the text to search for. Case does not matter. */
  search?: string | undefined
}

export type ListAccountsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only accounts of this client. */
  client_id?: string | undefined
  /** Returns only accounts with this status. */
  status?: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CLOSED' | undefined
  /** Returns only accounts in this currency, an ISO 4217 code. */
  currency?: string | undefined
  /** Returns only accounts of this kind. */
  account_type?: 'CURRENT' | 'SAVINGS' | 'ESCROW' | undefined
  /** A part of the text to search for. Case does not matter. */
  search?: string | undefined
}

export type GetEpcQrQuery = {
  /** The amount in euros. If absent, the payer enters it. */
  amount?: string | undefined
  /** The purpose that the payer will send. Cannot be used together with `structured_reference`. */
  purpose?: string | undefined
  /** An ISO 11649 creditor reference that identifies the payment. It begins with `RF`. */
  structured_reference?: string | undefined
  /** The reason for the payment, as an ISO 20022 purpose code of four letters, such as `GDDS`. */
  purpose_code?: string | undefined
  /** The image (the default), or the text that it encodes. */
  format?: 'svg' | 'text' | undefined
}

export type ListEntriesQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type GetTrialBalanceQuery = {
  /** Balances at the end of this day, in UTC; by default now. */
  date?: string | undefined
}

export type ListMandatesQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only mandates for this account. */
  account_id?: string | undefined
  /** Returns only mandates in this state. */
  state?: 'ACTIVE' | 'CANCELLED' | 'EXPIRED' | undefined
}

export type ListTransfersQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only transfers of this account. */
  account_id?: string | undefined
  /** Returns only transfers to this beneficiary. */
  beneficiary_id?: string | undefined
  /** Returns only transfers in this direction. */
  direction?: 'INBOUND' | 'OUTBOUND' | undefined
  /** Returns only transfers with this status. */
  status?: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN' | undefined
  /** Returns only transfers of this type. */
  transfer_type?: 'FEE' | 'PAYMENT' | 'PAYMENT_CANCELLATION' | 'PAYMENT_RETURN' | 'FEE_CANCELLATION' | 'CCY_EXCHANGE' | 'ADJUSTMENT' | 'PAYMENT_TECHNICAL_REVERSAL' | 'PAYMENT_REVERSAL' | 'CARD_AUTH' | 'CARD_ADVICE' | 'CARD_REVERSAL' | 'FX_POSITION_CLOSING' | 'CARD_CLEARING' | undefined
  /** Returns only transfers over this rail. */
  method?: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC' | undefined
  /** Returns only transfers whose credit or debit currency is this one, an ISO 4217 code. */
  currency?: string | undefined
  /** Returns only what was created on or after this date or time. */
  date_from?: string | undefined
  /** Returns only what was created on or before this date or time. A date includes its whole day. */
  date_to?: string | undefined
  /** A part of the text to search for. Case does not matter. */
  search?: string | undefined
}

export type ListAccountTransfersQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only transfers to this beneficiary. */
  beneficiary_id?: string | undefined
  /** Returns only transfers in this direction. */
  direction?: 'INBOUND' | 'OUTBOUND' | undefined
  /** Returns only transfers with this status. */
  status?: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN' | undefined
  /** Returns only transfers of this type. */
  transfer_type?: 'FEE' | 'PAYMENT' | 'PAYMENT_CANCELLATION' | 'PAYMENT_RETURN' | 'FEE_CANCELLATION' | 'CCY_EXCHANGE' | 'ADJUSTMENT' | 'PAYMENT_TECHNICAL_REVERSAL' | 'PAYMENT_REVERSAL' | 'CARD_AUTH' | 'CARD_ADVICE' | 'CARD_REVERSAL' | 'FX_POSITION_CLOSING' | 'CARD_CLEARING' | undefined
  /** Returns only transfers over this rail. */
  method?: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC' | undefined
  /** Returns only transfers whose credit or debit currency is this one, an ISO 4217 code. */
  currency?: string | undefined
  /** Returns only what was created on or after this date or time. */
  date_from?: string | undefined
  /** Returns only what was created on or before this date or time. A date includes its whole day. */
  date_to?: string | undefined
  /** A part of the text to search for. Case does not matter. */
  search?: string | undefined
}

export type ListTransfersOfAllVenturesQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only transfers with this status. Required. */
  status: 'CREATED' | 'SIGNED' | 'REVIEW' | 'READY_TO_CLEAR' | 'SENT_TO_PACK' | 'PACKED' | 'SENT_TO_CLEAR' | 'COMPLETED' | 'SOME_PROBLEMS' | 'CANCELLED' | 'REJECTED' | 'INVALID' | 'ACCEPTED' | 'TO_SIGN' | 'RESERVED' | 'TO_RESERVE' | 'RECEIVED' | 'DROPPED' | 'ON_HOLD' | 'READY_FOR_SCREENING' | 'AML_APPROVED' | 'AML_REJECTED' | 'MANUAL_ACTION' | 'CREDIT_TECH_BALANCE' | 'TO_RESEND' | 'MANUAL_REJECTED' | 'TO_CANCEL' | 'BLACKLIST_SCANNING' | 'AML_SCANNING' | 'TO_RETURN'
  /** Returns only transfers over this rail. */
  method?: 'SEPA' | 'INTERNAL' | 'SDD' | 'SDD_INTERNAL' | 'INST' | 'CARD' | 'SWIFT' | 'DOMESTIC' | undefined
}

export type GetStatementQuery = {
  /** The first day, in UTC, or the time with which the statement begins. */
  from: string
  /** The last day, in UTC, or the last time. A date includes the whole day. At most 366 days after `from`. */
  to: string
  /** Default: json. camt053: XML according to ISO 20022, camt.053.001.08. */
  format?: 'json' | 'csv' | 'pdf' | 'camt053' | undefined
}

export type ListBalancesQuery = {
  /** The first day, in UTC. */
  from: string
  /** The last day, in UTC. */
  to: string
  /** Default: day. Weeks begin on Mondays. */
  step?: 'day' | 'week' | 'month' | undefined
}

export type ListInboundPaymentsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only messages that were booked as this. */
  booked_as?: 'transfer' | 'unapplied' | 'break' | 'collection' | undefined
}

export type ListUnappliedPaymentsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only unapplied payments with this status. */
  status?: 'OPEN' | 'APPLIED' | 'RETURNING' | 'PAID_OUT' | undefined
}

export type ListBreaksQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only breaks with this status. */
  status?: 'OPEN' | 'WRITTEN_OFF' | 'COLLECTED' | 'MATCHED' | 'OFFSET' | 'FUNDED' | undefined
  /** Returns only breaks of this kind. */
  kind?: 'FORCED_DEBIT' | 'LATE_SETTLEMENT' | 'CONTRADICTED' | 'UNKNOWN' | 'UNBOOKED' | 'MISSING' | 'OTHER_AMOUNT' | 'DUPLICATE' | 'LATE' | undefined
  /** Returns only breaks of this nostro. */
  nostro_id?: string | undefined
}

export type ListNostrosQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListNostroStatementsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListNostroEntriesQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
  /** Returns only entries in this state. */
  state?: 'NOTIFIED' | 'MATCHED' | 'BREAK' | 'RESOLVED' | undefined
  /** The number of the statement. */
  number?: number | undefined
}

export type GetReconciliationQuery = {
  /** The day of the statement. Default: that of the last one. */
  date?: string | undefined
}

export type ListPaymentsQuery = {
  /** Returns only payments with this status. */
  status?: 'PENDING' | 'PAID' | 'FAILED' | 'REFUSED' | 'CANCELED' | 'REFUNDED' | 'EXPIRED' | undefined
  /** Returns only payments of this payment link. */
  payment_link_id?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListPaymentLinksQuery = {
  /** Returns only links that are, or are not, active. */
  active?: boolean | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListPayoutsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListWebhookEndpointsQuery = {
  /** Returns only endpoints with this status. */
  status?: 'ACTIVE' | 'DISABLED' | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListWebhookDeliveriesQuery = {
  /** Returns only deliveries with this status. */
  status?: 'PENDING' | 'DELIVERED' | 'FAILED' | undefined
  /** Returns only deliveries of this event. */
  event_id?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListDeliveriesOfAllEndpointsQuery = {
  /** Returns only deliveries to this endpoint. */
  endpoint_id?: string | undefined
  /** Returns only deliveries of the 500 newest events about this resource, such as a transfer. */
  resource_id?: string | undefined
  /** Returns only deliveries with this status. */
  status?: 'PENDING' | 'DELIVERED' | 'FAILED' | undefined
  /** Returns only deliveries of this event. */
  event_id?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListRequestsQuery = {
  /** Returns only requests with this `X-Request-Id`. */
  request_id?: string | undefined
  /** Returns only requests with this HTTP method. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | undefined
  /** Returns only requests for this path of the contract, such as `/api/v1/transfers/{transfer_id}`. */
  route?: string | undefined
  /** Returns only requests with this HTTP status, such as `404`, or with one of a class, such as `4xx`. */
  status?: string | undefined
  /** Returns only requests that were refused with this code. */
  code?: string | undefined
  /** Returns only requests with the API key that begins with these 12 characters. */
  key_prefix?: string | undefined
  /** Returns only what was created on or after this date or time. */
  date_from?: string | undefined
  /** Returns only what was created on or before this date or time. A date includes its whole day. */
  date_to?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListRequestsOfAllVenturesQuery = {
  /** Returns only requests of this venture. The zero id stands for the bank, and for requests without a valid key. */
  venture_id?: string | undefined
  /** Returns only requests with this `X-Request-Id`. */
  request_id?: string | undefined
  /** Returns only requests with this HTTP method. */
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | undefined
  /** Returns only requests for this path of the contract, such as `/api/v1/transfers/{transfer_id}`. */
  route?: string | undefined
  /** Returns only requests with this HTTP status, such as `404`, or with one of a class, such as `4xx`. */
  status?: string | undefined
  /** Returns only requests that were refused with this code. */
  code?: string | undefined
  /** Returns only requests with the API key that begins with these 12 characters. */
  key_prefix?: string | undefined
  /** Returns only what was created on or after this date or time. */
  date_from?: string | undefined
  /** Returns only what was created on or before this date or time. A date includes its whole day. */
  date_to?: string | undefined
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type ListVerificationRunsQuery = {
  /** The largest number of results. */
  limit?: number | undefined
  /** The number of results to skip. Cannot be combined with `after`. */
  offset?: number | undefined
  /** Returns only results that follow the result with this id. */
  after?: string | undefined
}

export type FindQuery = {
  /** What was pasted or typed: an id, the reference of a transfer, mandate or order, the id that a bank gave to a payment, an email, an IBAN, or the beginning of a name. */
  text: string
}

export type FindInAllVenturesQuery = {
  /** What was pasted or typed: an id, the reference of a transfer, mandate or order, the id that a bank gave to a payment, an email, an IBAN, or the beginning of a name. */
  text: string
}

export type GetStatisticsQuery = {
  /** How many days transfers are counted for, today included. */
  days?: number | undefined
}

export type ServiceMethods = {
  /**
   * Check that the process is alive
   *
   * Answers as long as the process runs, without a query to the database. For liveness probes: restart a process that does not answer.
   *
   * May be refused with `invalid_request`.
   *
   * `GET /healthz`
   */
  health(options?: CallOptions): Promise<Health>
  /**
   * Check that the service can serve requests
   *
   * Answers 200 if the database answers, otherwise 503 `unavailable`. For readiness probes and load balancers.
   *
   * May be refused with `invalid_request`.
   *
   * `GET /readyz`
   */
  readiness(options?: CallOptions): Promise<Health>
}

export type VenturesMethods<By extends Caller> = {
  /**
   * Register a venture
   *
   * The response contains the API key, which is shown only once. The bank sees it, so outside the sandbox it cannot order anything for a MANAGED venture: an admin of the venture creates the keys that can.
   *
   * May be refused with `four_eyes_off`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `idempotency_key_in_use`, `idempotency_key_reused`, `idempotency_secret_shown`, `outcome_unknown`.
   *
   * `POST /api/v1/ventures`
   */
  register(body: VentureRegistration, options?: CallOptions): Promise<VentureWithKey>
  /**
   * List ventures, newest first
   *
   * All ventures of the service, with the prefix of their oldest valid key.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/ventures`
   */
  list(query?: ListVenturesQuery, options?: CallOptions): Pages<Venture>
  /**
   * Get a venture
   *
   * The venture with the prefix of its oldest valid key. Keys themselves are never shown again.
   *
   * May be refused with `venture_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/ventures/{venture_id}`
   */
  get(venture_id: string, options?: CallOptions): Promise<Venture>
  /**
   * Rename, disable or enable a venture, or change who processes its transfers
   *
   * From then on, requests with a key of a disabled venture get 401. `control` can change only while the venture has no client, no transfer and no entry. With four-eyes approval, enabling a venture and changing `control` need a second person: the response is then an approval, with status 202.
   *
   * May be refused with `venture_not_found`, `venture_has_books`, `four_eyes_off`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `PUT /api/v1/ventures/{venture_id}`
   */
  update(venture_id: string, body: VentureUpdate, options?: CallOptions): Promise<Venture | Waiting<By, Approval>>
  /**
   * Replace all API keys of a venture with one new key
   *
   * For a lost key. All keys of the venture stop working at once. The response contains the new key, which has all scopes and is shown only once. With four-eyes approval, this needs a second person: the response is then an approval, with status 202, and the approver gets the new key.
   *
   * May be refused with `venture_not_found`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `outcome_unknown`.
   *
   * `POST /api/v1/ventures/{venture_id}/rotate-key`
   */
  replaceKey(venture_id: string, options?: CallOptions): Promise<VentureWithKey | Waiting<By, Approval>>
  /**
   * Create an API key for a venture
   *
   * The response contains the key, which is shown only once. The bank sees it, so outside the sandbox it cannot order anything for a MANAGED venture. With four-eyes approval, this needs a second person: the response is then an approval, with status 202, and the approver gets the key.
   *
   * May be refused with `venture_not_found`, `key_limit`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `idempotency_key_in_use`, `idempotency_key_reused`, `idempotency_secret_shown`, `outcome_unknown`.
   *
   * `POST /api/v1/ventures/{venture_id}/keys`
   */
  createKey(venture_id: string, body: NewApiKey, options?: CallOptions): Promise<ApiKeyWithSecret | Waiting<By, Approval>>
  /**
   * Get the policy of a venture
   *
   * The latest version, with the bank's defaults for everything that was never changed for this venture.
   *
   * May be refused with `venture_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/ventures/{venture_id}/policy`
   */
  getPolicy(venture_id: string, options?: CallOptions): Promise<Policy>
  /**
   * Change the policy of a venture
   *
   * Absent fields stay as they are. A change is a new version; earlier versions are kept. With four-eyes approval, a change needs a second person: the response is then an approval, with status 202.
   *
   * May be refused with `venture_not_found`, `policy_invalid`, `policy_changed`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `PUT /api/v1/ventures/{venture_id}/policy`
   */
  updatePolicy(venture_id: string, body: PolicyUpdate, options?: CallOptions): Promise<Policy | Waiting<By, Approval>>
  /**
   * List the screenings of a venture, newest first
   *
   * Every comparison of a payment, a client or a beneficiary with the watch lists.
   *
   * May be refused with `venture_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/ventures/{venture_id}/screenings`
   */
  listScreenings(venture_id: string, query?: ListScreeningsQuery, options?: CallOptions): Pages<Screening>
  /**
   * Get a screening with its hits explained
   *
   * Each hit names the entry that it matches and shows how the score was computed.
   *
   * May be refused with `screening_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/ventures/{venture_id}/screenings/{screening_id}`
   */
  getScreening(venture_id: string, screening_id: string, options?: CallOptions): Promise<ExplainedScreening>
}

export type VentureMethods<By extends Caller> = {
  /**
   * Get your own venture
   *
   * The venture of the key. A good first request: it shows that the key works.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/venture`
   */
  get(options?: CallOptions): Promise<Venture>
  /**
   * Rotate your API key
   *
   * Replaces the key of this request with a new one that has the same name, scopes and expiry. The old key stops working at once. The response contains the new key, which is shown only once.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/venture/rotate-key`
   */
  rotateKey(options?: CallOptions): Promise<VentureWithKey>
  /**
   * Create an API key
   *
   * The response contains the key, which is shown only once. Needs a key with all scopes, or an admin of the venture. A key created with a key that the bank has seen also counts as seen by the bank. With four-eyes approval, an admin of the bank who acts for the venture needs a second person: the response is then an approval, with status 202, and the approver gets the key.
   *
   * May be refused with `key_limit`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `reauthentication_required`, `idempotency_key_in_use`, `idempotency_key_reused`, `idempotency_secret_shown`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/venture/keys`
   */
  createKey(body: NewApiKey, options?: CallOptions): Promise<ApiKeyWithSecret | Waiting<By, Approval>>
  /**
   * List API keys, newest first
   *
   * Revoked and expired keys stay in the list.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/venture/keys`
   */
  listKeys(query?: ListKeysQuery, options?: CallOptions): Pages<ApiKey>
  /**
   * Get an API key
   *
   * The key's scopes, and when it was last used. The key itself is never shown again.
   *
   * May be refused with `api_key_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/venture/keys/{key_id}`
   */
  getKey(key_id: string, options?: CallOptions): Promise<ApiKey>
  /**
   * Rename an API key
   *
   * Changes only the name. For other scopes or another expiry, create another key and revoke this one.
   *
   * May be refused with `api_key_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `reauthentication_required`, `too_many_requests`, `outcome_unknown`.
   *
   * `PUT /api/v1/venture/keys/{key_id}`
   */
  updateKey(key_id: string, body: ApiKeyUpdate, options?: CallOptions): Promise<ApiKey>
  /**
   * Revoke an API key
   *
   * The key stops working at once, and stays in the list.
   *
   * May be refused with `api_key_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/venture/keys/{key_id}/revoke`
   */
  revokeKey(key_id: string, options?: CallOptions): Promise<ApiKey>
  /**
   * Invite a person to the venture
   *
   * The invitation ends after 72 hours. The response contains the link. It is shown only once and works once. The service does not send it: pass it on yourself. With four-eyes approval, an invitation by the bank needs a second person: the response is then an approval, with status 202, and a code. The approver gets the link, which works only with the code. With four-eyes approval, the bank may do this for a MANAGED venture only while the venture has no active admin (otherwise 403 `venture_has_admin`): its admin does it instead.
   *
   * May be refused with `already_member`, `venture_has_admin`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `reauthentication_required`, `idempotency_key_in_use`, `idempotency_key_reused`, `idempotency_secret_shown`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/venture/users`
   */
  inviteUser(body: NewVentureInvitation, options?: CallOptions): Promise<LinkWithUrl | Waiting<By, ApprovalWithCode>>
  /**
   * List the users of the venture, newest first
   *
   * The people who may act for the venture, with their roles.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/venture/users`
   */
  listUsers(query?: ListVentureUsersQuery, options?: CallOptions): Pages<VentureUser>
  /**
   * Get a user of the venture
   *
   * A person who may act for the venture, with their role.
   *
   * May be refused with `user_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/venture/users/{user_id}`
   */
  getUser(user_id: string, options?: CallOptions): Promise<VentureUser>
  /**
   * Change a user's role in the venture
   *
   * Open invitations of the user to the venture end. A higher role ends all sessions of the user. It removes the passkeys only if a person who is not an admin of the venture has invited or reset the user alone. With four-eyes approval, it takes two people of the bank to give a higher role, or to demote the last active admin of a MANAGED venture: the response is then an approval, with status 202.
   *
   * May be refused with `user_not_found`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `reauthentication_required`, `too_many_requests`, `outcome_unknown`.
   *
   * `PUT /api/v1/venture/users/{user_id}`
   */
  updateUser(user_id: string, body: VentureUserUpdate, options?: CallOptions): Promise<VentureUser | Waiting<By, Approval>>
  /**
   * Remove a user from the venture
   *
   * It takes effect at once. The user stays a user of other ventures. With four-eyes approval, it takes two people of the bank to remove the last active admin of a MANAGED venture: the response is then an approval, with status 202.
   *
   * May be refused with `user_not_found`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `DELETE /api/v1/venture/users/{user_id}`
   */
  removeUser(user_id: string, options?: CallOptions): Promise<void | Waiting<By, Approval>>
  /**
   * Create a link for a user of the venture to reset the password
   *
   * Only for a user who belongs to this venture alone; the bank may do it for users of several ventures, but not for its own. The link ends after an hour. Using it ends all sessions of the user and removes all passkeys. The response contains the link. It is shown only once and works once. The service does not send it: pass it on yourself. With four-eyes approval, a reset by the bank needs a second person: the response is then an approval, with status 202, and a code. The approver gets the link, which works only with the code. With four-eyes approval, the bank may do this for a MANAGED venture only while the venture has no active admin (otherwise 403 `venture_has_admin`): its admin does it instead.
   *
   * May be refused with `user_not_found`, `user_elsewhere`, `venture_has_admin`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `reauthentication_required`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/venture/users/{user_id}/reset`
   */
  resetUser(user_id: string, options?: CallOptions): Promise<LinkWithUrl | Waiting<By, ApprovalWithCode>>
  /**
   * End all sessions of a user of the venture
   *
   * The user is signed out everywhere at once, and may sign in again. A venture cannot do this to a user who also works at the bank.
   *
   * May be refused with `user_not_found`, `user_elsewhere`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `DELETE /api/v1/venture/users/{user_id}/sessions`
   */
  endUserSessions(user_id: string, options?: CallOptions): Promise<void>
  /**
   * List invitations to the venture, newest first
   *
   * Includes used, revoked and expired invitations. The URLs are not shown again.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/venture/invitations`
   */
  listInvitations(query?: ListVentureInvitationsQuery, options?: CallOptions): Pages<Link>
  /**
   * Revoke an invitation to the venture
   *
   * The link stops working at once. A link that was used cannot be revoked.
   *
   * May be refused with `link_not_found`, `link_expired`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/venture/invitations/{invitation_id}/revoke`
   */
  revokeInvitation(invitation_id: string, options?: CallOptions): Promise<Link>
  /**
   * List the audit log of the venture, newest first
   *
   * Contains every change by a person, and every change to keys, secrets, limits and compliance fields. Of the actions of the bank's people, it contains those on behalf of the venture, without naming the person.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/venture/audit-log`
   */
  listAuditLog(query?: ListVentureAuditLogQuery, options?: CallOptions): Pages<VentureAuditEntry>
}

export type SessionMethods = {
  /**
   * Sign in with a password
   *
   * Sets the session cookie. Only the console can do this: with the header X-Vostro-Console and from its own origin.
   *
   * May be refused with `sign_in_failed`, `too_many_sign_ins`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `outcome_unknown`.
   *
   * `POST /api/v1/session`
   */
  signIn(body: SignIn, options?: CallOptions): Promise<Session>
  /**
   * Get your session
   *
   * Who is signed in, with which roles, and since when; in the sandbox also the time of the service. The console reads it when it opens.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`.
   *
   * `GET /api/v1/session`
   */
  get(options?: CallOptions): Promise<Session>
  /**
   * Sign out
   *
   * Ends the session and removes its cookie. Other sessions of the person continue.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `outcome_unknown`.
   *
   * `DELETE /api/v1/session`
   */
  signOut(options?: CallOptions): Promise<void>
  /**
   * List your sessions, newest first
   *
   * The browsers in which you are signed in, with the time of their last use. Sessions that have ended are not listed.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`.
   *
   * `GET /api/v1/session/sessions`
   */
  listSessions(options?: CallOptions): Promise<OwnSession[]>
  /**
   * End one of your sessions
   *
   * Its browser is signed out at once. Ending your current session signs you out.
   *
   * May be refused with `session_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `outcome_unknown`.
   *
   * `DELETE /api/v1/session/sessions/{session_id}`
   */
  endSession(session_id: string, options?: CallOptions): Promise<void>
  /**
   * List your sign-in history, newest first
   *
   * Sign-ins, failures, reauthentications, sign-outs and changes of the password and of passkeys, with the address that they came from. Look for entries that were not you. Entries are kept for SIGN_IN_RETENTION_DAYS.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/session/sign-ins`
   */
  listSignIns(query?: ListSignInsQuery, options?: CallOptions): Pages<SignInRecord>
  /**
   * Reauthenticate with your password
   *
   * Needed before changes to keys, secrets, roles and approvals if the last proof is more than ten minutes old. The cookie changes. A person with a passkey reauthenticates with that instead.
   *
   * May be refused with `sign_in_failed`, `too_many_sign_ins`, `passkey_required`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `outcome_unknown`.
   *
   * `POST /api/v1/session/reauthentication`
   */
  reauthenticate(body: PasswordProof, options?: CallOptions): Promise<Session>
  /**
   * Change your password
   *
   * Your other sessions end. A person with a passkey must have used it in this session.
   *
   * May be refused with `weak_password`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `reauthentication_required`, `outcome_unknown`.
   *
   * `PUT /api/v1/session/password`
   */
  changePassword(body: PasswordChange, options?: CallOptions): Promise<void>
  /**
   * Use a link to set up the bank, accept an invitation, or reset the password
   *
   * A link works once. A person without a user account gives a name and a password, and for a set-up also an email. A person who already has one accepts an invitation while signed in, with the passkey if there is one; a role that can do more than read ends all sessions. A link that two people of the bank created works only with its code, and not for a MANAGED venture that has got an admin in the meantime. With four-eyes approval, links that a single person of the bank created earlier no longer work.
   *
   * May be refused with `link_not_found`, `link_expired`, `weak_password`, `user_exists`, `already_member`, `too_many_sign_ins`, `passkey_required`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `outcome_unknown`.
   *
   * `POST /api/v1/session/links`
   */
  useLink(body: LinkUse, options?: CallOptions): Promise<UsedLink>
  /**
   * List your passkeys
   *
   * The passkeys that you have registered, with the time of their last use.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`.
   *
   * `GET /api/v1/session/passkeys`
   */
  listPasskeys(options?: CallOptions): Promise<Passkey[]>
  /**
   * Register a passkey
   *
   * From then on, the session counts as signed in with a passkey. Your other sessions end.
   *
   * May be refused with `passkey_refused`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `reauthentication_required`, `outcome_unknown`.
   *
   * `POST /api/v1/session/passkeys`
   */
  registerPasskey(body: PasskeyRegistration, options?: CallOptions): Promise<Passkey>
  /**
   * Get the options to create a passkey
   *
   * The `publicKey` options for `navigator.credentials.create()`. Send the result to `POST /api/v1/session/passkeys`.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `reauthentication_required`, `outcome_unknown`.
   *
   * `POST /api/v1/session/passkeys/options`
   */
  startPasskeyRegistration(options?: CallOptions): Promise<PasskeyOptions>
  /**
   * Remove a passkey
   *
   * The passkey no longer works, and your other sessions end. A person who signed in with only a password cannot remove one. After the last one is removed, the session counts as signed in without a passkey.
   *
   * May be refused with `passkey_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `reauthentication_required`, `outcome_unknown`.
   *
   * `DELETE /api/v1/session/passkeys/{passkey_id}`
   */
  removePasskey(passkey_id: string, options?: CallOptions): Promise<void>
  /**
   * Get the options to use a passkey
   *
   * The `publicKey` options for `navigator.credentials.get()`. Send the result to `POST /api/v1/session/passkey`.
   *
   * May be refused with `too_many_sign_ins`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `outcome_unknown`.
   *
   * `POST /api/v1/session/passkey/options`
   */
  startPasskeySignIn(options?: CallOptions): Promise<PasskeyOptions>
  /**
   * Sign in with a passkey
   *
   * Starts a session and sets its cookie. Such a session may do everything that the roles of the person allow.
   *
   * May be refused with `sign_in_failed`, `too_many_sign_ins`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `outcome_unknown`.
   *
   * `POST /api/v1/session/passkey`
   */
  signInWithPasskey(body: PasskeyProof, options?: CallOptions): Promise<Session>
  /**
   * Reauthenticate with a passkey
   *
   * The cookie changes. The options come from POST /session/passkey/options.
   *
   * May be refused with `sign_in_failed`, `too_many_sign_ins`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `outcome_unknown`.
   *
   * `POST /api/v1/session/reauthentication/passkey`
   */
  reauthenticateWithPasskey(body: PasskeyProof, options?: CallOptions): Promise<Session>
}

export type OperatorKeysMethods<By extends Caller> = {
  /**
   * Create a key of the bank
   *
   * For a connector, a program of the bank that does one thing. The response contains the key, which is shown only once. With four-eyes approval, this needs a second person: the response is then an approval, with status 202, and the approver gets the key.
   *
   * May be refused with `key_limit`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `idempotency_key_in_use`, `idempotency_key_reused`, `idempotency_secret_shown`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/keys`
   */
  create(body: NewBankKey, options?: CallOptions): Promise<BankKeyWithSecret | Waiting<By, Approval>>
  /**
   * List the keys of the bank, newest first
   *
   * Revoked and expired keys stay in the list.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/keys`
   */
  list(query?: ListBankKeysQuery, options?: CallOptions): Pages<BankKey>
  /**
   * Get a key of the bank
   *
   * The key's scope, and when it was last used. The key itself is never shown again.
   *
   * May be refused with `api_key_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/keys/{bank_key_id}`
   */
  get(bank_key_id: string, options?: CallOptions): Promise<BankKey>
  /**
   * Revoke a key of the bank
   *
   * The key stops working at once, and stays in the list.
   *
   * May be refused with `api_key_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/keys/{bank_key_id}/revoke`
   */
  revoke(bank_key_id: string, options?: CallOptions): Promise<BankKey>
}

export type OperatorUsersMethods<By extends Caller> = {
  /**
   * Create the link with which the first admin sets up the bank
   *
   * Only while the bank has no admin, or with the admin key after a start with ADMIN_API_KEY_SCOPE=set-up. An earlier set-up link stops working. The response contains the link. It is shown only once and works once. The service does not send it: pass it on yourself.
   *
   * May be refused with `already_set_up`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/users/set-up`
   */
  makeSetUpLink(options?: CallOptions): Promise<LinkWithUrl>
  /**
   * Invite a person to the bank
   *
   * The invitation ends after 72 hours. The response contains the link. It is shown only once and works once. The service does not send it: pass it on yourself. The admin key may invite admins only while fewer than three active ones exist. With four-eyes approval, an invitation needs a second person: the response is then an approval, with status 202, and a code. The approver gets the link, which works only with the code.
   *
   * May be refused with `already_member`, `bank_has_admins`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `idempotency_key_in_use`, `idempotency_key_reused`, `idempotency_secret_shown`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/users`
   */
  invite(body: NewBankInvitation, options?: CallOptions): Promise<LinkWithUrl | Waiting<By, ApprovalWithCode>>
  /**
   * List all users, newest first
   *
   * Everyone who can sign in: people of the bank and of all ventures.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/users`
   */
  list(query?: ListUsersQuery, options?: CallOptions): Pages<User>
  /**
   * Get a user
   *
   * A person of the bank or of any venture.
   *
   * May be refused with `user_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/users/{user_id}`
   */
  get(user_id: string, options?: CallOptions): Promise<User>
  /**
   * Change a user's role at the bank, disable or enable a user
   *
   * A role of null removes the user from the bank. Disabling ends all sessions at once. The last active admin cannot be removed. With four eyes, giving a role at the bank, enabling a user who has one or is an admin or operator of a venture, and disabling the last active admin of a MANAGED venture, need a second person: the response is then an approval, with status 202. Pending requests of a disabled or removed user are withdrawn. A role at the bank ends all sessions of the user. It removes the passkeys of a person who joins the bank, if one person alone has invited or reset them.
   *
   * May be refused with `user_not_found`, `last_admin`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `outcome_unknown`.
   *
   * `PUT /api/v1/operator/users/{user_id}`
   */
  update(user_id: string, body: UserUpdate, options?: CallOptions): Promise<User | Waiting<By, Approval>>
  /**
   * Create a link for a user to reset the password
   *
   * The link ends after an hour. Using it ends all sessions of the user and removes all passkeys. The response contains the link. It is shown only once and works once. The service does not send it: pass it on yourself. With four-eyes approval, a reset needs a second person: the response is then an approval, with status 202, and a code. The approver gets the link, which works only with the code. With four-eyes approval, the bank may do this for a MANAGED venture only while the venture has no active admin (otherwise 403 `venture_has_admin`): its admin does it instead.
   *
   * May be refused with `user_not_found`, `venture_has_admin`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/users/{user_id}/reset`
   */
  reset(user_id: string, options?: CallOptions): Promise<LinkWithUrl | Waiting<By, ApprovalWithCode>>
  /**
   * List the sign-in history of a user, newest first
   *
   * The same list that the user sees: sign-ins, failures, reauthentications, sign-outs and changes of factors, with the address that they came from.
   *
   * May be refused with `user_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/users/{user_id}/sign-ins`
   */
  listSignIns(user_id: string, query?: ListUserSignInsQuery, options?: CallOptions): Pages<SignInRecord>
  /**
   * End all sessions of a user
   *
   * The user is signed out everywhere at once, and may sign in again. For a lost laptop, or when something looks suspicious.
   *
   * May be refused with `user_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `DELETE /api/v1/operator/users/{user_id}/sessions`
   */
  endSessions(user_id: string, options?: CallOptions): Promise<void>
}

export type OperatorAdminKeyMethods = {
  /**
   * Get the remaining rights of the admin key
   *
   * The admin key is for setting up a bank. Outside the sandbox, it stops working once three admins of the bank have had a passkey.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/admin-key`
   */
  get(options?: CallOptions): Promise<AdminKey>
}

export type OperatorInvitationsMethods = {
  /**
   * List invitations to the bank, newest first
   *
   * Includes used, revoked and expired invitations. The URLs are not shown again.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/invitations`
   */
  list(query?: ListBankInvitationsQuery, options?: CallOptions): Pages<Link>
  /**
   * Revoke an invitation to the bank
   *
   * The link stops working at once. A link that was used cannot be revoked.
   *
   * May be refused with `link_not_found`, `link_expired`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/invitations/{invitation_id}/revoke`
   */
  revoke(invitation_id: string, options?: CallOptions): Promise<Link>
}

export type OperatorPairsMethods = {
  /**
   * List pairs of people who approve for each other, largest amounts first
   *
   * At most 200 pairs of people of the bank: first those in which one person approved a request of the other in the last 90 days, then others that are cleared or related. Each comes with what the two agreed on, how they are related, and who cleared them.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/pairs`
   */
  list(query?: ListPairsQuery, options?: CallOptions): Promise<Pair[]>
  /**
   * Let two related people approve for each other
   *
   * Two people count as one if one of them has invited the other, reset their access or given them a role, or if a third person has done that alone for both. An admin who is related to neither of them clears the pair. The clearing covers only the present relations: if one of them later resets the other, they count as one again.
   *
   * May be refused with `user_not_found`, `pair_not_related`, `pair_not_yours`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/pairs/clearings`
   */
  clear(body: NewPairClearing, options?: CallOptions): Promise<PairClearing>
  /**
   * Withdraw the clearing of two related people
   *
   * Takes effect at once. A withdrawn clearing stays withdrawn.
   *
   * May be refused with `clearing_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/pairs/clearings/{clearing_id}/take-back`
   */
  takeBackClearing(clearing_id: string, options?: CallOptions): Promise<PairClearing>
}

export type OperatorAuditLogMethods = {
  /**
   * List the audit log, newest first
   *
   * Contains every change by a person or by the admin key, every change to keys, secrets, limits and compliance fields, and which clients people of the bank have read, once for each person, client and day.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/audit-log`
   */
  list(query?: ListAuditLogQuery, options?: CallOptions): Pages<AuditEntry>
}

export type OperatorApprovalsMethods = {
  /**
   * List approvals, newest first
   *
   * Requests by one person that another must approve, including those already decided.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/approvals`
   */
  list(query?: ListApprovalsQuery, options?: CallOptions): Pages<Approval>
  /**
   * Get an approval
   *
   * Exactly what would be done, who requested it, and the outcome.
   *
   * May be refused with `approval_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/approvals/{approval_id}`
   */
  get(approval_id: string, options?: CallOptions): Promise<Approval>
  /**
   * Approve what another person has requested
   *
   * Needs a role that may carry out the action itself. The action takes effect in the same transaction. If the resource has changed since the request was made, or if the action is refused, the approval ends FAILED with the reason, and nothing else happens.
   *
   * May be refused with `approval_not_found`, `approval_not_pending`, `own_approval`, `related_approval`, `person_needed`, `resource_changed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/approvals/{approval_id}/approve`
   */
  approve(approval_id: string, options?: CallOptions): Promise<DecidedApproval>
  /**
   * Reject what another person has requested, or withdraw your own request
   *
   * Anyone who may approve some requests may reject all of them. Rejecting your own request withdraws it.
   *
   * May be refused with `approval_not_found`, `approval_not_pending`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `reauthentication_required`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/approvals/{approval_id}/reject`
   */
  reject(approval_id: string, body: Rejection, options?: CallOptions): Promise<DecidedApproval>
}

export type OperatorCasesMethods<By extends Caller> = {
  /**
   * List cases, newest first
   *
   * `resource_id` finds the case of a transfer, an unapplied payment or a break.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/cases`
   */
  list(query?: ListCasesQuery, options?: CallOptions): Pages<Case>
  /**
   * Open a case by hand
   *
   * A case of the kind `manual`, about a transfer, a client, an account, or `nothing` of these. It ends with the decision `close`. A resource has at most one such case that is open.
   *
   * May be refused with `venture_not_found`, `transfer_not_found`, `client_not_found`, `account_not_found`, `case_open`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/cases`
   */
  open(body: NewCaseByHand, options?: CallOptions): Promise<Case>
  /**
   * Get a case, with its subject and the possible decisions
   *
   * The subject shows the resource as it is now, not as it was when the case was opened.
   *
   * May be refused with `case_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/cases/{case_id}`
   */
  get(case_id: string, options?: CallOptions): Promise<CaseWithSubject>
  /**
   * Assign a case to a person
   *
   * Only an open case can be assigned, and only to an active admin or operator of the bank; null unassigns it.
   *
   * May be refused with `case_not_found`, `case_decided`, `assignee_invalid`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `PUT /api/v1/operator/cases/{case_id}`
   */
  assign(case_id: string, body: CaseAssignment, options?: CallOptions): Promise<Case>
  /**
   * Decide a case
   *
   * Carries out the decision. Some decisions need `details`: `apply` of an unapplied payment `{venture_id, account_id}`, `pay_out` `{name, iban}`, `collect` `{account_id}` or `{rail, sender, kind, tx_id}`; the others take none. With four-eyes approval, a decision that releases something needs a second person: the response is then an approval, with status 202, and the case stays open until it is approved.
   *
   * May be refused with `case_not_found`, `case_decided`, `decision_not_offered`, `decision_details_invalid`, `resource_changed`, `client_mismatch`, `client_sanctioned`, `rail_suspended`, `unapplied_payment_decided`, `break_decided`, `message_not_applied`, `venture_not_managed`, `recall_not_possible`, `inbound_payment_booked`, `invalid_iban`, `account_not_found`, `account_not_active`, `account_not_empty`, `beneficiary_invalid`, `transfer_not_found`, `transfer_terminal`, `transfer_transition_not_allowed`, `screening_required`, `reservation_required`, `already_reserved`, `already_sent`, `not_sent`, `not_received`, `not_cleared`, `in_suspense`, `account_closed`, `account_frozen`, `client_blocked`, `venture_disabled`, `settled_on_us`, `sent_by_rails`, `decided_by_case`, `limit_exceeded`, `insufficient_funds`, `balance_too_large`, `parent_invalid`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/cases/{case_id}/decisions`
   */
  decide(case_id: string, body: CaseDecision, options?: CallOptions): Promise<Case | Waiting<By, Approval>>
  /**
   * Add a note to a case
   *
   * Also to a case that has been decided. A note can be neither changed nor deleted.
   *
   * May be refused with `case_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/cases/{case_id}/notes`
   */
  addNote(case_id: string, body: NewCaseNote, options?: CallOptions): Promise<CaseNote>
  /**
   * Link two cases
   *
   * Both cases then show the other. A link cannot be removed.
   *
   * May be refused with `case_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/cases/{case_id}/links`
   */
  link(case_id: string, body: NewCaseLink, options?: CallOptions): Promise<CaseLink>
  /**
   * Ask the venture of a case
   *
   * The venture gets the event `case.question` and answers with `POST /questions/{question_id}/answer`. It sees the text and the day, never the case. A text that names a listed person whom the case, or a linked case, is about is refused.
   *
   * May be refused with `case_not_found`, `case_decided`, `question_not_possible`, `question_tips_off`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/cases/{case_id}/questions`
   */
  ask(case_id: string, body: NewQuestion, options?: CallOptions): Promise<CaseQuestion>
  /**
   * Download a file of a case
   *
   * The exact bytes, as a download of the declared type. Each download is in the audit log.
   *
   * May be refused with `case_not_found`, `file_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/cases/{case_id}/files/{case_file_id}`
   */
  getFile(case_id: string, case_file_id: string, options?: CallOptions): Promise<Blob>
  /**
   * Add a file to a case
   *
   * The body is `multipart/form-data` with one part, `file`: a PDF, PNG, JPEG or plain text of at most 10 MiB, whose content is of its type. A file can be neither changed nor deleted.
   *
   * May be refused with `case_not_found`, `file_too_large`, `file_type_invalid`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/cases/{case_id}/files`
   */
  addFile(case_id: string, body: {
    /** The file, with its name and its type: application/pdf, image/png, image/jpeg or text/plain. At most 10 MiB. */
    file?: Blob | undefined
  }, options?: CallOptions): Promise<CaseFile>
}

export type OperatorJobsMethods = {
  /**
   * List jobs, newest first
   *
   * Completed jobs are deleted. A dead job has failed too often and waits for the operator.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/jobs`
   */
  list(query?: ListJobsQuery, options?: CallOptions): Pages<Job>
  /**
   * Get a job
   *
   * A background job, with the error of the last attempt. Completed jobs are deleted.
   *
   * May be refused with `job_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/jobs/{job_id}`
   */
  get(job_id: string, options?: CallOptions): Promise<Job>
  /**
   * Drop a dead job
   *
   * The work is not done. Drop a job only if its work is no longer needed or was done by hand.
   *
   * May be refused with `job_not_found`, `job_not_dead`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `DELETE /api/v1/operator/jobs/{job_id}`
   */
  drop(job_id: string, options?: CallOptions): Promise<void>
  /**
   * Retry a dead job
   *
   * The job gets all its attempts again.
   *
   * May be refused with `job_not_found`, `job_not_dead`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/jobs/{job_id}/retry`
   */
  retry(job_id: string, options?: CallOptions): Promise<Job>
}

export type OperatorRatesMethods<By extends Caller> = {
  /**
   * List current and future exchange rates
   *
   * The bank's exchange rates, which apply to orders of MANAGED ventures.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/rates`
   */
  list(options?: CallOptions): Promise<Rate[]>
  /**
   * Set an exchange rate
   *
   * For one pair of currencies in one direction; the inverse is never derived. If several rates of a pair are valid at the same time, the one that was set last applies. Without `valid_from` the rate is valid at once. With four-eyes approval, setting a rate needs a second person: the response is then an approval, with status 202.
   *
   * May be refused with `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `PUT /api/v1/operator/rates`
   */
  set(body: NewRate, options?: CallOptions): Promise<Rate | Waiting<By, Approval>>
}

export type OperatorParticipationsMethods<By extends Caller> = {
  /**
   * List the participations of the bank
   *
   * For each rail the version in force and those to come, in order.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/participations`
   */
  list(options?: CallOptions): Promise<Participation[]>
  /**
   * Change how the bank takes part in a scheme
   *
   * Absent fields stay as they are. A change is a new version, which builds on the newest one and is in force two minutes later at the earliest; a pack keeps the version by which it was made. With four-eyes approval, a change needs a second person: the response is then an approval, with status 202.
   *
   * May be refused with `participation_invalid`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/participations`
   */
  change(body: ParticipationChange, options?: CallOptions): Promise<Participation | Waiting<By, Approval>>
  /**
   * Suspend a rail
   *
   * At once. New orders for it are refused; nothing more is collected or sealed. Messages that are sealed are delivered, and answers and incoming messages are still applied. A version that is not in force yet is overtaken.
   *
   * May be refused with `rail_ended`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/participations/{rail}/suspend`
   */
  suspendRail(rail: string, options?: CallOptions): Promise<Participation>
  /**
   * Resume a rail
   *
   * Two minutes later, payments leave again. With four-eyes approval, it needs a second person: the response is then an approval, with status 202.
   *
   * May be refused with `participation_invalid`, `rail_ended`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/participations/{rail}/resume`
   */
  resumeRail(rail: string, options?: CallOptions): Promise<Participation | Waiting<By, Approval>>
}

export type OperatorCalendarsMethods<By extends Caller> = {
  /**
   * Get a year of a calendar
   *
   * TARGET, FED and ALWAYS are rules: `closed` then contains every closed day. Of other calendars it is what people entered.
   *
   * May be refused with `calendar_year_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/calendars/{calendar}/{year}`
   */
  getYear(calendar: string, year: string, options?: CallOptions): Promise<CalendarYear>
  /**
   * Enter a year of a calendar
   *
   * Replaces the days of the year. Payments of a rail whose calendar lacks a year wait, and a case tells. With four-eyes approval, it needs a second person: the response is then an approval, with status 202.
   *
   * May be refused with `calendar_is_rule`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `PUT /api/v1/operator/calendars/{calendar}/{year}`
   */
  enterYear(calendar: string, year: string, body: CalendarYearUpdate, options?: CallOptions): Promise<CalendarYear | Waiting<By, Approval>>
}

export type OperatorPacksMethods<By extends Caller> = {
  /**
   * List packs, newest first
   *
   * A pack contains the payments that are sent in one message.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/packs`
   */
  list(query?: ListPacksQuery, options?: CallOptions): Pages<Pack>
  /**
   * Get a pack with its payments
   *
   * The payments that are sent in one message, each with the scheme's answer.
   *
   * May be refused with `pack_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/packs/{pack_id}`
   */
  get(pack_id: string, options?: CallOptions): Promise<PackWithPayments>
  /**
   * Declare that a pack was not sent
   *
   * Only for a pack that is REFUSED, UNKNOWN or INVALID. Its unanswered payments are sent again with the next pack, under a new message id and a higher attempt; they keep their transaction ids, so that the scheme can refuse duplicates. With four-eyes approval, it needs a second person: the response is then an approval, with status 202.
   *
   * May be refused with `pack_not_found`, `pack_state_not_allowed`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/packs/{pack_id}/declare-not-sent`
   */
  declareNotSent(pack_id: string, options?: CallOptions): Promise<Pack | Waiting<By, Approval>>
}

export type OperatorMessagesMethods = {
  /**
   * List sent and received messages, newest first
   *
   * The ISO 20022 messages exchanged with the clearing system, without their content.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/messages`
   */
  list(query?: ListMessagesQuery, options?: CallOptions): Pages<RailMessage>
  /**
   * Get a message
   *
   * The status of the message, and the reason if it was refused. The content is at `/file`.
   *
   * May be refused with `message_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/messages/{message_id}`
   */
  get(message_id: string, options?: CallOptions): Promise<RailMessage>
  /**
   * Download the file of a message
   *
   * The exact bytes of the XML, as they were sent or received.
   *
   * May be refused with `message_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/messages/{message_id}/file`
   */
  getFile(message_id: string, options?: CallOptions): Promise<Blob>
}

export type OperatorRailsMethods<By extends Caller> = {
  /**
   * Get the cut-offs of a rail
   *
   * The times of day at which the collected payments are packed and sent, as decided last.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/rails/{rail}/cycles`
   */
  getCycles(rail: string, options?: CallOptions): Promise<RailCycles>
  /**
   * Set the cut-offs of a rail
   *
   * Replaces all cut-offs, in a new version of the participation that is in force two minutes later. Instant payments leave at once, regardless of cut-offs. With four-eyes approval, a change needs a second person: the response is then an approval, with status 202.
   *
   * May be refused with `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `PUT /api/v1/operator/rails/{rail}/cycles`
   */
  setCycles(rail: string, body: RailCycles, options?: CallOptions): Promise<RailCycles | Waiting<By, Approval>>
  /**
   * Get the reachable banks of a rail
   *
   * An empty list means that the rail reaches all banks.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/rails/{rail}/reachable-banks`
   */
  getReachableBanks(rail: string, options?: CallOptions): Promise<ReachableBanks>
  /**
   * Set the reachable banks of a rail
   *
   * Replaces the list. A payment to a bank that is not on the list becomes INVALID with the code `bank_unreachable`. With four-eyes approval, a change needs a second person: the response is then an approval, with status 202.
   *
   * May be refused with `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `PUT /api/v1/operator/rails/{rail}/reachable-banks`
   */
  setReachableBanks(rail: string, body: ReachableBanks, options?: CallOptions): Promise<ReachableBanks | Waiting<By, Approval>>
}

export type OperatorWatchlistsMethods<By extends Caller> = {
  /**
   * Create a watch list
   *
   * It has no entries until a version is imported, and has no effect until a version is activated.
   *
   * May be refused with `watchlist_name_used`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/watchlists`
   */
  create(body: NewWatchlist, options?: CallOptions): Promise<Watchlist>
  /**
   * List the watch lists
   *
   * The lists of sanctioned and politically exposed persons that payments, clients and beneficiaries are compared with.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/watchlists`
   */
  list(options?: CallOptions): Promise<Watchlist[]>
  /**
   * Get a watch list
   *
   * The list with its active version.
   *
   * May be refused with `watchlist_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/watchlists/{watchlist_id}`
   */
  get(watchlist_id: string, options?: CallOptions): Promise<Watchlist>
  /**
   * Import a version of a watch list
   *
   * The body is `multipart/form-data` with the files of one publication, named as the format requires: `list`, or `sdn`, `alt` and `add` for OFAC. A publication is imported completely or refused. The active version stays in use until the new one is activated.
   *
   * May be refused with `watchlist_not_found`, `watchlist_version_exists`, `watchlist_refused`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/watchlists/{watchlist_id}/versions`
   */
  importVersion(watchlist_id: string, body: {
    /** The whole list, in its format. For every format but OFAC. */
    list?: Blob | undefined
    /** The main file of OFAC, `sdn.csv`. */
    sdn?: Blob | undefined
    /** The aliases of OFAC, `alt.csv`. Optional. */
    alt?: Blob | undefined
    /** The addresses of OFAC, `add.csv`. Optional. */
    add?: Blob | undefined
  }, options?: CallOptions): Promise<WatchlistVersion>
  /**
   * List the versions of a watch list, newest first
   *
   * The imports of the list, with their number of entries and when each was active.
   *
   * May be refused with `watchlist_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/watchlists/{watchlist_id}/versions`
   */
  listVersions(watchlist_id: string, query?: ListWatchlistVersionsQuery, options?: CallOptions): Pages<WatchlistVersion>
  /**
   * Activate a version of a watch list
   *
   * From then on, names are compared with this version. All clients, beneficiaries and unfinished payments are compared with its new and changed entries. A version with at least 20 % fewer entries or names than the active one needs `force`. With four-eyes approval, the activation needs a second person: the response is then an approval, with status 202.
   *
   * May be refused with `watchlist_not_found`, `watchlist_version_not_found`, `watchlist_version_deleted`, `watchlist_shrunk`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/watchlists/{watchlist_id}/versions/{version_id}/activate`
   */
  activateVersion(watchlist_id: string, version_id: string, body: WatchlistActivation, options?: CallOptions): Promise<WatchlistVersion | Waiting<By, Approval>>
}

export type OperatorTrialBalanceMethods = {
  /**
   * Get the trial balance, by venture, account and currency
   *
   * The balances of a venture in one currency sum to zero.
   *
   * May be refused with `query_too_broad`, `too_many_lists`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/trial-balance`
   */
  get(query?: GetTrialBalanceQuery, options?: CallOptions): Promise<TrialBalanceRow[]>
}

export type OperatorTransfersMethods = {
  /**
   * List the transfers of all ventures with a given status, newest first
   *
   * For operators looking for transfers that have stopped, such as those ON_HOLD.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/transfers`
   */
  list(query: ListTransfersOfAllVenturesQuery, options?: CallOptions): Pages<OperatorTransfer>
}

export type OperatorInboundPaymentsMethods<By extends Caller> = {
  /**
   * Report a payment that another bank has sent
   *
   * Finds the account of a managed venture by its IBAN. An active account receives the payment; if the account is not active, the money waits in CREDIT_TECH_BALANCE for a decision; if there is no such account, or it is closed or in another currency, the bank keeps the money as an unapplied payment. A message is booked once: a repetition gets a 409 that names the booking. With four-eyes approval, it waits for a second person: the response is then an approval, with status 202.
   *
   * May be refused with `inbound_payment_booked`, `transfer_method_invalid`, `balance_too_large`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/inbound-payments`
   */
  report(body: InboundPaymentReport, options?: CallOptions): Promise<BookedFact | Waiting<By, Approval>>
  /**
   * List the booked messages, newest first
   *
   * Messages from other banks, each with its booking.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/inbound-payments`
   */
  list(query?: ListInboundPaymentsQuery, options?: CallOptions): Pages<BookedFact>
  /**
   * Get the booking of a message
   *
   * Whether the message became a transfer, an unapplied payment, a break or a collection.
   *
   * May be refused with `inbound_payment_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/inbound-payments/{inbound_payment_id}`
   */
  get(inbound_payment_id: string, options?: CallOptions): Promise<BookedFact>
}

export type OperatorReturnedPaymentsMethods<By extends Caller> = {
  /**
   * Report a returned payment
   *
   * Credits the account that paid, even if it is suspended or its client is blocked. If the account is closed, the bank keeps the money as an unapplied payment of the client. With four-eyes approval, it waits for a second person: the response is then an approval, with status 202.
   *
   * May be refused with `venture_not_found`, `transfer_not_found`, `inbound_payment_booked`, `settled_on_us`, `venture_not_managed`, `parent_invalid`, `balance_too_large`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/returned-payments`
   */
  report(body: ReturnedPaymentReport, options?: CallOptions): Promise<BookedFact | Waiting<By, Approval>>
}

export type OperatorForcedDebitsMethods<By extends Caller> = {
  /**
   * Book a debit that the scheme has already carried out
   *
   * A returned direct debit, a card clearing above its hold, or a chargeback. It needs no funds: the account may go into debt, which later credits reduce. If the account is closed, the bank books a receivable and opens a break. With four-eyes approval, it waits for a second person: the response is then an approval, with status 202.
   *
   * May be refused with `venture_not_found`, `account_not_found`, `inbound_payment_booked`, `venture_not_managed`, `transfer_method_invalid`, `parent_invalid`, `balance_too_large`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/forced-debits`
   */
  create(body: ForcedDebitReport, options?: CallOptions): Promise<BookedFact | Waiting<By, Approval>>
}

export type OperatorPayOutsMethods<By extends Caller> = {
  /**
   * Pay the balance of a suspended account out to the client's own account elsewhere
   *
   * Neither a block of the client nor limits stop it. What was frozen for sanctions is never paid out. With four-eyes approval, it waits for a second person: the response is then an approval, with status 202.
   *
   * May be refused with `account_not_found`, `account_not_suspended`, `beneficiary_not_found`, `beneficiary_invalid`, `client_sanctioned`, `venture_not_found`, `venture_not_managed`, `insufficient_funds`, `transfer_method_invalid`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/pay-outs`
   */
  create(body: BlockedClientPayoutOrder, options?: CallOptions): Promise<Transfer | Waiting<By, Approval>>
}

export type OperatorUnappliedPaymentsMethods = {
  /**
   * List unapplied payments, newest first
   *
   * Money that has arrived for no open account. Each open unapplied payment has a case in which the bank decides.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/unapplied-payments`
   */
  list(query?: ListUnappliedPaymentsQuery, options?: CallOptions): Pages<UnappliedPayment>
  /**
   * Get an unapplied payment
   *
   * The known details of the payer, and the bank's decision.
   *
   * May be refused with `unapplied_payment_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/unapplied-payments/{unapplied_payment_id}`
   */
  get(unapplied_payment_id: string, options?: CallOptions): Promise<UnappliedPayment>
}

export type OperatorBreaksMethods = {
  /**
   * List breaks, newest first
   *
   * Differences with clients or with the statements of a nostro. Each open break has a case.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/breaks`
   */
  list(query?: ListBreaksQuery, options?: CallOptions): Pages<Break>
  /**
   * Get a break
   *
   * The difference that was found, and the bank's decision.
   *
   * May be refused with `break_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/breaks/{break_id}`
   */
  get(break_id: string, options?: CallOptions): Promise<Break>
}

export type OperatorNostrosMethods<By extends Caller> = {
  /**
   * Add an account of the bank's own at a settlement bank
   *
   * Each rail settles a currency on one nostro. The opening balance of the first statement must equal `prefunding`. A nostro never changes. With four-eyes approval, it needs a second person: the response is then an approval, with status 202.
   *
   * May be refused with `nostro_exists`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/nostros`
   */
  create(body: NewNostro, options?: CallOptions): Promise<Nostro | Waiting<By, Approval>>
  /**
   * List the nostros, newest first
   *
   * The bank's accounts at settlement banks, with their last known balances.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/nostros`
   */
  list(query?: ListNostrosQuery, options?: CallOptions): Pages<Nostro>
  /**
   * Get a nostro
   *
   * The nostro with its last known balance and its open breaks.
   *
   * May be refused with `nostro_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/nostros/{nostro_id}`
   */
  get(nostro_id: string, options?: CallOptions): Promise<Nostro>
  /**
   * List the applied statements of a nostro, newest first
   *
   * The statements (camt.053) that were complete and followed on from the previous one.
   *
   * May be refused with `nostro_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/nostros/{nostro_id}/statements`
   */
  listStatements(nostro_id: string, query?: ListNostroStatementsQuery, options?: CallOptions): Pages<NostroStatement>
  /**
   * List the entries of a nostro, newest first
   *
   * A batch entry appears once for each payment, if the settlement bank lists them.
   *
   * May be refused with `nostro_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/nostros/{nostro_id}/entries`
   */
  listEntries(nostro_id: string, query?: ListNostroEntriesQuery, options?: CallOptions): Pages<NostroEntry>
  /**
   * Compare a statement of a nostro with the books
   *
   * closing = prefunding - settlement - in_transit + breaks, with the books as they are now.
   *
   * May be refused with `nostro_not_found`, `nostro_statement_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/nostros/{nostro_id}/reconciliation`
   */
  getReconciliation(nostro_id: string, query?: GetReconciliationQuery, options?: CallOptions): Promise<Reconciliation>
}

export type OperatorEndOfDayMethods = {
  /**
   * End a day and look for payments missing on the statements
   *
   * Every booked payment that was due to settle by this day and is on no statement becomes a break. The service does the same automatically before it applies the next statement, and when the day is over.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/end-of-day`
   */
  run(body: EndOfDayOrder, options?: CallOptions): Promise<EndedDay[]>
}

export type OperatorRequestsMethods = {
  /**
   * List the requests of all ventures, newest first
   *
   * Requests to the API are kept for seven days if the log is on (`REQUEST_LOG`); while it is off, a list that would be empty is refused. They appear a moment after their response. The log contains neither paths nor queries, bodies or addresses. Requests without a valid key, and those of the bank's own people, appear only in this list.
   *
   * May be refused with `request_log_off`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/requests`
   */
  listOfAllVentures(query?: ListRequestsOfAllVenturesQuery, options?: CallOptions): Pages<OperatorLoggedRequest>
  /**
   * Get a request of any venture from the log
   *
   * By the id of the entry, not by the `request_id` that the caller may have chosen.
   *
   * May be refused with `request_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/requests/{logged_request_id}`
   */
  getOfAnyVenture(logged_request_id: string, options?: CallOptions): Promise<OperatorLoggedRequest>
}

export type OperatorVerificationsMethods = {
  /**
   * Verify the whole database
   *
   * Starts a run that checks all invariants of the books, as `npm run verify` does, while the service keeps running. It takes seconds to minutes: poll the run until its `status` is no longer RUNNING. Only one run takes place at a time.
   *
   * May be refused with `verification_running`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/operator/verifications`
   */
  start(options?: CallOptions): Promise<VerificationRun>
  /**
   * List the verification runs, newest first
   *
   * Runs that were started here or with `npm run verify`. Each checks all invariants of the books. `broken` must be empty.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/operator/verifications`
   */
  list(query?: ListVerificationRunsQuery, options?: CallOptions): Pages<VerificationRun>
  /**
   * Get a verification run
   *
   * The progress of the run, and once it is DONE the findings, with some of the rows that break an invariant.
   *
   * May be refused with `verification_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/verifications/{verification_id}`
   */
  get(verification_id: string, options?: CallOptions): Promise<VerificationReport>
}

export type OperatorSealsMethods = {
  /**
   * Get the latest seal
   *
   * Entries, moves, events, audit entries, policies, screenings and messages are sealed once a minute. Publish the root where nobody at the bank can change it: from then on, no sealed row can be changed unnoticed, not even by rewriting all seals.
   *
   * May be refused with `route_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/seals/latest`
   */
  getLatest(options?: CallOptions): Promise<Seal>
}

export type OperatorFindMethods = {
  /**
   * Find resources of any venture by a pasted text
   *
   * Takes an id, a reference, an email or an IBAN, or the beginning of the name of a venture. Returns at most ten results.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/find`
   */
  search(query: FindInAllVenturesQuery, options?: CallOptions): Promise<FoundAnywhere[]>
}

export type OperatorHealthMethods = {
  /**
   * Get the health of the service
   *
   * Requests and their latency, connections, deliveries, jobs and the request log, from the metrics of all instances on the answering machine; and what a bank outside the sandbox still lacks. For a monitoring system, `GET /metrics` has all metrics.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/operator/health`
   */
  get(options?: CallOptions): Promise<OperatorHealth>
}

export type OperatorMethods<By extends Caller> = {
  readonly keys: OperatorKeysMethods<By>
  readonly users: OperatorUsersMethods<By>
  readonly adminKey: OperatorAdminKeyMethods
  readonly invitations: OperatorInvitationsMethods
  readonly pairs: OperatorPairsMethods
  readonly auditLog: OperatorAuditLogMethods
  readonly approvals: OperatorApprovalsMethods
  readonly cases: OperatorCasesMethods<By>
  readonly jobs: OperatorJobsMethods
  readonly rates: OperatorRatesMethods<By>
  readonly participations: OperatorParticipationsMethods<By>
  readonly calendars: OperatorCalendarsMethods<By>
  readonly packs: OperatorPacksMethods<By>
  readonly messages: OperatorMessagesMethods
  readonly rails: OperatorRailsMethods<By>
  readonly watchlists: OperatorWatchlistsMethods<By>
  readonly trialBalance: OperatorTrialBalanceMethods
  readonly transfers: OperatorTransfersMethods
  readonly inboundPayments: OperatorInboundPaymentsMethods<By>
  readonly returnedPayments: OperatorReturnedPaymentsMethods<By>
  readonly forcedDebits: OperatorForcedDebitsMethods<By>
  readonly payOuts: OperatorPayOutsMethods<By>
  readonly unappliedPayments: OperatorUnappliedPaymentsMethods
  readonly breaks: OperatorBreaksMethods
  readonly nostros: OperatorNostrosMethods<By>
  readonly endOfDay: OperatorEndOfDayMethods
  readonly requests: OperatorRequestsMethods
  readonly verifications: OperatorVerificationsMethods
  readonly seals: OperatorSealsMethods
  readonly find: OperatorFindMethods
  readonly health: OperatorHealthMethods
}

export type QuestionsMethods = {
  /**
   * List the questions of the bank, newest first
   *
   * The event `case.question` reports a new one.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/questions`
   */
  list(query?: ListQuestionsQuery, options?: CallOptions): Pages<Question>
  /**
   * Get a question of the bank
   *
   * The question, with its answer if there is one.
   *
   * May be refused with `question_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/questions/{question_id}`
   */
  get(question_id: string, options?: CallOptions): Promise<Question>
  /**
   * Answer a question of the bank
   *
   * A question is answered once, for good. Send files first, with `POST /questions/{question_id}/files`.
   *
   * May be refused with `question_not_found`, `question_answered`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/questions/{question_id}/answer`
   */
  answer(question_id: string, body: QuestionAnswer, options?: CallOptions): Promise<Question>
  /**
   * Send a file for an answer
   *
   * The body is `multipart/form-data` with one part, `file`: a PDF, PNG, JPEG or plain text of at most 10 MiB, whose content is of its type. At most 20 files, before the question is answered.
   *
   * May be refused with `question_not_found`, `question_answered`, `too_many_files`, `file_too_large`, `file_type_invalid`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/questions/{question_id}/files`
   */
  addFile(question_id: string, body: {
    /** The file, with its name and its type: application/pdf, image/png, image/jpeg or text/plain. At most 10 MiB. */
    file?: Blob | undefined
  }, options?: CallOptions): Promise<QuestionFile>
}

export type SchemesMethods = {
  /**
   * List the schemes over which the bank sends and collects
   *
   * What each carries, when the next payments leave, when they settle, and what a payee needs.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/schemes`
   */
  list(options?: CallOptions): Promise<Scheme[]>
}

export type TransfersMethods<By extends Caller> = {
  /**
   * Recall a transfer
   *
   * Asks the payee's bank to return a payment that was sent over SEPA, for a venture whose transfers the bank processes. The recall has its own status, which the answer of the other bank changes; the transfer stays as it is. If the other bank agrees, the money comes back as a return. A payment has at most one open recall.
   *
   * May be refused with `transfer_not_found`, `recall_not_possible`, `recall_pending`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/transfers/{transfer_id}/recalls`
   */
  recall(transfer_id: string, body: RecallRequest, options?: CallOptions): Promise<Recall>
  /**
   * List the recalls of a transfer
   *
   * The recalls of a transfer by the bank and by other banks, oldest first.
   *
   * May be refused with `transfer_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/transfers/{transfer_id}/recalls`
   */
  listRecalls(transfer_id: string, options?: CallOptions): Promise<Recall[]>
  /**
   * Simulate an order
   *
   * Takes the body of a create and returns what would happen now, without storing anything: the derived transfer with its rate, fee and settlement date, how far it would get, what would stop it, and the remaining limits and funds. The status is 200 even if the order would be refused; `refusal` then gives the reason.
   *
   * May be refused with `account_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/transfers/dry-run`
   */
  dryRun(body: TransferOrder, options?: CallOptions): Promise<TransferDryRun>
  /**
   * Create a transfer
   *
   * An outbound transfer needs an account, a `unique_reference`, a beneficiary and an amount; everything else is derived. A given `method` must fit the type, the currencies, the amount and the beneficiary; without one, a fitting method is chosen. A return, reversal or cancellation uses the method of its parent and goes back to the debtor of its parent. Funds are checked when they are reserved, that is, when the transfer moves to RESERVED. With four-eyes approval, two people of the bank place an order that is reserved to the bank: the response to the first is then an approval, with status 202, whose `resource_id` becomes the id of the transfer.
   *
   * May be refused with `account_not_found`, `account_not_active`, `client_blocked`, `unique_reference_used`, `beneficiary_required`, `beneficiary_invalid`, `beneficiary_mismatch`, `receiver_not_active`, `transfer_method_invalid`, `method_not_available`, `rail_suspended`, `mandate_invalid`, `mandate_not_active`, `rate_missing`, `exchange_not_today`, `limit_exceeded`, `instant_not_possible`, `invalid_iban`, `payee_check_required`, `payee_check_not_accepted`, `amount_mismatch`, `currency_mismatch`, `parent_invalid`, `insufficient_funds`, `balance_too_large`, `reserved_to_bank`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/transfers`
   */
  create(body: TransferOrder, options?: CallOptions): Promise<Transfer | Waiting<By, Approval>>
  /**
   * List transfers, newest first
   *
   * `search` looks in `unique_reference`, `purpose`, `cr_name` and `dr_name`, and finds a whole end-to-end id, UETR or `transaction_id`; `currency` matches either side.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/transfers`
   */
  list(query?: ListTransfersQuery, options?: CallOptions): Pages<Transfer>
  /**
   * Get a transfer
   *
   * The transfer as it is now. Instead of polling, use webhooks.
   *
   * May be refused with `transfer_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/transfers/{transfer_id}`
   */
  get(transfer_id: string, options?: CallOptions): Promise<Transfer>
  /**
   * Update a transfer
   *
   * Moves the transfer to another status, records information about it, or both. Only moves that `transitions` shows as allowed are possible; a terminal status cannot change. Absent fields stay as they are; null clears a field. `signed_at` is set when the transfer becomes SIGNED, unless it is given, and may be at most five minutes in the future. With four-eyes approval, two people of the bank make a change that none of them may make alone: the response to the first is then an approval, with status 202.
   *
   * May be refused with `transfer_not_found`, `transfer_terminal`, `transfer_transition_not_allowed`, `screening_required`, `reservation_required`, `already_reserved`, `already_sent`, `not_sent`, `not_received`, `not_cleared`, `in_suspense`, `account_closed`, `account_frozen`, `client_blocked`, `venture_disabled`, `settled_on_us`, `sent_by_rails`, `decided_by_case`, `limit_exceeded`, `insufficient_funds`, `balance_too_large`, `parent_invalid`, `reserved_to_bank`, `not_yours_to_sign`, `signer_not_allowed`, `signature_mismatch`, `signature_not_requested`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `PUT /api/v1/transfers/{transfer_id}`
   */
  update(transfer_id: string, body: TransferUpdate, options?: CallOptions): Promise<Transfer | Waiting<By, Approval>>
  /**
   * List the possible next statuses of a transfer, and what blocks them
   *
   * Every possible next status, whether the move is allowed now, and if not, the code of the obstacle.
   *
   * May be refused with `transfer_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/transfers/{transfer_id}/transitions`
   */
  listTransitions(transfer_id: string, options?: CallOptions): Promise<TransferTransition[]>
  /**
   * List the status changes of a transfer, oldest first
   *
   * All status changes since the creation, with who made them and why.
   *
   * May be refused with `transfer_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/transfers/{transfer_id}/history`
   */
  listHistory(transfer_id: string, options?: CallOptions): Promise<TransferMove[]>
  /**
   * List the ledger entries of a transfer, oldest first
   *
   * The entries of the transfer on client accounts and on the venture's internal accounts. A transfer that has not moved money yet has none: a hold is not an entry.
   *
   * May be refused with `transfer_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/transfers/{transfer_id}/entries`
   */
  listEntries(transfer_id: string, options?: CallOptions): Promise<TransferEntry[]>
  /**
   * Create many transfers
   *
   * Takes up to 1,000 orders in a body of up to 2 MiB. Each is checked like a single create, one after the other: an order counts towards the limits for the next one, and the second of two orders with the same `unique_reference` is refused. Unless `atomic` is false, one refused order means that all are refused, with `bulk_refused`, which lists each refused order with its `index` and its `problem`. With `atomic` false, the status is 200 even if orders were refused; their results say why. With four-eyes approval, people of the bank order payments of a MANAGED venture one at a time, with single creates. An `Idempotency-Key` covers the whole request; a repetition must have the same body, byte for byte.
   *
   * May be refused with `bulk_refused`, `approval_required`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/transfers/bulk`
   */
  createMany(body: TransferBulk, options?: CallOptions): Promise<TransferBulkResult>
}

export type EventsMethods = {
  /**
   * List events, newest first, or follow them, oldest first
   *
   * To follow events, start with `since=start` and continue with `since=<id of the last event>`: no event is missed or repeated. An event becomes visible to followers when every transaction that began before its own has ended, which is usually at once. To follow only new events, call once with `since=now` and continue after the event in the response, or with `since=start` if there is none.
   *
   * May be refused with `event_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/events`
   */
  list(query?: ListEventsQuery, options?: CallOptions): Pages<VostroEvent>
  /**
   * Get an event
   *
   * The event as it was delivered, with the resource as it was at that time.
   *
   * May be refused with `event_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/events/{event_id}`
   */
  get(event_id: string, options?: CallOptions): Promise<VostroEvent>
  /**
   * Resend an event to followers
   *
   * Clients that follow resends, such as `vostro listen`, process the event again. Webhook endpoints do not receive it: to repeat a delivery to one of them, use `redeliver`, which is also a resend.
   *
   * May be refused with `event_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/events/{event_id}/resend`
   */
  resend(event_id: string, options?: CallOptions): Promise<EventResend>
  /**
   * List resends of events, newest first, or follow them, oldest first
   *
   * Followers of events get each event once. To learn which events to process again, start with `since_number=0` and continue with the `number` of the last resend: no resend is missed or repeated.
   *
   * May be refused with `query_too_broad`, `too_many_lists`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/events/resends`
   */
  listResends(query?: ListEventResendsQuery, options?: CallOptions): Pages<EventResend>
}

export type ClientsMethods<By extends Caller> = {
  /**
   * Register an individual client
   *
   * Creates the client and its person profile, and starts KYC. With four-eyes approval, two people of the bank register a client of a MANAGED venture who needs no verification: the response to the first is then an approval, with status 202.
   *
   * May be refused with `email_used`, `client_underage`, `reserved_to_bank`, `resource_changed`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/clients/person`
   */
  registerPerson(body: PersonRegistration, options?: CallOptions): Promise<Client | Waiting<By, Approval>>
  /**
   * List clients, newest first
   *
   * `search` looks in the names, the email and the external client code.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/clients`
   */
  list(query?: ListClientsQuery, options?: CallOptions): Pages<Client>
  /**
   * Get a client
   *
   * The client with its verification status.
   *
   * May be refused with `client_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/clients/{client_id}`
   */
  get(client_id: string, options?: CallOptions): Promise<Client>
  /**
   * Update a client
   *
   * Absent fields stay as they are; null clears an optional field. Identity fields may be sent with their current values, but not changed. With four-eyes approval, two people unblock a client whom the bank blocked or blacklisted, or lower `risk_level`: the response is then an approval, with status 202.
   *
   * May be refused with `client_not_found`, `email_used`, `identity_field_immutable`, `reserved_to_bank`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `PUT /api/v1/clients/{client_id}`
   */
  update(client_id: string, body: ClientUpdate, options?: CallOptions): Promise<Client | Waiting<By, Approval>>
  /**
   * Submit onboarding details
   *
   * Starts the verification. Possible only once per client. `kyc_application_id` and `kyc_link` are set as soon as the verifier has opened the application: read the details again, or wait for the event `onboarding.updated`.
   *
   * May be refused with `client_not_found`, `onboarding_exists`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/clients/{client_id}/onboarding/details`
   */
  submitOnboardingDetails(client_id: string, body: OnboardingSubmission, options?: CallOptions): Promise<OnboardingDetails>
  /**
   * Get onboarding details
   *
   * The client's declarations, with the link to the verifier. The link is null until the service has opened the application, moments after the submission.
   *
   * May be refused with `client_not_found`, `onboarding_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/clients/{client_id}/onboarding/details`
   */
  getOnboardingDetails(client_id: string, options?: CallOptions): Promise<OnboardingDetails>
  /**
   * List the verification history of a client, oldest first
   *
   * Every verification status since the registration, with who set it, when, and why. The verifier's own messages are not shown.
   *
   * May be refused with `client_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/clients/{client_id}/kyc-history`
   */
  listKycHistory(client_id: string, options?: CallOptions): Promise<KycMove[]>
  /**
   * Export all data about a client
   *
   * One ZIP archive with a JSON file for each kind of row: the client, the verification, accounts and their entries, payments and their history, beneficiaries, events, and more. All files show the same moment. `about.json`, the last file, describes the others. A venture gets the data that it may see; people of the bank also get screenings, cases, the audit log, and messages from other banks.
   *
   * May be refused with `client_not_found`, `too_many_lists`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/clients/{client_id}/export`
   */
  export(client_id: string, options?: CallOptions): Promise<Blob>
}

export type KycMethods = {
  /**
   * Receive a signed verification event
   *
   * The body is the signed envelope, or one JSON string that contains it. It is verified byte for byte against the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`, as defined by Standard Webhooks. A repeated event gets the same response; an event with the id of a recorded one but other content is refused and kept for the operator.
   *
   * May be refused with `invalid_signature`, `kyc_event_conflict`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `venture_not_found`, `outcome_unknown`.
   *
   * `POST /api/v1/kyc/webhook`
   */
  receiveEvent(body: VerificationEvent, options?: CallOptions): Promise<KycEvent>
  /**
   * List verification events that match no client, newest first
   *
   * They name a client or an application that the service does not know. Check whether the verifier is configured for another service.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/kyc/unmatched-events`
   */
  listUnmatchedEvents(query?: ListUnmatchedKycEventsQuery, options?: CallOptions): Promise<UnmatchedEvent[]>
  /**
   * List verification events that reuse the id of a recorded event with other content, newest first
   *
   * A working verifier never sends two different events with the same id. Check whether its secret has leaked.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `query_too_broad`, `too_many_lists`.
   *
   * `GET /api/v1/kyc/conflicting-events`
   */
  listConflictingEvents(query?: ListConflictingKycEventsQuery, options?: CallOptions): Promise<ConflictingEvent[]>
}

export type BeneficiariesMethods<By extends Caller> = {
  /**
   * Create a beneficiary
   *
   * Takes an IBAN, an account number, or both. Identifiers are stored in upper case. With four-eyes approval, two people of the bank create one in a MANAGED venture: the response to the first is then an approval, with status 202.
   *
   * May be refused with `client_not_found`, `beneficiary_needs_account`, `invalid_iban`, `invalid_bic`, `invalid_routing_number`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/beneficiaries`
   */
  create(body: NewBeneficiary, options?: CallOptions): Promise<Beneficiary | Waiting<By, Approval>>
  /**
   * List beneficiaries, newest first
   *
   * `search` looks in the name, the IBAN, the account number and the bank name.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/beneficiaries`
   */
  list(query?: ListBeneficiariesQuery, options?: CallOptions): Pages<Beneficiary>
  /**
   * Get a beneficiary
   *
   * The beneficiary with its bank details.
   *
   * May be refused with `beneficiary_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/beneficiaries/{beneficiary_id}`
   */
  get(beneficiary_id: string, options?: CallOptions): Promise<Beneficiary>
  /**
   * Show or hide a beneficiary
   *
   * Nothing else can be changed. For another bank account, create another beneficiary. With four-eyes approval, two people of the bank do it in a MANAGED venture: the response to the first is then an approval, with status 202.
   *
   * May be refused with `beneficiary_not_found`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `PUT /api/v1/beneficiaries/{beneficiary_id}`
   */
  update(beneficiary_id: string, body: BeneficiaryUpdate, options?: CallOptions): Promise<Beneficiary | Waiting<By, Approval>>
}

export type AccountsMethods<By extends Caller> = {
  /**
   * Create an account
   *
   * The account is PENDING and can transact once it is activated. The bank assigns its number, an IBAN.
   *
   * May be refused with `client_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/accounts`
   */
  create(body: NewAccount, options?: CallOptions): Promise<Account>
  /**
   * List accounts, newest first
   *
   * `search` looks in the name, the number and the external id.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/accounts`
   */
  list(query?: ListAccountsQuery, options?: CallOptions): Pages<Account>
  /**
   * Get an account
   *
   * The account with its current balances.
   *
   * May be refused with `account_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/accounts/{account_id}`
   */
  get(account_id: string, options?: CallOptions): Promise<Account>
  /**
   * Update an account
   *
   * Changes the name, the description and the limits. Absent fields stay as they are; null clears the description or a limit. The status is changed with the activate, freeze and close actions. With four-eyes approval, two people of the bank raise a limit in a MANAGED venture: the response to the first is then an approval, with status 202.
   *
   * May be refused with `account_not_found`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `PUT /api/v1/accounts/{account_id}`
   */
  update(account_id: string, body: AccountUpdate, options?: CallOptions): Promise<Account | Waiting<By, Approval>>
  /**
   * Get a QR code for receiving money
   *
   * A payer scans it with a banking app, which fills in a SEPA credit transfer to the account (EPC069-12, version 002). The account must be ACTIVE and in EUR.
   *
   * May be refused with `account_not_found`, `epc_qr_not_possible`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/accounts/{account_id}/epc-qr`
   */
  getEpcQr(account_id: string, query?: GetEpcQrQuery, options?: CallOptions): Promise<Blob>
  /**
   * Activate an account
   *
   * From PENDING or SUSPENDED. The client must be verified, unless no verification is required, and neither blocked nor blacklisted. With four-eyes approval, two people activate an account that the bank froze: the response is then an approval, with status 202.
   *
   * May be refused with `account_not_found`, `account_transition_not_allowed`, `compliance_pending`, `reserved_to_bank`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/accounts/{account_id}/activate`
   */
  activate(account_id: string, options?: CallOptions): Promise<Account | Waiting<By, Approval>>
  /**
   * Freeze (suspend) an account
   *
   * From ACTIVE. New transfers are refused. If the bank freezes it, unsent transfers are put ON_HOLD; transfers that were already sent still settle.
   *
   * May be refused with `account_not_found`, `account_transition_not_allowed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/accounts/{account_id}/freeze`
   */
  freeze(account_id: string, options?: CallOptions): Promise<Account>
  /**
   * Close an account
   *
   * From ACTIVE or SUSPENDED, if the current and the reserved balance are zero. A closed account cannot be reopened. With four-eyes approval, two people close an account that the bank froze: the response is then an approval, with status 202.
   *
   * May be refused with `account_not_found`, `account_transition_not_allowed`, `account_not_empty`, `reserved_to_bank`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/accounts/{account_id}/close`
   */
  close(account_id: string, options?: CallOptions): Promise<Account | Waiting<By, Approval>>
  /**
   * List the ledger entries of an account, newest first
   *
   * Each entry contains the balance after it.
   *
   * May be refused with `account_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/accounts/{account_id}/entries`
   */
  listEntries(account_id: string, query?: ListEntriesQuery, options?: CallOptions): Pages<AccountEntry>
  /**
   * List the transfers of an account, newest first
   *
   * Takes the same filters as the list of all transfers.
   *
   * May be refused with `account_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/accounts/{account_id}/transfers`
   */
  listTransfers(account_id: string, query?: ListAccountTransfersQuery, options?: CallOptions): Pages<Transfer>
  /**
   * Get a statement of an account
   *
   * The opening balance, every line with its counterparty, reference and balance, and the closing balance. `format` chooses JSON, CSV, PDF or camt.053. Statements of consecutive intervals join: the closing balance of one is the opening balance of the next. A statement has at most 50,000 lines, a PDF 2,000, a camt.053 2,000.
   *
   * May be refused with `account_not_found`, `statement_too_long`, `query_too_broad`, `too_many_lists`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/accounts/{account_id}/statements`
   */
  getStatement(account_id: string, query: GetStatementQuery & { format?: 'json' | undefined }, options?: CallOptions): Promise<Statement>
  getStatement(account_id: string, query: GetStatementQuery & { format: 'csv' | 'pdf' | 'camt053' }, options?: CallOptions): Promise<Blob>
  /**
   * List the balances of an account over time
   *
   * For charts: one object for each day, week or month from `from` to `to`, at most 1,000. Future days are left out.
   *
   * May be refused with `account_not_found`, `query_too_broad`, `too_many_lists`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/accounts/{account_id}/balances`
   */
  listBalances(account_id: string, query: ListBalancesQuery, options?: CallOptions): Promise<BalanceStep[]>
}

export type PayeeVerificationsMethods = {
  /**
   * Verify the holder of an account
   *
   * Asks the bank of the account to compare the name with that of the account holder. If the policy of the venture requires it, a transfer needs a result for its `cr_name` and `cr_iban` that is at most 24 hours old: MATCH, NOT_POSSIBLE, or another one that the payer has accepted with `payee_check_accepted`. The `id_result` of an organisation decides nothing about a transfer.
   *
   * May be refused with `invalid_iban`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/payee-verifications`
   */
  create(body: PayeeQuestion, options?: CallOptions): Promise<PayeeVerification>
  /**
   * Get the verification of a payee
   *
   * The stored answer. The other bank is not asked again.
   *
   * May be refused with `payee_verification_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/payee-verifications/{payee_verification_id}`
   */
  get(payee_verification_id: string, options?: CallOptions): Promise<PayeeVerification>
}

export type VopMethods = {
  /**
   * Answer another bank that verifies a payee
   *
   * For the connector that receives requests from other banks. Covers the accounts of managed ventures; the response contains the holder's name only if it is close to the name in the request. Nothing is stored.
   *
   * May be refused with `invalid_iban`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/vop/requests`
   */
  answer(body: PayeeRequest, options?: CallOptions): Promise<PayeeAnswer>
}

export type MandatesMethods<By extends Caller> = {
  /**
   * Register a mandate
   *
   * A mandate is the signed permission of a debtor to collect money by SEPA direct debit for an account. A transfer with its `mandate_id` collects money. A mandate expires after 36 months without use. With four-eyes approval, two people of the bank register one in a MANAGED venture: the response to the first is then an approval, with status 202.
   *
   * May be refused with `account_not_found`, `mandate_exists`, `invalid_iban`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/mandates`
   */
  create(body: NewMandate, options?: CallOptions): Promise<Mandate | Waiting<By, Approval>>
  /**
   * List mandates, newest first
   *
   * The mandates that debtors have signed for the accounts of the venture.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/mandates`
   */
  list(query?: ListMandatesQuery, options?: CallOptions): Pages<Mandate>
  /**
   * Get a mandate
   *
   * The mandate with its current status.
   *
   * May be refused with `mandate_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/mandates/{mandate_id}`
   */
  get(mandate_id: string, options?: CallOptions): Promise<Mandate>
  /**
   * Cancel a mandate
   *
   * From ACTIVE, permanently. It allows no further collections; those already sent are not recalled.
   *
   * May be refused with `mandate_not_found`, `mandate_not_active`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/mandates/{mandate_id}/cancel`
   */
  cancel(mandate_id: string, options?: CallOptions): Promise<Mandate>
}

export type TransferFlowsMethods = {
  /**
   * List the flows of transfers
   *
   * The state machines of transfers: the statuses and the moves of each flow, and the transfers that follow it. They are the same for all ventures and change only with the version of the service. The transitions of a transfer show which moves are possible now.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/transfer-flows`
   */
  list(options?: CallOptions): Promise<TransferFlow[]>
}

export type PaymentsMethods<By extends Caller> = {
  /**
   * Create a card payment
   *
   * Send the payer to `form_url`. It is null if the card gateway does not respond; the payment is then PENDING, and `form_url` is set as soon as the gateway has registered the order.
   *
   * May be refused with `gateway_missing`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/payments`
   */
  create(body: PaymentOrder, options?: CallOptions): Promise<Payment>
  /**
   * List payments, newest first
   *
   * All card payments of the venture, created by its server or through a payment link.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/payments`
   */
  list(query?: ListPaymentsQuery, options?: CallOptions): Pages<Payment>
  /**
   * Get a payment
   *
   * The payment as it is now. Reading a PENDING payment does not refresh it: the service polls the gateway on its own.
   *
   * May be refused with `payment_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/payments/{payment_id}`
   */
  get(payment_id: string, options?: CallOptions): Promise<Payment>
  /**
   * Cancel a payment
   *
   * An unpaid payment can no longer be paid; a paid payment is reversed, provided that no part of it was refunded. The card gateway decides: if the payment was paid in the meantime, the response is 409. With four-eyes approval, two people of the bank cancel a paid payment of a MANAGED venture: the response to the first is then an approval, with status 202.
   *
   * May be refused with `payment_not_found`, `payment_transition_not_allowed`, `gateway_missing`, `payable_insufficient`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/payments/{payment_id}/cancel`
   */
  cancel(payment_id: string, options?: CallOptions): Promise<Payment | Waiting<By, Approval>>
  /**
   * Refund a payment
   *
   * Refunds `amount`, or the whole remaining amount. Repeating the request with the same `external_refund_id`, or again for the whole remaining amount, does not refund the money twice. While the card gateway does not respond, the response is 503 `outcome_unknown` and the refund continues in the background. With four-eyes approval, two people of the bank refund a payment of a MANAGED venture: the response to the first is then an approval, with status 202.
   *
   * May be refused with `payment_not_found`, `payment_transition_not_allowed`, `refund_exceeds_payment`, `refund_exists`, `refund_refused`, `payable_insufficient`, `gateway_missing`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/payments/{payment_id}/refund`
   */
  refund(payment_id: string, body: RefundOrder, options?: CallOptions): Promise<Payment | Waiting<By, Approval>>
  /**
   * Return from the card gateway
   *
   * Asks the card gateway for the status of the payment and redirects the payer to `success_url` or `fail_url`, with `payment_id` and `status` added. Other parameters of the URL are ignored.
   *
   * May be refused with `payment_not_found`, `invalid_request`.
   *
   * `GET /api/v1/payments/{payment_id}/return`
   */
  returnAddress(payment_id: string, options?: CallOptions): Promise<string>
}

export type PaymentLinksMethods = {
  /**
   * Create a payment link
   *
   * Give its `url` to the payer: a page in French, English or Arabic that asks only for the details you want and leads to the card form. Append `/qr.svg` to `url` for a QR code.
   *
   * May be refused with `gateway_missing`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/payment-links`
   */
  create(body: NewPaymentLink, options?: CallOptions): Promise<PaymentLink>
  /**
   * List payment links, newest first
   *
   * Each link with the number of its uses.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/payment-links`
   */
  list(query?: ListPaymentLinksQuery, options?: CallOptions): Pages<PaymentLink>
  /**
   * Get a payment link
   *
   * The link with the number of its uses.
   *
   * May be refused with `payment_link_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/payment-links/{link_id}`
   */
  get(link_id: string, options?: CallOptions): Promise<PaymentLink>
  /**
   * Update a payment link
   *
   * Payments that were already started can still be paid. For another amount, create another link.
   *
   * May be refused with `payment_link_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `PUT /api/v1/payment-links/{link_id}`
   */
  update(link_id: string, body: PaymentLinkUpdate, options?: CallOptions): Promise<PaymentLink>
}

export type BalanceMethods = {
  /**
   * Get the balance of your card money
   *
   * The proceeds of card payments by currency: the amount payable to you, and the amount already paid out.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/balance`
   */
  get(options?: CallOptions): Promise<CardBalance>
}

export type PayoutSettingsMethods<By extends Caller> = {
  /**
   * Get your payout settings
   *
   * The account to which card money is paid out every day.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/payout-settings`
   */
  get(options?: CallOptions): Promise<PayoutSettings>
  /**
   * Set the account for your card money
   *
   * The account must be ACTIVE. Card money in its currency is paid out to it once a day and by `POST /payouts`; money in other currencies stays payable. `null` stops payouts. With four-eyes approval, two people of the bank set the account of a MANAGED venture: the response to the first is then an approval, with status 202.
   *
   * May be refused with `account_not_found`, `account_not_active`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `PUT /api/v1/payout-settings`
   */
  update(body: PayoutSettingsUpdate, options?: CallOptions): Promise<PayoutSettings | Waiting<By, Approval>>
}

export type PayoutsMethods<By extends Caller> = {
  /**
   * Pay out card money
   *
   * Moves all card money that is available in the currency of your payout account to that account, with a completed transfer (INBOUND, CARD, PAYMENT). The bank's fee is deducted. With four-eyes approval, two people of the bank do it for a MANAGED venture: the response to the first is then an approval, with status 202.
   *
   * May be refused with `payout_account_missing`, `nothing_to_pay_out`, `payout_changed`, `account_not_found`, `account_not_active`, `balance_too_large`, `approval_pending`, `too_many_requests_open`, `person_needed`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `key_seen_by_bank`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/payouts`
   */
  create(body: PayoutOrder, options?: CallOptions): Promise<Payout | Waiting<By, Approval>>
  /**
   * List payouts, newest first
   *
   * Card money that was paid out to the venture or recovered from it.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/payouts`
   */
  list(query?: ListPayoutsQuery, options?: CallOptions): Pages<Payout>
  /**
   * Get a payout
   *
   * The payout with its fee and the transfer that credits the account.
   *
   * May be refused with `payout_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/payouts/{payout_id}`
   */
  get(payout_id: string, options?: CallOptions): Promise<Payout>
}

export type WebhookEndpointsMethods = {
  /**
   * Create a webhook endpoint
   *
   * The response contains the secret that signs deliveries, which is shown only once. The endpoint receives events from now on.
   *
   * May be refused with `endpoint_limit`, `endpoint_url_refused`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `reauthentication_required`, `idempotency_key_in_use`, `idempotency_key_reused`, `idempotency_secret_shown`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/webhook-endpoints`
   */
  create(body: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret>
  /**
   * List webhook endpoints, newest first
   *
   * Deleted endpoints are not listed. Secrets are never shown again.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/webhook-endpoints`
   */
  list(query?: ListWebhookEndpointsQuery, options?: CallOptions): Pages<WebhookEndpoint>
  /**
   * Get a webhook endpoint
   *
   * The endpoint, and the reason if it is disabled. The secret is never shown again.
   *
   * May be refused with `endpoint_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/webhook-endpoints/{endpoint_id}`
   */
  get(endpoint_id: string, options?: CallOptions): Promise<WebhookEndpoint>
  /**
   * Update a webhook endpoint
   *
   * A disabled endpoint receives nothing and loses nothing: once it is enabled again, it receives all events since then, in order.
   *
   * May be refused with `endpoint_not_found`, `endpoint_url_refused`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `PUT /api/v1/webhook-endpoints/{endpoint_id}`
   */
  update(endpoint_id: string, body: WebhookEndpointUpdate, options?: CallOptions): Promise<WebhookEndpoint>
  /**
   * Delete a webhook endpoint
   *
   * Deliveries to it stop at once.
   *
   * May be refused with `endpoint_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `DELETE /api/v1/webhook-endpoints/{endpoint_id}`
   */
  delete(endpoint_id: string, options?: CallOptions): Promise<void>
  /**
   * Rotate the secret of a webhook endpoint
   *
   * The response contains the new secret, which is shown only once. For 24 hours, deliveries are signed with both secrets.
   *
   * May be refused with `endpoint_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `reauthentication_required`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/webhook-endpoints/{endpoint_id}/rotate-secret`
   */
  rotateSecret(endpoint_id: string, options?: CallOptions): Promise<WebhookEndpointWithSecret>
  /**
   * Send a test event
   *
   * Sends a `webhook_endpoint.test` event to this endpoint only, whatever its `event_types`.
   *
   * May be refused with `endpoint_not_found`, `endpoint_disabled`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/webhook-endpoints/{endpoint_id}/test`
   */
  test(endpoint_id: string, options?: CallOptions): Promise<VostroEvent>
  /**
   * List the deliveries of a webhook endpoint, newest first
   *
   * Each delivery with all its attempts, and the beginning of the receiver's responses.
   *
   * May be refused with `endpoint_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/webhook-endpoints/{endpoint_id}/deliveries`
   */
  listDeliveries(endpoint_id: string, query?: ListWebhookDeliveriesQuery, options?: CallOptions): Pages<WebhookDelivery>
  /**
   * Get a delivery
   *
   * The delivery with all its attempts, and the time of the next one.
   *
   * May be refused with `endpoint_not_found`, `delivery_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}`
   */
  getDelivery(endpoint_id: string, delivery_id: string, options?: CallOptions): Promise<WebhookDelivery>
  /**
   * Redeliver an event
   *
   * Restarts the delivery, whatever its status. A pending earlier event of the same resource is sent first. Clients that follow resends also process the event again.
   *
   * May be refused with `endpoint_not_found`, `delivery_not_found`, `event_not_found`, `endpoint_disabled`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/redeliver`
   */
  redeliver(endpoint_id: string, delivery_id: string, options?: CallOptions): Promise<WebhookDelivery>
  /**
   * Redeliver all failed deliveries created since a given time
   *
   * For a receiver that was down for a long time. The endpoint must be ACTIVE; each delivery gets ten new attempts. Clients that follow resends also process the events again.
   *
   * May be refused with `endpoint_not_found`, `endpoint_disabled`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/webhook-endpoints/{endpoint_id}/redeliver-failed`
   */
  redeliverFailed(endpoint_id: string, body: FailedSince, options?: CallOptions): Promise<Redelivered>
}

export type WebhookDeliveriesMethods = {
  /**
   * List the deliveries of all webhook endpoints, newest first
   *
   * To find events that have not arrived, or everything sent about a resource.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/webhook-deliveries`
   */
  list(query?: ListDeliveriesOfAllEndpointsQuery, options?: CallOptions): Pages<WebhookDelivery>
}

export type RequestsMethods = {
  /**
   * List the requests of the venture, newest first
   *
   * Requests to the API are kept for seven days if the log is on (`REQUEST_LOG`); while it is off, a list that would be empty is refused. They appear a moment after their response. The log contains neither paths nor queries, bodies or addresses. A venture sees what was sent with its keys and by its people.
   *
   * May be refused with `request_log_off`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `query_too_broad`, `too_many_lists`, `too_many_requests`.
   *
   * `GET /api/v1/requests`
   */
  list(query?: ListRequestsQuery, options?: CallOptions): Pages<LoggedRequest>
  /**
   * Get a request from the log
   *
   * By the id of the entry, not by the `request_id` that the caller may have chosen.
   *
   * May be refused with `request_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/requests/{logged_request_id}`
   */
  get(logged_request_id: string, options?: CallOptions): Promise<LoggedRequest>
}

export type FindMethods = {
  /**
   * Find resources by a pasted text
   *
   * Takes an id, the `unique_reference`, end-to-end id, UETR or `transaction_id` of a transfer, the `reference` of a mandate, the `order_ref` of a payment, the email of a client, an IBAN, or the beginning of the last name of a client or of the name of a beneficiary. Returns at most ten results. A key finds only resources that its scopes let it list.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/find`
   */
  search(query: FindQuery, options?: CallOptions): Promise<Found[]>
}

export type StatisticsMethods = {
  /**
   * Get the figures of the venture
   *
   * Balances by currency, transfers by status, the daily amounts of completed transfers, and what is waiting for a person. The figures are meant for a dashboard: they cover at most the newest 10,000 accounts and the newest 10,000 transfers, and the response says if there are more.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`.
   *
   * `GET /api/v1/statistics`
   */
  get(query?: GetStatisticsQuery, options?: CallOptions): Promise<Statistics>
}

export type SandboxClockMethods = {
  /**
   * Get the time of the service
   *
   * In the sandbox, the time can be moved forwards, so it may differ from the real time.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/sandbox/clock`
   */
  get(options?: CallOptions): Promise<TestClock>
  /**
   * Move the time of the service forwards
   *
   * Everything that depends on the time follows: due dates, expiries (of keys and links too), cycles and retries, and timestamps of new rows. The clock never moves back, and at most ten years ahead of the real time. Other instances follow within about a second. Sessions last as long as before, and webhook signatures carry the real time, because receivers compare it with their own clocks.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/sandbox/clock`
   */
  advance(body: ClockAdvance, options?: CallOptions): Promise<TestClock>
}

export type SandboxAccountsMethods = {
  /**
   * Deposit money
   *
   * Creates an inbound transfer and moves it to COMPLETED, as if a payment had arrived on the account. Where the bank processes transfers, it is screened first, and may have to wait.
   *
   * May be refused with `account_not_found`, `account_not_active`, `balance_too_large`, `client_blocked`, `transfer_method_invalid`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `idempotency_key_in_use`, `idempotency_key_reused`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/sandbox/accounts/{account_id}/deposits`
   */
  deposit(account_id: string, body: SandboxDeposit, options?: CallOptions): Promise<Transfer>
}

export type SandboxTransfersMethods = {
  /**
   * Settle a transfer
   *
   * Moves the transfer to its final status, step by step, as a bank would. RETURNED completes an outbound transfer and returns its money with a child transfer; an inbound transfer goes to TO_RETURN and then to REJECTED.
   *
   * May be refused with `transfer_not_found`, `transfer_terminal`, `transfer_transition_not_allowed`, `screening_required`, `reservation_required`, `already_reserved`, `already_sent`, `not_sent`, `not_received`, `not_cleared`, `in_suspense`, `account_closed`, `account_frozen`, `client_blocked`, `venture_disabled`, `settled_on_us`, `sent_by_rails`, `decided_by_case`, `limit_exceeded`, `insufficient_funds`, `balance_too_large`, `parent_invalid`, `account_not_active`, `processed_by_bank`, `transfer_method_invalid`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/sandbox/transfers/{transfer_id}/settle`
   */
  settle(transfer_id: string, body: SandboxSettlement, options?: CallOptions): Promise<Transfer>
}

export type SandboxClientsMethods = {
  /**
   * Decide a client's application at the sandbox verifier
   *
   * The verifier reports the decision with a signed event, as a real one does. If called right after the onboarding details were submitted, it waits up to 5 seconds for the application to be opened.
   *
   * May be refused with `client_not_found`, `application_not_found`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `venture_not_found`, `too_many_requests`, `outcome_unknown`.
   *
   * `POST /api/v1/sandbox/clients/{client_id}/verification`
   */
  decideVerification(client_id: string, body: SandboxDecision, options?: CallOptions): Promise<SandboxVerification>
}

export type SandboxDemoMethods = {
  /**
   * Fill an empty service with the demo bank
   *
   * Three ventures, 40 clients, 60 accounts in four currencies, 2,000 transfers over 90 days, cases to decide, 300 card payments, and more. All of it is invented, and the same seed gives the same data. It takes about a minute and continues after the response; `GET /sandbox/demo` shows the progress. The test clock moves about 90 days forwards in the meantime, so that the first orders are that old. A request during the run returns the existing run.
   *
   * May be refused with `service_not_empty`, `demo_running`, `demo_not_possible`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/sandbox/demo`
   */
  start(body: NewDemoRun, options?: CallOptions): Promise<DemoRun>
  /**
   * Get the progress of the demo bank
   *
   * There is at most one demo bank, and any instance may be filling it.
   *
   * May be refused with `demo_not_started`, `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/sandbox/demo`
   */
  get(options?: CallOptions): Promise<DemoRun>
}

export type SandboxBankMethods = {
  /**
   * Get the state of the simulated bank
   *
   * The balance of our bank's account with the simulated bank, and the payments between the two.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`.
   *
   * `GET /api/v1/sandbox/bank`
   */
  get(options?: CallOptions): Promise<SandboxBankState>
  /**
   * Run a cycle of the simulated bank now
   *
   * Settles and returns all payments that wait for a cycle and are due. A cycle also runs automatically, half a second after a payment has arrived.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/sandbox/bank/cycle`
   */
  runCycle(options?: CallOptions): Promise<SandboxBankCycle>
  /**
   * End the day of the simulated bank
   *
   * The bank sends the statement (camt.053) of the account that our bank has with it, with all entries since the previous statement.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `outcome_unknown`.
   *
   * `POST /api/v1/sandbox/bank/day-end`
   */
  endDay(options?: CallOptions): Promise<SandboxBankDayEnd>
  /**
   * Simulate an incoming payment from another bank
   *
   * The simulated bank sends a payment (pacs.008). An instant payment settles when our bank accepts it.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/sandbox/bank/payments`
   */
  pay(body: SandboxBankPaymentOrder, options?: CallOptions): Promise<SandboxBankPayment>
  /**
   * Simulate an incoming direct debit from another bank
   *
   * The simulated bank sends a direct debit (pacs.003), and settles it on its due date unless our bank has refused it.
   *
   * May be refused with `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/sandbox/bank/direct-debits`
   */
  debit(body: SandboxBankDirectDebitOrder, options?: CallOptions): Promise<SandboxBankPayment>
  /**
   * Simulate a recall by another bank
   *
   * The simulated bank recalls (camt.056) a payment that it has sent us.
   *
   * May be refused with `sandbox_payment_not_found`, `sandbox_payment_not_recallable`, `unauthorized`, `forbidden`, `invalid_request`, `malformed_body`, `body_too_large`, `unsupported_media_type`, `foreign_origin`, `console_needs_https`, `passkey_required`, `admin_key_retired`, `idempotency_key_in_use`, `idempotency_key_reused`, `outcome_unknown`.
   *
   * `POST /api/v1/sandbox/bank/recalls`
   */
  recall(body: SandboxBankRecallOrder, options?: CallOptions): Promise<SandboxBankRecall>
}

export type SandboxMethods = {
  readonly clock: SandboxClockMethods
  readonly accounts: SandboxAccountsMethods
  readonly transfers: SandboxTransfersMethods
  readonly clients: SandboxClientsMethods
  readonly demo: SandboxDemoMethods
  readonly bank: SandboxBankMethods
}

/** What the client offers: a method for each operation. */
export abstract class Resources<By extends Caller> {
  declare readonly service: ServiceMethods
  declare readonly ventures: VenturesMethods<By>
  declare readonly venture: VentureMethods<By>
  declare readonly session: SessionMethods
  declare readonly operator: OperatorMethods<By>
  declare readonly questions: QuestionsMethods
  declare readonly schemes: SchemesMethods
  declare readonly transfers: TransfersMethods<By>
  declare readonly events: EventsMethods
  declare readonly clients: ClientsMethods<By>
  declare readonly kyc: KycMethods
  declare readonly beneficiaries: BeneficiariesMethods<By>
  declare readonly accounts: AccountsMethods<By>
  declare readonly payeeVerifications: PayeeVerificationsMethods
  declare readonly vop: VopMethods
  declare readonly mandates: MandatesMethods<By>
  declare readonly transferFlows: TransferFlowsMethods
  declare readonly payments: PaymentsMethods<By>
  declare readonly paymentLinks: PaymentLinksMethods
  declare readonly balance: BalanceMethods
  declare readonly payoutSettings: PayoutSettingsMethods<By>
  declare readonly payouts: PayoutsMethods<By>
  declare readonly webhookEndpoints: WebhookEndpointsMethods
  declare readonly webhookDeliveries: WebhookDeliveriesMethods
  declare readonly requests: RequestsMethods
  declare readonly find: FindMethods
  declare readonly statistics: StatisticsMethods
  declare readonly sandbox: SandboxMethods
}

export type Operations = { readonly [name: string]: string | Operations }

/** The method, the path and the flags of each operation, which client.ts explains. */
export const operations: Operations = {
  service: {
    health: 'GET /healthz',
    readiness: 'GET /readyz',
  },
  ventures: {
    register: 'POST /api/v1/ventures bk',
    list: 'GET /api/v1/ventures l',
    get: 'GET /api/v1/ventures/{venture_id}',
    update: 'PUT /api/v1/ventures/{venture_id} b',
    replaceKey: 'POST /api/v1/ventures/{venture_id}/rotate-key',
    createKey: 'POST /api/v1/ventures/{venture_id}/keys bk',
    getPolicy: 'GET /api/v1/ventures/{venture_id}/policy',
    updatePolicy: 'PUT /api/v1/ventures/{venture_id}/policy b',
    listScreenings: 'GET /api/v1/ventures/{venture_id}/screenings l',
    getScreening: 'GET /api/v1/ventures/{venture_id}/screenings/{screening_id}',
  },
  venture: {
    get: 'GET /api/v1/venture',
    rotateKey: 'POST /api/v1/venture/rotate-key',
    createKey: 'POST /api/v1/venture/keys bk',
    listKeys: 'GET /api/v1/venture/keys l',
    getKey: 'GET /api/v1/venture/keys/{key_id}',
    updateKey: 'PUT /api/v1/venture/keys/{key_id} b',
    revokeKey: 'POST /api/v1/venture/keys/{key_id}/revoke',
    inviteUser: 'POST /api/v1/venture/users bk',
    listUsers: 'GET /api/v1/venture/users l',
    getUser: 'GET /api/v1/venture/users/{user_id}',
    updateUser: 'PUT /api/v1/venture/users/{user_id} b',
    removeUser: 'DELETE /api/v1/venture/users/{user_id}',
    resetUser: 'POST /api/v1/venture/users/{user_id}/reset',
    endUserSessions: 'DELETE /api/v1/venture/users/{user_id}/sessions',
    listInvitations: 'GET /api/v1/venture/invitations l',
    revokeInvitation: 'POST /api/v1/venture/invitations/{invitation_id}/revoke',
    listAuditLog: 'GET /api/v1/venture/audit-log l',
  },
  session: {
    signIn: 'POST /api/v1/session b',
    get: 'GET /api/v1/session',
    signOut: 'DELETE /api/v1/session',
    listSessions: 'GET /api/v1/session/sessions',
    endSession: 'DELETE /api/v1/session/sessions/{session_id}',
    listSignIns: 'GET /api/v1/session/sign-ins l',
    reauthenticate: 'POST /api/v1/session/reauthentication b',
    changePassword: 'PUT /api/v1/session/password b',
    useLink: 'POST /api/v1/session/links b',
    listPasskeys: 'GET /api/v1/session/passkeys',
    registerPasskey: 'POST /api/v1/session/passkeys b',
    startPasskeyRegistration: 'POST /api/v1/session/passkeys/options',
    removePasskey: 'DELETE /api/v1/session/passkeys/{passkey_id}',
    startPasskeySignIn: 'POST /api/v1/session/passkey/options',
    signInWithPasskey: 'POST /api/v1/session/passkey b',
    reauthenticateWithPasskey: 'POST /api/v1/session/reauthentication/passkey b',
  },
  operator: {
    keys: {
      create: 'POST /api/v1/operator/keys bk',
      list: 'GET /api/v1/operator/keys l',
      get: 'GET /api/v1/operator/keys/{bank_key_id}',
      revoke: 'POST /api/v1/operator/keys/{bank_key_id}/revoke',
    },
    users: {
      makeSetUpLink: 'POST /api/v1/operator/users/set-up',
      invite: 'POST /api/v1/operator/users bk',
      list: 'GET /api/v1/operator/users l',
      get: 'GET /api/v1/operator/users/{user_id}',
      update: 'PUT /api/v1/operator/users/{user_id} b',
      reset: 'POST /api/v1/operator/users/{user_id}/reset',
      listSignIns: 'GET /api/v1/operator/users/{user_id}/sign-ins l',
      endSessions: 'DELETE /api/v1/operator/users/{user_id}/sessions',
    },
    adminKey: {
      get: 'GET /api/v1/operator/admin-key',
    },
    invitations: {
      list: 'GET /api/v1/operator/invitations l',
      revoke: 'POST /api/v1/operator/invitations/{invitation_id}/revoke',
    },
    pairs: {
      list: 'GET /api/v1/operator/pairs q',
      clear: 'POST /api/v1/operator/pairs/clearings bk',
      takeBackClearing: 'POST /api/v1/operator/pairs/clearings/{clearing_id}/take-back',
    },
    auditLog: {
      list: 'GET /api/v1/operator/audit-log l',
    },
    approvals: {
      list: 'GET /api/v1/operator/approvals l',
      get: 'GET /api/v1/operator/approvals/{approval_id}',
      approve: 'POST /api/v1/operator/approvals/{approval_id}/approve',
      reject: 'POST /api/v1/operator/approvals/{approval_id}/reject b',
    },
    cases: {
      list: 'GET /api/v1/operator/cases l',
      open: 'POST /api/v1/operator/cases bk',
      get: 'GET /api/v1/operator/cases/{case_id}',
      assign: 'PUT /api/v1/operator/cases/{case_id} b',
      decide: 'POST /api/v1/operator/cases/{case_id}/decisions b',
      addNote: 'POST /api/v1/operator/cases/{case_id}/notes bk',
      link: 'POST /api/v1/operator/cases/{case_id}/links b',
      ask: 'POST /api/v1/operator/cases/{case_id}/questions bk',
      getFile: 'GET /api/v1/operator/cases/{case_id}/files/{case_file_id}',
      addFile: 'POST /api/v1/operator/cases/{case_id}/files f',
    },
    jobs: {
      list: 'GET /api/v1/operator/jobs l',
      get: 'GET /api/v1/operator/jobs/{job_id}',
      drop: 'DELETE /api/v1/operator/jobs/{job_id}',
      retry: 'POST /api/v1/operator/jobs/{job_id}/retry',
    },
    rates: {
      list: 'GET /api/v1/operator/rates',
      set: 'PUT /api/v1/operator/rates b',
    },
    participations: {
      list: 'GET /api/v1/operator/participations',
      change: 'POST /api/v1/operator/participations b',
      suspendRail: 'POST /api/v1/operator/participations/{rail}/suspend',
      resumeRail: 'POST /api/v1/operator/participations/{rail}/resume',
    },
    calendars: {
      getYear: 'GET /api/v1/operator/calendars/{calendar}/{year}',
      enterYear: 'PUT /api/v1/operator/calendars/{calendar}/{year} b',
    },
    packs: {
      list: 'GET /api/v1/operator/packs l',
      get: 'GET /api/v1/operator/packs/{pack_id}',
      declareNotSent: 'POST /api/v1/operator/packs/{pack_id}/declare-not-sent',
    },
    messages: {
      list: 'GET /api/v1/operator/messages l',
      get: 'GET /api/v1/operator/messages/{message_id}',
      getFile: 'GET /api/v1/operator/messages/{message_id}/file',
    },
    rails: {
      getCycles: 'GET /api/v1/operator/rails/{rail}/cycles',
      setCycles: 'PUT /api/v1/operator/rails/{rail}/cycles b',
      getReachableBanks: 'GET /api/v1/operator/rails/{rail}/reachable-banks',
      setReachableBanks: 'PUT /api/v1/operator/rails/{rail}/reachable-banks b',
    },
    watchlists: {
      create: 'POST /api/v1/operator/watchlists bk',
      list: 'GET /api/v1/operator/watchlists',
      get: 'GET /api/v1/operator/watchlists/{watchlist_id}',
      importVersion: 'POST /api/v1/operator/watchlists/{watchlist_id}/versions f',
      listVersions: 'GET /api/v1/operator/watchlists/{watchlist_id}/versions l',
      activateVersion: 'POST /api/v1/operator/watchlists/{watchlist_id}/versions/{version_id}/activate b',
    },
    trialBalance: {
      get: 'GET /api/v1/operator/trial-balance q',
    },
    transfers: {
      list: 'GET /api/v1/operator/transfers l',
    },
    inboundPayments: {
      report: 'POST /api/v1/operator/inbound-payments bk',
      list: 'GET /api/v1/operator/inbound-payments l',
      get: 'GET /api/v1/operator/inbound-payments/{inbound_payment_id}',
    },
    returnedPayments: {
      report: 'POST /api/v1/operator/returned-payments bk',
    },
    forcedDebits: {
      create: 'POST /api/v1/operator/forced-debits bk',
    },
    payOuts: {
      create: 'POST /api/v1/operator/pay-outs bk',
    },
    unappliedPayments: {
      list: 'GET /api/v1/operator/unapplied-payments l',
      get: 'GET /api/v1/operator/unapplied-payments/{unapplied_payment_id}',
    },
    breaks: {
      list: 'GET /api/v1/operator/breaks l',
      get: 'GET /api/v1/operator/breaks/{break_id}',
    },
    nostros: {
      create: 'POST /api/v1/operator/nostros bk',
      list: 'GET /api/v1/operator/nostros l',
      get: 'GET /api/v1/operator/nostros/{nostro_id}',
      listStatements: 'GET /api/v1/operator/nostros/{nostro_id}/statements l',
      listEntries: 'GET /api/v1/operator/nostros/{nostro_id}/entries l',
      getReconciliation: 'GET /api/v1/operator/nostros/{nostro_id}/reconciliation q',
    },
    endOfDay: {
      run: 'POST /api/v1/operator/end-of-day b',
    },
    requests: {
      listOfAllVentures: 'GET /api/v1/operator/requests l',
      getOfAnyVenture: 'GET /api/v1/operator/requests/{logged_request_id}',
    },
    verifications: {
      start: 'POST /api/v1/operator/verifications',
      list: 'GET /api/v1/operator/verifications l',
      get: 'GET /api/v1/operator/verifications/{verification_id}',
    },
    seals: {
      getLatest: 'GET /api/v1/operator/seals/latest',
    },
    find: {
      search: 'GET /api/v1/operator/find q',
    },
    health: {
      get: 'GET /api/v1/operator/health',
    },
  },
  questions: {
    list: 'GET /api/v1/questions l',
    get: 'GET /api/v1/questions/{question_id}',
    answer: 'POST /api/v1/questions/{question_id}/answer b',
    addFile: 'POST /api/v1/questions/{question_id}/files f',
  },
  schemes: {
    list: 'GET /api/v1/schemes',
  },
  transfers: {
    recall: 'POST /api/v1/transfers/{transfer_id}/recalls bk',
    listRecalls: 'GET /api/v1/transfers/{transfer_id}/recalls',
    dryRun: 'POST /api/v1/transfers/dry-run b',
    create: 'POST /api/v1/transfers bk',
    list: 'GET /api/v1/transfers l',
    get: 'GET /api/v1/transfers/{transfer_id}',
    update: 'PUT /api/v1/transfers/{transfer_id} b',
    listTransitions: 'GET /api/v1/transfers/{transfer_id}/transitions',
    listHistory: 'GET /api/v1/transfers/{transfer_id}/history',
    listEntries: 'GET /api/v1/transfers/{transfer_id}/entries',
    createMany: 'POST /api/v1/transfers/bulk bk',
  },
  events: {
    list: 'GET /api/v1/events l',
    get: 'GET /api/v1/events/{event_id}',
    resend: 'POST /api/v1/events/{event_id}/resend',
    listResends: 'GET /api/v1/events/resends l',
  },
  clients: {
    registerPerson: 'POST /api/v1/clients/person bk',
    list: 'GET /api/v1/clients l',
    get: 'GET /api/v1/clients/{client_id}',
    update: 'PUT /api/v1/clients/{client_id} b',
    submitOnboardingDetails: 'POST /api/v1/clients/{client_id}/onboarding/details bk',
    getOnboardingDetails: 'GET /api/v1/clients/{client_id}/onboarding/details',
    listKycHistory: 'GET /api/v1/clients/{client_id}/kyc-history',
    export: 'GET /api/v1/clients/{client_id}/export',
  },
  kyc: {
    receiveEvent: 'POST /api/v1/kyc/webhook b',
    listUnmatchedEvents: 'GET /api/v1/kyc/unmatched-events q',
    listConflictingEvents: 'GET /api/v1/kyc/conflicting-events q',
  },
  beneficiaries: {
    create: 'POST /api/v1/beneficiaries bk',
    list: 'GET /api/v1/beneficiaries l',
    get: 'GET /api/v1/beneficiaries/{beneficiary_id}',
    update: 'PUT /api/v1/beneficiaries/{beneficiary_id} b',
  },
  accounts: {
    create: 'POST /api/v1/accounts bk',
    list: 'GET /api/v1/accounts l',
    get: 'GET /api/v1/accounts/{account_id}',
    update: 'PUT /api/v1/accounts/{account_id} b',
    getEpcQr: 'GET /api/v1/accounts/{account_id}/epc-qr q',
    activate: 'POST /api/v1/accounts/{account_id}/activate',
    freeze: 'POST /api/v1/accounts/{account_id}/freeze',
    close: 'POST /api/v1/accounts/{account_id}/close',
    listEntries: 'GET /api/v1/accounts/{account_id}/entries l',
    listTransfers: 'GET /api/v1/accounts/{account_id}/transfers l',
    getStatement: 'GET /api/v1/accounts/{account_id}/statements q',
    listBalances: 'GET /api/v1/accounts/{account_id}/balances q',
  },
  payeeVerifications: {
    create: 'POST /api/v1/payee-verifications bk',
    get: 'GET /api/v1/payee-verifications/{payee_verification_id}',
  },
  vop: {
    answer: 'POST /api/v1/vop/requests b',
  },
  mandates: {
    create: 'POST /api/v1/mandates bk',
    list: 'GET /api/v1/mandates l',
    get: 'GET /api/v1/mandates/{mandate_id}',
    cancel: 'POST /api/v1/mandates/{mandate_id}/cancel',
  },
  transferFlows: {
    list: 'GET /api/v1/transfer-flows',
  },
  payments: {
    create: 'POST /api/v1/payments bk',
    list: 'GET /api/v1/payments l',
    get: 'GET /api/v1/payments/{payment_id}',
    cancel: 'POST /api/v1/payments/{payment_id}/cancel',
    refund: 'POST /api/v1/payments/{payment_id}/refund bk',
    returnAddress: 'GET /api/v1/payments/{payment_id}/return r',
  },
  paymentLinks: {
    create: 'POST /api/v1/payment-links bk',
    list: 'GET /api/v1/payment-links l',
    get: 'GET /api/v1/payment-links/{link_id}',
    update: 'PUT /api/v1/payment-links/{link_id} b',
  },
  balance: {
    get: 'GET /api/v1/balance',
  },
  payoutSettings: {
    get: 'GET /api/v1/payout-settings',
    update: 'PUT /api/v1/payout-settings b',
  },
  payouts: {
    create: 'POST /api/v1/payouts bk',
    list: 'GET /api/v1/payouts l',
    get: 'GET /api/v1/payouts/{payout_id}',
  },
  webhookEndpoints: {
    create: 'POST /api/v1/webhook-endpoints bk',
    list: 'GET /api/v1/webhook-endpoints l',
    get: 'GET /api/v1/webhook-endpoints/{endpoint_id}',
    update: 'PUT /api/v1/webhook-endpoints/{endpoint_id} b',
    delete: 'DELETE /api/v1/webhook-endpoints/{endpoint_id}',
    rotateSecret: 'POST /api/v1/webhook-endpoints/{endpoint_id}/rotate-secret',
    test: 'POST /api/v1/webhook-endpoints/{endpoint_id}/test',
    listDeliveries: 'GET /api/v1/webhook-endpoints/{endpoint_id}/deliveries l',
    getDelivery: 'GET /api/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}',
    redeliver: 'POST /api/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/redeliver',
    redeliverFailed: 'POST /api/v1/webhook-endpoints/{endpoint_id}/redeliver-failed b',
  },
  webhookDeliveries: {
    list: 'GET /api/v1/webhook-deliveries l',
  },
  requests: {
    list: 'GET /api/v1/requests l',
    get: 'GET /api/v1/requests/{logged_request_id}',
  },
  find: {
    search: 'GET /api/v1/find q',
  },
  statistics: {
    get: 'GET /api/v1/statistics q',
  },
  sandbox: {
    clock: {
      get: 'GET /api/v1/sandbox/clock',
      advance: 'POST /api/v1/sandbox/clock b',
    },
    accounts: {
      deposit: 'POST /api/v1/sandbox/accounts/{account_id}/deposits bk',
    },
    transfers: {
      settle: 'POST /api/v1/sandbox/transfers/{transfer_id}/settle b',
    },
    clients: {
      decideVerification: 'POST /api/v1/sandbox/clients/{client_id}/verification b',
    },
    demo: {
      start: 'POST /api/v1/sandbox/demo b',
      get: 'GET /api/v1/sandbox/demo',
    },
    bank: {
      get: 'GET /api/v1/sandbox/bank',
      runCycle: 'POST /api/v1/sandbox/bank/cycle',
      endDay: 'POST /api/v1/sandbox/bank/day-end',
      pay: 'POST /api/v1/sandbox/bank/payments bk',
      debit: 'POST /api/v1/sandbox/bank/direct-debits bk',
      recall: 'POST /api/v1/sandbox/bank/recalls bk',
    },
  },
}
