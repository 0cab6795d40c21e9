// All refusals of the service. The domain throws a Refusal with a code; the catalogue defines what each code means and is the source of
// the page of error codes. Any other exception is a bug.

/** `cause` and `remedy` are whole sentences in plain text. They are the detail of a refusal that does not set its own. */
type Kind = { status: number; title: string; cause: string; remedy: string }

export const catalogue = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    cause: 'The bytes received are not a valid HTTP request.',
    remedy: 'Check the HTTP client and any proxy in between, then send the request again.',
  },
  malformed_body: {
    status: 400,
    title: 'Malformed body',
    cause: 'The body cannot be read: it is empty, it is not valid JSON in UTF-8, it has a field twice, or it is nested too deeply.',
    remedy: 'Send one JSON object in UTF-8 with the fields of the operation; detail says what is wrong.',
  },
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    cause: 'A field of the body, the path or the query is missing, unknown, or has a value that the operation does not accept.',
    remedy: 'Correct the fields listed in errors.',
  },
  invalid_signature: {
    status: 401,
    title: 'Invalid signature',
    cause: 'The signature of the verification event is missing or more than five minutes old, or it does not match the bytes received.',
    remedy: "Sign the exact bytes that are sent with the current secret, and check the sender's clock.",
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    cause: 'The API key is missing, unknown or disabled, or the session of the console has ended.',
    remedy:
      'Send a valid key, either in the header Authorization (Bearer) or in the header X-API-Key; in the console, sign in again. Outside the console, people of the bank or a venture sign in with POST /api/v1/session.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Sign-in failed',
    cause: 'The email, the password or the passkey is wrong, or the user is disabled.',
    remedy: 'Check them and try again. A person who has forgotten the password asks an admin for a reset link.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    cause: 'The key or the user is valid, but has no access to this operation.',
    remedy: 'Use a key with the scope, or a user with the role, that detail names.',
  },
  foreign_origin: {
    status: 403,
    title: 'Not from the console',
    cause: 'The request has the cookie of a session or signs in, but it does not come from the console.',
    remedy: 'Open the console at its own URL (CONSOLE_URL or PUBLIC_URL). Programs use an API key instead.',
  },
  console_needs_https: {
    status: 403,
    title: 'The console needs HTTPS',
    cause: 'The console is configured with a plain HTTP URL on another host than localhost, so a session could be stolen on the way.',
    remedy: 'The operator must set CONSOLE_URL or PUBLIC_URL to an https URL.',
  },
  passkey_required: {
    status: 403,
    title: 'Passkey required',
    cause:
      'The session was begun with a password alone. That is not enough for people of the bank and for those of a venture who may make keys, people, endpoints or payments, nor for what is sensitive if the person has a passkey.',
    remedy:
      'Use the passkey with POST /api/v1/session/reauthentication/passkey; a person without one registers it with POST /api/v1/session/passkeys.',
  },
  reauthentication_required: {
    status: 403,
    title: 'Reauthentication required',
    cause: 'Keys, secrets, roles and approvals need a password or passkey within the last ten minutes.',
    remedy: 'Use a passkey, or without one send the password to POST /api/v1/session/reauthentication, then repeat the request.',
  },
  reserved_to_bank: {
    status: 403,
    title: 'Reserved to the bank',
    cause: "The bank processes this venture's transfers, and keeps this operation, or a field of the request, to itself.",
    remedy: 'Leave it to the bank; detail says what is reserved and why, and the guide "Reserved to the bank" lists everything.',
  },
  signer_not_allowed: {
    status: 403,
    title: 'Signer not allowed',
    cause: "The bank's policy for the venture does not allow this signer.",
    remedy:
      'Have it signed by a signer whom the policy allows: with signer other, not the one who ordered it; with user, a person who did not order it.',
  },
  not_yours_to_sign: {
    status: 403,
    title: 'Not yours to sign',
    cause: "Only the client's side signs its orders: people of the bank cannot, neither alone nor with a second person.",
    remedy: 'Let the venture sign it. If the bank itself has to pay, order a payment, which a second person of the bank approves.',
  },
  approval_required: {
    status: 403,
    title: 'Approval required',
    cause:
      'One person of the bank may not do this alone: it orders a payment or makes one possible, releases what the bank has stopped, or states a fact of the clearing scheme.',
    remedy: 'Let a second person of the bank approve it, or decide the case that belongs to it.',
  },
  admin_key_retired: {
    status: 403,
    title: 'Admin key retired',
    cause:
      'The admin key is for the beginning of a bank. Once two admins of the bank have had a passkey, it may only invite the third one; once three have had one, nothing. That stays so if a passkey is lost.',
    remedy:
      'Sign in as a person of the bank; give programs bank keys. If every admin is locked out, start the service with ADMIN_API_KEY_SCOPE=set-up.',
  },
  key_seen_by_bank: {
    status: 403,
    title: 'Key seen by the bank',
    cause:
      'The bank has seen this key: the bank made it, or it was made with such a key. In a MANAGED venture it may read and set up, but neither move money nor make a later order possible.',
    remedy: 'Let an admin of the venture make a key in the console, or with POST /api/v1/venture/keys, and use that one for orders.',
  },
  person_needed: {
    status: 403,
    title: 'Person needed',
    cause: 'The operation needs two people. The admin key is not a person, so it can neither request nor approve it.',
    remedy: 'Sign in as a person of the bank, request the operation, and let another person approve it.',
  },
  venture_has_admin: {
    status: 403,
    title: 'The venture has an admin',
    cause: 'A MANAGED venture with an active admin invites and resets its own people. The bank does it only while there is none.',
    remedy:
      'Let an admin of the venture do it. If none of them can sign in, two people of the bank remove them, and then invite or reset a person.',
  },
  pair_not_yours: {
    status: 403,
    title: 'Pair not yours to clear',
    cause: 'The admin who clears a pair is a third person: neither one of the two nor related to one of them, cleared or not.',
    remedy: 'Let an admin of the bank clear the pair who neither invited nor was invited by one of the two.',
  },
  route_not_found: {
    status: 404,
    title: 'Path not found',
    cause: 'No operation has this path.',
    remedy: 'Check the path against the reference at /docs; the paths of the API begin with /api/v1.',
  },
  account_not_found: {
    status: 404,
    title: 'Account not found',
    cause: 'The venture has no account with this id.',
    remedy: 'Check the id, and that the key belongs to the venture that owns the account.',
  },
  mandate_not_found: {
    status: 404,
    title: 'Mandate not found',
    cause: 'The venture has no mandate with this id.',
    remedy: 'Check the id, and that the key belongs to the venture that registered the mandate.',
  },
  payee_verification_not_found: {
    status: 404,
    title: 'Payee verification not found',
    cause: 'The venture has no verification of a payee with this id.',
    remedy: 'Check the id, and that the key belongs to the venture that asked.',
  },
  api_key_not_found: {
    status: 404,
    title: 'API key not found',
    cause: 'The venture has no API key with this id.',
    remedy: 'List the keys of the venture to find the id.',
  },
  application_not_found: {
    status: 404,
    title: 'Verification not found',
    cause: 'The sandbox verifier has no application for this client, or the link to it is wrong.',
    remedy: "Submit the client's onboarding details, which opens the application, then try again.",
  },
  approval_not_found: {
    status: 404,
    title: 'Approval not found',
    cause: 'There is no approval with this id.',
    remedy: 'Check the id against the list of approvals.',
  },
  watchlist_not_found: {
    status: 404,
    title: 'Watch list not found',
    cause: 'There is no watch list with this id.',
    remedy: 'List the watch lists and use one of their ids.',
  },
  watchlist_version_not_found: {
    status: 404,
    title: 'Version not found',
    cause: 'The watch list has no version with this id.',
    remedy: 'List the versions of the watch list and use one of their ids.',
  },
  screening_not_found: {
    status: 404,
    title: 'Screening not found',
    cause: 'The venture has no screening with this id.',
    remedy: 'List the screenings of the venture and use one of their ids.',
  },
  case_not_found: {
    status: 404,
    title: 'Case not found',
    cause: 'There is no case with this id.',
    remedy: 'Check the id against the list of cases.',
  },
  beneficiary_not_found: {
    status: 404,
    title: 'Beneficiary not found',
    cause: 'The venture has no beneficiary with this id.',
    remedy: 'Check the id, and that the key belongs to the venture that owns the beneficiary.',
  },
  client_not_found: {
    status: 404,
    title: 'Client not found',
    cause: 'The venture has no client with this id.',
    remedy: 'Check the id, and that the key belongs to the venture that owns the client.',
  },
  delivery_not_found: {
    status: 404,
    title: 'Delivery not found',
    cause: 'The webhook endpoint has no delivery with this id.',
    remedy: "List the endpoint's deliveries to find the id.",
  },
  endpoint_not_found: {
    status: 404,
    title: 'Webhook endpoint not found',
    cause: 'The venture has no webhook endpoint with this id, or it was deleted.',
    remedy: 'Check the id, and that the key belongs to the venture that owns the endpoint.',
  },
  event_not_found: {
    status: 404,
    title: 'Event not found',
    cause: 'The venture has no event with this id, or the bank has archived the month of the event.',
    remedy: 'Check the id. To follow all events from the beginning, use since=start; to follow only those from now on, since=now.',
  },
  verification_not_found: {
    status: 404,
    title: 'Verification not found',
    cause: 'There is no verification run with this id.',
    remedy: 'Check the id, or list the runs.',
  },
  request_not_found: {
    status: 404,
    title: 'Request not found',
    cause: 'The request log has no request with this id: it never existed, it is older than seven days, or another venture sent it.',
    remedy: 'Check the id. To find a request by the X-Request-Id of its response, list the requests with request_id.',
  },
  job_not_found: {
    status: 404,
    title: 'Job not found',
    cause: 'There is no job with this id: it never existed, it has been done, or it was dropped.',
    remedy: 'List the jobs to find the id.',
  },
  link_not_found: {
    status: 404,
    title: 'Link not found',
    cause: 'There is no set-up, invitation or reset link with this id, or with this secret and code.',
    remedy: 'Copy the whole link, including what follows #, and the code that belongs to it if two people made it, or ask for a new one.',
  },
  passkey_not_found: {
    status: 404,
    title: 'Passkey not found',
    cause: 'The user has no passkey with this id.',
    remedy: 'List the passkeys to find the id.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    cause: 'The person has no session with this id, or it has ended.',
    remedy: 'List the sessions to find the id.',
  },
  payment_not_found: {
    status: 404,
    title: 'Payment not found',
    cause: 'The venture has no payment with this id.',
    remedy: 'Check the id, and that the key belongs to the venture that owns the payment.',
  },
  payment_link_not_found: {
    status: 404,
    title: 'Payment link not found',
    cause: 'The venture has no payment link with this id.',
    remedy: 'Check the id, and that the key belongs to the venture that owns the link.',
  },
  payout_not_found: {
    status: 404,
    title: 'Payout not found',
    cause: 'The venture has no payout with this id.',
    remedy: 'Check the id, and that the key belongs to the venture that owns the payout.',
  },
  onboarding_not_found: {
    status: 404,
    title: 'Onboarding details not found',
    cause: 'No onboarding details have been submitted for this client.',
    remedy: 'Submit them with POST /api/v1/clients/{client_id}/onboarding/details.',
  },
  transfer_not_found: {
    status: 404,
    title: 'Transfer not found',
    cause: 'The venture has no transfer with this id.',
    remedy: 'Check the id, and that the key belongs to the venture that owns the transfer.',
  },
  user_not_found: {
    status: 404,
    title: 'User not found',
    cause: 'There is no user with this id, or the user does not belong to the venture.',
    remedy: 'List the users to find the id.',
  },
  inbound_payment_not_found: {
    status: 404,
    title: 'Inbound payment not found',
    cause: 'No message of another bank was booked under this id.',
    remedy: 'Check the id against the list of inbound payments.',
  },
  demo_not_started: {
    status: 404,
    title: 'No demo bank',
    cause: 'The service was not asked to fill itself with the demo bank.',
    remedy: 'Start it with POST /sandbox/demo, on a service that has no ventures.',
  },
  request_log_off: {
    status: 409,
    title: 'Request log off',
    cause: 'The service keeps no requests, and the log has none from before it was turned off that the list could show.',
    remedy: 'The person who runs the service turns the log on with REQUEST_LOG=on. Requests are then kept for seven days.',
  },
  service_not_empty: {
    status: 409,
    title: 'The service is not empty',
    cause: 'The demo bank is made only on a service without ventures, because it would mix with what is there.',
    remedy: 'Use a new data folder or a new database.',
  },
  demo_running: {
    status: 409,
    title: 'Another demo bank is being made',
    cause: 'The service is being filled with the demo bank of another seed.',
    remedy: 'Follow it with GET /sandbox/demo, or use another service for the other seed.',
  },
  demo_not_possible: {
    status: 409,
    title: 'The settings do not allow the demo bank',
    cause: 'The demo bank needs the stand-ins of the sandbox, and an admin key that may act alone.',
    remedy: 'Change the setting that the detail names, or start Vostro with npm run demo.',
  },
  sandbox_payment_not_found: {
    status: 404,
    title: 'Payment of the simulated bank not found',
    cause: 'The simulated bank has sent us no payment with this id.',
    remedy: 'Take the id of a payment whose direction is IN from GET /sandbox/bank.',
  },
  unapplied_payment_not_found: {
    status: 404,
    title: 'Unapplied payment not found',
    cause: 'There is no unapplied payment with this id.',
    remedy: 'Check the id against the list of unapplied payments.',
  },
  break_not_found: {
    status: 404,
    title: 'Break not found',
    cause: 'There is no break with this id.',
    remedy: 'Check the id against the list of breaks.',
  },
  clearing_not_found: {
    status: 404,
    title: 'Clearing not found',
    cause: 'No clearing of a pair has this id.',
    remedy: 'Check the id against the list of pairs.',
  },
  nostro_not_found: {
    status: 404,
    title: 'Nostro not found',
    cause: 'The bank has no nostro with this id.',
    remedy: 'Check the id against the list of nostros.',
  },
  nostro_statement_not_found: {
    status: 404,
    title: 'No statement of the nostro',
    cause: 'No statement of the nostro up to this day has been applied.',
    remedy: 'Choose a day on or after the first statement, which the list of its statements has.',
  },
  venture_not_found: {
    status: 404,
    title: 'Venture not found',
    cause: 'There is no venture with this id, or the user is not a member of it.',
    remedy: 'Check the id against the list of ventures.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    cause: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    cause: 'The request did not arrive in full within 10 seconds, so it was not carried out.',
    remedy: 'Send the request again.',
  },
  approval_pending: {
    status: 409,
    title: 'Approval pending',
    cause: 'Another request about the same resource waits for its second person. A resource has one open request at a time.',
    remedy: 'Let the request in approval_id be approved or rejected first.',
  },
  verification_running: {
    status: 409,
    title: 'Verification running',
    cause: 'A verification is running. It looks through the whole database, so there is one at a time.',
    remedy: 'Wait until the run in the list of verifications has ended, and read what it has found.',
  },
  approval_not_pending: {
    status: 409,
    title: 'Approval not pending',
    cause: 'The approval has been decided, or it has expired.',
    remedy: 'Read the approval. If the action is still wanted, request it again.',
  },
  own_approval: {
    status: 409,
    title: 'Own approval',
    cause: 'The person who made a request cannot approve it, only withdraw it.',
    remedy: 'Let another person of the bank decide, or withdraw the request with POST /api/v1/operator/approvals/{approval_id}/reject.',
  },
  related_approval: {
    status: 409,
    title: 'Related approval',
    cause:
      'One of the two people has invited the other, reset their access, or given them a role, or has approved that; or the same person alone has let both into a venture or reset them; or the admin key has let one of them in within the last seven days. So they count as one person.',
    remedy:
      'Let a person approve who neither invited nor was invited by the requester, and whom another person let in. A third admin who is related to neither of the two may clear them with POST /api/v1/operator/pairs/clearings. Every admin and operator may reject.',
  },
  four_eyes_off: {
    status: 409,
    title: 'Four eyes are off',
    cause: 'Outside the sandbox the bank processes for a venture only with four eyes: money of its clients needs two people.',
    remedy: 'Start every instance with FOUR_EYES=on, then register the venture as MANAGED, or change its control.',
  },
  pair_not_related: {
    status: 409,
    title: 'Pair not related',
    cause: 'Nothing relates the two people, or what relates them has been cleared already, so there is nothing to clear.',
    remedy: 'Let them approve for each other.',
  },
  decided_by_case: {
    status: 409,
    title: 'Decided by a case',
    cause:
      'Money that arrived by IBAN gets into CREDIT_TECH_BALANCE and out of it only together with its case, and a transfer with an open case of the ' +
      'kind hit, rule or amount leaves its review only by the decision of the case.',
    remedy: 'Decide the case: GET /operator/cases with the id of the transfer as resource_id finds it.',
  },
  watchlist_name_used: {
    status: 409,
    title: 'Name of a watch list in use',
    cause: 'There is a watch list with this name.',
    remedy: 'Import a new version of that list, or choose another name.',
  },
  watchlist_version_exists: {
    status: 409,
    title: 'Version imported already',
    cause: 'The same files have been imported before, as the version that version_id names.',
    remedy: 'Use that version. If the publisher has a newer one, download it first.',
  },
  watchlist_version_deleted: {
    status: 409,
    title: 'Version deleted',
    cause: 'The entries of the version have been deleted, because it had not been active for a long time.',
    remedy: 'Import its files again and activate that version.',
  },
  watchlist_shrunk: {
    status: 409,
    title: 'Watch list much smaller',
    cause: 'The version has at least 20 % fewer entries or names than the active one, as a file would have that was cut off.',
    remedy: 'Check the files, and whether one of them is missing. If so much was really removed, activate the version with force.',
  },
  case_decided: {
    status: 409,
    title: 'Case decided',
    cause: 'The case has been decided and can no longer be changed.',
    remedy: 'Read the case to see its decision.',
  },
  inbound_payment_booked: {
    status: 409,
    title: 'Message already booked',
    cause: 'A message with this sender, kind and tx_id has been booked before.',
    remedy: 'Do nothing: existing_id and booked_as say what it was booked as.',
  },
  venture_not_managed: {
    status: 409,
    title: 'Venture not managed',
    cause: 'The venture processes its transfers itself, so the bank books nothing for it.',
    remedy: 'Use an account of a venture whose control is MANAGED.',
  },
  unapplied_payment_decided: {
    status: 409,
    title: 'Unapplied payment already decided',
    cause: 'The payment was already applied, returned or paid out.',
    remedy: 'Get the unapplied payment to see what was decided.',
  },
  break_decided: {
    status: 409,
    title: 'Break already decided',
    cause: 'The break was already decided, or it was closed because nothing was left to decide.',
    remedy: 'Get the break to see what was decided.',
  },
  nostro_exists: {
    status: 409,
    title: 'Account or rail taken',
    cause: 'The account belongs to another nostro, or one of the rails settles this currency elsewhere.',
    remedy: 'Look at the list of nostros: an account is one nostro, and a rail settles a currency on one.',
  },
  client_mismatch: {
    status: 409,
    title: 'Money of another client',
    cause: 'The money belongs to a certain client, and the request would give it to another person.',
    remedy: 'Choose an account of the client that client_id names.',
  },
  client_sanctioned: {
    status: 409,
    title: 'Money is frozen',
    cause: 'The client is blacklisted, so the money may be frozen because of sanctions and must not leave.',
    remedy:
      'Check the client. If the blacklisting is wrong, two people of the bank take the client off the blacklist; then repeat the request.',
  },
  account_not_suspended: {
    status: 409,
    title: 'Account not suspended',
    cause: 'The bank pays out the balance of suspended accounts only.',
    remedy: 'Freeze the account first, or let the client send the money with an ordinary transfer.',
  },
  account_closed: {
    status: 409,
    title: 'Account closed',
    cause: 'The move would book money on a closed account, either the account of the transfer or the account that receives it.',
    remedy: 'End the transfer with one of the statuses in allowed; use another account for a new transfer.',
  },
  account_not_active: {
    status: 409,
    title: 'Account not active',
    cause: 'A transfer can be created only on an account that is ACTIVE.',
    remedy: 'Activate the account if it is PENDING or SUSPENDED; if it is CLOSED, use another account.',
  },
  mandate_exists: {
    status: 409,
    title: 'Mandate exists',
    cause: 'The creditor has a mandate with this reference, active or not.',
    remedy: 'Use that mandate, or choose another reference.',
  },
  mandate_not_active: {
    status: 409,
    title: 'Mandate not active',
    cause: 'The mandate was cancelled, or it has expired because it was not used for 36 months.',
    remedy: 'Ask the debtor for another mandate and register it.',
  },
  epc_qr_not_possible: {
    status: 409,
    title: 'No EPC QR code for this account',
    cause: 'An EPC QR code asks for a SEPA credit transfer in euros, and this account cannot receive one.',
    remedy: 'Use an account in EUR that is ACTIVE and whose IBAN SEPA reaches; detail says what is missing.',
  },
  account_not_empty: {
    status: 409,
    title: 'Account not empty',
    cause: 'An account can be closed only when its current and reserved balances are zero and no money is held in suspense for it.',
    remedy: 'Pay the balance out, wait until pending transfers have ended, and move money out of suspense, then close the account.',
  },
  account_transition_not_allowed: {
    status: 409,
    title: 'Account transition not allowed',
    cause: "The action does not apply to the account's current status.",
    remedy: 'Use an action that leads to one of the statuses in allowed. A CLOSED account stays closed.',
  },
  already_reserved: {
    status: 409,
    title: 'Money already reserved',
    cause: 'The money for this transfer is already reserved.',
    remedy: 'Move the transfer to one of the statuses in allowed.',
  },
  already_sent: {
    status: 409,
    title: 'Transfer already sent',
    cause:
      'The transfer has been sent to the clearing scheme, so it cannot be sent again or changed, and only an answer of the scheme can end it.',
    remedy: "Wait for the scheme's answer, and send it as third_party_status in the same request as the status.",
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    cause: 'The person already belongs to the venture, or to the bank.',
    remedy: "Change the person's role instead.",
  },
  already_set_up: {
    status: 409,
    title: 'Already set up',
    cause: 'The bank has an admin, so there are no more set-up links.',
    remedy: 'Ask an admin of the bank for an invitation.',
  },
  bank_has_admins: {
    status: 409,
    title: 'The bank has admins',
    cause: 'The admin key may invite admins of the bank only while fewer than three active ones exist.',
    remedy: 'Ask an admin of the bank for the invitation.',
  },
  client_blocked: {
    status: 409,
    title: 'Client blocked',
    cause: 'A client that is blocked, blacklisted or DECLINED by its verification can neither send money nor receive an internal transfer.',
    remedy:
      'Review the client, and send the request again once blocked and is_blacklisted are false and kyc_status is not DECLINED; otherwise end the transfer.',
  },
  account_frozen: {
    status: 409,
    title: 'Account frozen',
    cause: 'The bank has frozen the account, so no money leaves it.',
    remedy: 'Wait until the bank activates the account again.',
  },
  compliance_pending: {
    status: 409,
    title: 'Compliance pending',
    cause:
      'An account can be activated for the first time only when its client is verified, or needs no verification, and is neither blocked nor blacklisted.',
    remedy: "Complete the client's verification or lift the block, then activate the account.",
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'Idempotency key in use',
    cause: 'Another request with this Idempotency-Key is still being carried out.',
    remedy: 'Wait as many seconds as the Retry-After header says, then send the same request again.',
  },
  idempotency_secret_shown: {
    status: 409,
    title: 'Secret already shown',
    cause:
      'A request with this Idempotency-Key was carried out. Its response contained a secret, which is shown only once and not kept; resource_id says what was created.',
    remedy: 'If the response was lost, rotate the key or the secret of that resource.',
  },
  email_used: {
    status: 409,
    title: 'Email already used',
    cause: 'Another client has this email. Emails are unique across all clients.',
    remedy: 'Use another email. If this client has been registered before, update the existing client.',
  },
  endpoint_limit: {
    status: 409,
    title: 'Too many webhook endpoints',
    cause: 'The venture has reached the largest allowed number of webhook endpoints, given in limit.',
    remedy: 'Delete an endpoint that is no longer needed, or use one endpoint for more event types.',
  },
  endpoint_disabled: {
    status: 409,
    title: 'Webhook endpoint disabled',
    cause: 'The webhook endpoint is DISABLED, so nothing is sent to it.',
    remedy: 'Repair the receiver, set the status of the endpoint to ACTIVE, and try again.',
  },
  signature_mismatch: {
    status: 409,
    title: 'Signature mismatch',
    cause:
      'The signed_hash that was sent is not the hash of this transfer: the signer has seen other amounts, another payee or another date.',
    remedy: 'Read the transfer again, compare it with what was to be signed, and sign it only if they are the same.',
  },
  signature_not_requested: {
    status: 409,
    title: 'No signature requested',
    cause: 'The bank processes the transfer, and it does not wait for a signature: it needs none, or it has one.',
    remedy: 'Sign only transfers whose status is TO_SIGN.',
  },
  settled_on_us: {
    status: 409,
    title: 'Settled within the bank',
    cause: 'The payment goes to an account in this bank and has been sent, so the service itself settles it on both sides.',
    remedy: 'Wait a moment and read the transfer again.',
  },
  sent_by_rails: {
    status: 409,
    title: 'Sent by the rails',
    cause: 'The payment leaves the bank in a message. Only the rails, which write the message, mark the payment as sent.',
    remedy: 'Leave the payment to the rails, or stop it: put it ON_HOLD, or cancel it.',
  },
  in_suspense: {
    status: 409,
    title: 'Money in suspense',
    cause: 'The money of this transfer has been received and is held in suspense, so the transfer cannot end with this status.',
    remedy: 'Credit the money with COMPLETED, return it with TO_RETURN and then REJECTED, or freeze it with AML_REJECTED.',
  },
  not_cleared: {
    status: 409,
    title: 'Authorisation not cleared',
    cause: 'The authorisation still holds money, and it books nothing itself.',
    remedy:
      'Clear or reverse the rest, after which the service completes the authorisation; to release the rest, move the authorisation to CANCELLED.',
  },
  not_received: {
    status: 409,
    title: 'Transfer not received',
    cause: 'The transfer has not been received yet, so there is nothing to screen, credit or return.',
    remedy: 'Move the transfer to RECEIVED first.',
  },
  not_sent: {
    status: 409,
    title: 'Transfer not sent',
    cause: 'The transfer has not been sent to the clearing scheme yet.',
    remedy: 'Move the transfer to SENT_TO_CLEAR first.',
  },
  onboarding_exists: {
    status: 409,
    title: 'Onboarding details already submitted',
    cause: 'Onboarding details can be submitted once for each client.',
    remedy: 'Read them with GET /api/v1/clients/{client_id}/onboarding/details.',
  },
  payout_changed: {
    status: 409,
    title: 'Payout changed meanwhile',
    cause:
      'Other payouts, refunds or a new payout account changed what can be paid out while the payout was being made. Nothing was paid out.',
    remedy: 'Send the request again.',
  },
  payment_transition_not_allowed: {
    status: 409,
    title: 'Payment transition not allowed',
    cause: "The payment's current status, or a refund or a cancellation under way, does not allow this.",
    remedy:
      'Read the payment to see its current status; a payment can be canceled while it is PENDING or PAID, and refunded while it is PAID.',
  },
  refund_exists: {
    status: 409,
    title: 'Refund already exists',
    cause: 'A refund of this payment has the same external_refund_id and another amount.',
    remedy: 'Repeat the original amount to get the result of that refund, or choose a new external_refund_id for a new refund.',
  },
  refund_refused: {
    status: 409,
    title: 'Refund refused',
    cause: 'The card gateway refused the refund.',
    remedy: 'Look up gateway_error_code in the documentation of the gateway, then try again with a new external_refund_id.',
  },
  receiver_not_active: {
    status: 409,
    title: 'Receiving account not active',
    cause: 'An internal transfer needs a receiving account that is ACTIVE.',
    remedy: 'Activate the receiving account, or choose another beneficiary.',
  },
  reservation_required: {
    status: 409,
    title: 'Money not reserved',
    cause: 'The money must be reserved on the account before the transfer can be sent or completed.',
    remedy: 'Move the transfer to RESERVED first.',
  },
  screening_required: {
    status: 409,
    title: 'Screening required',
    cause: 'The transfer has not passed screening.',
    remedy: 'Move the transfer to READY_FOR_SCREENING, then to BLACKLIST_SCANNING or AML_SCANNING, and then to AML_APPROVED.',
  },
  policy_changed: {
    status: 409,
    title: 'Policy changed',
    cause: 'Another request changed the policy at the same moment.',
    remedy: 'Read the policy again, and repeat the change if it is still needed.',
  },
  policy_invalid: {
    status: 422,
    title: 'Policy invalid',
    cause: 'The fields of the policy contradict each other, or a rule makes no sense.',
    remedy: 'Correct the fields listed in errors.',
  },
  processed_by_bank: {
    status: 409,
    title: 'Processed by the bank',
    cause: 'The bank processes this transfer, so the sandbox cannot settle it in its place.',
    remedy: 'Wait for the bank, or use a venture whose control is OPEN.',
  },
  sandbox_payment_not_recallable: {
    status: 409,
    title: 'Payment of the simulated bank not recallable',
    cause: 'The payment has not settled, has come back, or has been recalled already.',
    remedy: 'Recall a payment that is SETTLED, once.',
  },
  message_not_applied: {
    status: 409,
    title: 'Message still not applied',
    cause: 'The message, or the transaction in it that the case is about, still cannot be applied.',
    remedy: 'Read the detail, mend what is missing here, and decide the case again; or drop it.',
  },
  recall_not_possible: {
    status: 409,
    title: 'Recall not possible',
    cause: 'The payment cannot be asked back, or given back, in its present state.',
    remedy: 'Cancel a payment that has not been sent. A payment that has come back, or was rejected, needs no recall.',
  },
  recall_pending: {
    status: 409,
    title: 'Recall pending',
    cause: 'The payment has been recalled, and the other bank has not answered yet.',
    remedy: 'Wait for the answer: the list of recalls of the transfer has it.',
  },
  resource_changed: {
    status: 409,
    title: 'Resource changed',
    cause: 'The resource has changed since the request was made.',
    remedy: 'Read the resource as it is now, and request the operation again if it is still wanted.',
  },
  venture_disabled: {
    status: 409,
    title: 'Venture disabled',
    cause: 'The venture is disabled: what it has ordered is not processed until it is enabled again, and what arrives for it waits.',
    remedy: 'Enable the venture first. What has been sent settles in any case.',
  },
  venture_has_books: {
    status: 409,
    title: 'Venture has books',
    cause: 'The venture already has clients, transfers or entries, which follow the rules of its present control.',
    remedy: 'Register another venture with the other control.',
  },
  transfer_terminal: {
    status: 409,
    title: 'Transfer ended',
    cause: 'The transfer has a terminal status, which cannot change.',
    remedy: 'Create a new transfer. To undo a transfer that is COMPLETED, create a return or a reversal with parent_transaction_id.',
  },
  transfer_transition_not_allowed: {
    status: 409,
    title: 'Transfer transition not allowed',
    cause: 'The transfer cannot move from its current status to the requested one.',
    remedy: 'Use one of the statuses in allowed, or read GET /api/v1/transfers/{transfer_id}/transitions.',
  },
  job_not_dead: {
    status: 409,
    title: 'Job not dead',
    cause: 'The job is running or will be retried. Only a dead job can be retried or dropped.',
    remedy: 'Wait until the job is done or dead.',
  },
  key_limit: {
    status: 409,
    title: 'Too many API keys',
    cause: 'A venture may have at most 100 API keys that have not been revoked, and so may the bank.',
    remedy: 'Revoke keys that are no longer used.',
  },
  last_admin: {
    status: 409,
    title: 'Last admin',
    cause: 'The last active admin of the bank cannot be disabled or lose the role.',
    remedy: 'Make another person an admin first.',
  },
  user_elsewhere: {
    status: 409,
    title: 'User of other ventures',
    cause:
      'The person also belongs to another venture or to the bank, so this venture cannot reset the password, nor sign out a person of the bank.',
    remedy: 'Ask the bank for the reset link. The bank resets its own people with POST /api/v1/operator/users/{user_id}/reset.',
  },
  user_exists: {
    status: 409,
    title: 'User exists',
    cause: 'A user with this email exists already.',
    remedy: 'Sign in as that person, then open the invitation again.',
  },
  kyc_event_conflict: {
    status: 409,
    title: 'Event id already used',
    cause: 'A verification event with the same id and another content was recorded before.',
    remedy: 'Give every event an id of its own. The recorded event stays in effect, and the operator can see both.',
  },
  unique_reference_used: {
    status: 409,
    title: 'unique_reference already used',
    cause: 'Another transfer has this unique_reference. References are unique across all transfers.',
    remedy:
      'If this repeats an earlier request, read the transfer in existing_transfer_id; for a new transfer, use a new unique_reference.',
  },
  link_expired: {
    status: 410,
    title: 'Link expired',
    cause: 'The link was used before, was revoked, or is too old.',
    remedy: 'Ask the person who made it for a new one.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    cause:
      'The body is larger than 64 KiB, a request with many orders is larger than 2 MiB or has an order that is larger than 64 KiB, a list of reachable banks is larger than 512 KiB, or the files of a watch list are larger than the operator allows.',
    remedy: 'Send a smaller body.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    cause: 'The body is not sent as application/json, or not in UTF-8, or it is compressed.',
    remedy: 'Send the header Content-Type: application/json and the body in UTF-8, uncompressed.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    cause: 'Within the last 24 hours, another request to this operation was carried out with this Idempotency-Key.',
    remedy: 'Use a new key for each new request. To repeat a request, send it unchanged.',
  },
  bulk_refused: {
    status: 422,
    title: 'Bulk refused',
    cause: 'At least one order of a request with many orders was refused, and atomic is true, so none of the orders was carried out.',
    remedy:
      'Correct or remove the orders that refused lists with their index and their problem, then send the request again; or send atomic: false, so that each order stands alone.',
  },
  payee_check_required: {
    status: 422,
    title: 'Payee not verified',
    cause: 'The bank requires that the name and the IBAN of the payee were verified within the last 24 hours.',
    remedy: 'Send both to POST /api/v1/payee-verifications, show the result to the payer, and order the transfer again.',
  },
  payee_check_not_accepted: {
    status: 422,
    title: 'Name of the payee not accepted',
    cause:
      'The name of the payee is not, or not quite, that of the account; result says which, and matched_name the name of a close match.',
    remedy: 'Correct the beneficiary, or let the payer accept it and send payee_check_accepted: true.',
  },
  passkey_refused: {
    status: 422,
    title: 'Passkey refused',
    cause:
      'The passkey could not be verified: the challenge is old or foreign, the origin is another, or the passkey is registered already.',
    remedy: 'Begin the registration again in the console.',
  },
  weak_password: {
    status: 422,
    title: 'Weak password',
    cause: 'The password is too short, too long, too uniform, guessed too easily, or contains the email address.',
    remedy: 'Choose a longer password with at least 12 characters, such as several unrelated words.',
  },
  decision_not_offered: {
    status: 422,
    title: 'Decision not offered',
    cause: 'The case cannot be decided in this way.',
    remedy: 'Send one of the decisions in allowed.',
  },
  decision_details_invalid: {
    status: 422,
    title: 'Details of the decision invalid',
    cause: 'A field of details is missing, unknown or wrong, or the decision takes no details.',
    remedy: 'Correct the fields listed in errors.',
  },
  assignee_invalid: {
    status: 422,
    title: 'Assignee not usable',
    cause: 'The assignee is not an active person of the bank with a role that may decide cases.',
    remedy: 'Assign the case to an active admin or operator of the bank.',
  },
  amount_mismatch: {
    status: 422,
    title: 'Amounts do not match',
    cause: 'The debit amount, the credit amount and the exchange rate do not agree, or a required one is missing.',
    remedy: 'Correct the amounts. In one currency both are equal; between currencies credit_amount is debit_amount times exchange_rate.',
  },
  balance_too_large: {
    status: 422,
    title: 'Balance too large',
    cause: 'The balance of the account would become larger than the service can store.',
    remedy: 'Send a smaller amount, or use another account.',
  },
  beneficiary_invalid: {
    status: 422,
    title: 'Beneficiary not usable',
    cause: 'The beneficiary does not exist, belongs to another client, or cannot be reached by this method.',
    remedy: "Choose a beneficiary of the account's client with the bank details that the method needs.",
  },
  mandate_invalid: {
    status: 422,
    title: 'Mandate not usable',
    cause:
      'The mandate does not exist, is for another account or another debtor, or has been used for its only collection; or the transfer is no collection.',
    remedy: 'Use an ACTIVE mandate of the account, and leave out dr_name, dr_iban, direction and method; detail says what does not fit.',
  },
  beneficiary_mismatch: {
    status: 422,
    title: 'Beneficiary does not match',
    cause:
      'The request names another creditor than the one that gets the money: the beneficiary, the account of an inbound transfer, or for a return the account that the money came from.',
    remedy:
      'Leave cr_iban and cr_bank_bic out, or send those of the beneficiary. For a return, use a beneficiary with the debtor account of the parent transfer.',
  },
  beneficiary_required: {
    status: 422,
    title: 'Beneficiary required',
    cause: 'An outbound transfer needs a beneficiary.',
    remedy: 'Create a beneficiary for the client of the account, and send its id as beneficiary_id.',
  },
  currency_mismatch: {
    status: 422,
    title: 'Currency does not match',
    cause: 'The currency of the request is not the currency of the account.',
    remedy: 'Send the currency that detail names, or leave the currency out.',
  },
  insufficient_funds: {
    status: 422,
    title: 'Insufficient funds',
    cause: 'The available balance of the account is smaller than the amount and the fee together.',
    remedy: 'Wait until money arrives or a hold is released, or send a smaller amount.',
  },
  limit_exceeded: {
    status: 422,
    title: 'Limit exceeded',
    cause:
      'The amount, or the part of a card clearing above the hold of its authorisation, would exceed the daily, monthly or yearly limit of the account.',
    remedy: 'Send a smaller amount, wait for the next period (UTC), or raise the limit with PUT /api/v1/accounts/{account_id}.',
  },
  parent_invalid: {
    status: 422,
    title: 'Parent transfer not usable',
    cause: 'The parent transfer is missing, does not fit the type of the transfer, or has too little left.',
    remedy: 'Choose a parent that fits, and an amount of at most what is left of it; detail says what does not fit.',
  },
  watchlist_refused: {
    status: 422,
    title: 'Watch list refused',
    cause: 'The files are no complete publication of the list: broken, truncated, of another format, or without entries.',
    remedy: 'Download the list again; detail names the file, the line and the reason. The active version is still in use.',
  },
  pack_not_found: {
    status: 404,
    title: 'Pack not found',
    cause: 'There is no pack with this id.',
    remedy: 'Check the id; GET /operator/packs lists all packs.',
  },
  pack_state_not_allowed: {
    status: 409,
    title: 'Pack in another state',
    cause:
      'Only a pack that the scheme refused, that was not answered in time, or whose message could not be made can be declared not sent.',
    remedy: 'Read the pack again. Wait for the answer to a pack that was delivered.',
  },
  message_not_found: {
    status: 404,
    title: 'Message not found',
    cause: 'No message with this id was sent or received.',
    remedy: 'Check the id; GET /operator/messages lists all messages.',
  },
  rate_missing: {
    status: 422,
    title: 'Exchange rate missing',
    cause: 'The bank has no valid exchange rate from the debit currency to the credit currency. The inverse of a rate is not used.',
    remedy: 'Order the transfer in one currency, or try again once the bank has set the rate.',
  },
  exchange_not_today: {
    status: 422,
    title: 'Exchange not today',
    cause: 'A transfer in two currencies gets the rate of now, so it cannot be for a later day.',
    remedy: 'Leave settlement_date out, or order the transfer on the day on which it is to be sent.',
  },
  nothing_to_pay_out: {
    status: 422,
    title: 'Nothing to pay out',
    cause:
      'No card money in the currency of the payout account is available: none is payable, it is too recent, or it is on its way back to payers.',
    remedy: 'Read GET /balance, and try again when available is above zero. The daily payout is automatic.',
  },
  payable_insufficient: {
    status: 422,
    title: 'Payable card money insufficient',
    cause:
      'More money would go back to the payer than is payable to the venture, and the rest cannot be taken from its payout account. The card money has been paid out.',
    remedy: 'Pay money into the payout account, name one that is ACTIVE, or wait for further card payments, then send the request again.',
  },
  payout_account_missing: {
    status: 422,
    title: 'Payout account missing',
    cause: 'The venture has not named the account that its card money is to be paid out to.',
    remedy: 'Name one with PUT /api/v1/payout-settings.',
  },
  refund_exceeds_payment: {
    status: 422,
    title: 'Refund exceeds payment',
    cause: 'The refund is larger than what is left of the payment.',
    remedy: 'Refund at most refundable_amount.',
  },
  transfer_method_invalid: {
    status: 422,
    title: 'Transfer method not usable',
    cause: 'The method cannot be used for the type, the direction, the currency or the amount of this transfer.',
    remedy: 'Leave method out to have it chosen, or send one that fits; detail says what does not fit.',
  },
  beneficiary_needs_account: {
    status: 422,
    title: 'Bank account missing',
    cause: 'A beneficiary needs an IBAN or an account number.',
    remedy: 'Send iban for a SEPA beneficiary, otherwise account_number.',
  },
  client_underage: {
    status: 422,
    title: 'Client underage',
    cause: 'A client must be at least 18 years old.',
    remedy: 'Check date_of_birth; the client can be registered on or after their 18th birthday (UTC).',
  },
  endpoint_url_refused: {
    status: 422,
    title: 'Webhook URL refused',
    cause: 'The service may not call this URL.',
    remedy: 'Use an https URL with a public host name, without user name or password.',
  },
  identity_field_immutable: {
    status: 422,
    title: 'Identity field cannot change',
    cause: 'Identity fields are fixed when a client is registered.',
    remedy: 'Leave the fields listed in errors out, or send their current values; register a new client for another person.',
  },
  invalid_bic: {
    status: 422,
    title: 'Invalid BIC',
    cause: 'The BIC or SWIFT code is not valid.',
    remedy: 'Send the 8 or 11 characters of the BIC without spaces, such as DEUTDEFF.',
  },
  invalid_iban: {
    status: 422,
    title: 'Invalid IBAN',
    cause:
      'The IBAN has the wrong length for its country, contains other characters than letters and digits, or its check digits are wrong.',
    remedy: 'Check the IBAN for typing errors, and send it without spaces.',
  },
  invalid_routing_number: {
    status: 422,
    title: 'Invalid routing number',
    cause: 'The ABA routing number does not have nine digits, or its check digit is wrong.',
    remedy: 'Check the routing number for typing errors.',
  },
  query_too_broad: {
    status: 422,
    title: 'Query too broad',
    cause: 'Too many rows would have to be looked through for this list, so it could not be completed in time.',
    remedy:
      'Narrow the list: add date_from and date_to or another filter, search for at least three letters or digits in a row, and follow the Link header (after) instead of using a large offset. The parameters of the request are listed in parameters.',
  },
  statement_too_long: {
    status: 422,
    title: 'Statement too long',
    cause: 'The interval has more lines than a statement in this format may have.',
    remedy:
      'Ask for several statements of shorter intervals, which join without a gap: from and to may be times, too. Or use a format that allows more lines. detail names both numbers.',
  },
  too_many_lists: {
    status: 429,
    title: 'Too many lists at once',
    cause: 'The venture has sent more lists and searches at the same time than the service can answer in time.',
    remedy:
      'Wait as many seconds as the Retry-After header says, then send the list again; send fewer lists at the same time, and narrow slow ones with filters.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many pages listen at once',
    cause: 'More pages of the console listen for changes than this instance serves, or than one person or one venture may have listening.',
    remedy: 'Wait as many seconds as the Retry-After header says. The console tries again; until then, reload its pages to see changes.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    cause: 'The venture has used up its requests for this minute.',
    remedy: 'Wait as many seconds as the Retry-After header says, then send the request again.',
  },
  too_many_requests_open: {
    status: 429,
    title: 'Too many open requests',
    cause:
      'Fifty requests of this person wait for a second one already. An approver who has to look at a thousand small requests looks at none of them.',
    remedy: 'Have pending requests decided, or withdraw some, then ask again.',
  },
  too_many_sign_ins: {
    status: 429,
    title: 'Too many sign-ins',
    cause:
      'Within 15 minutes, there were too many failed sign-ins for this email or from this address, or this address has asked for too many challenges.',
    remedy: 'Wait as many seconds as the Retry-After header says, or sign in with a passkey.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    cause: 'The headers of the request are larger than the service accepts.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    cause: 'The service failed unexpectedly.',
    remedy: 'Report request_id to the operator. Check whether a change was made before you send the request again.',
  },
  gateway_missing: {
    status: 503,
    title: 'Card gateway not configured',
    cause: 'No card gateway is configured, so there are no card payments.',
    remedy: 'The operator must set GATEWAY_URL, GATEWAY_USER and GATEWAY_PASSWORD, or turn the sandbox on.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    cause: 'The database cannot be reached or is overloaded. Nothing was changed.',
    remedy: 'Wait as many seconds as the Retry-After header says, then send the same request again.',
  },
  outcome_unknown: {
    status: 503,
    title: 'Outcome unknown',
    cause:
      'The connection to the database or to the card gateway broke while the change was being made, or a standby of the database has not confirmed it, so it may or may not have been made.',
    remedy:
      'Wait as many seconds as the Retry-After header says, then read the resource, or repeat the request with the same Idempotency-Key, unique_reference or external_refund_id, which is never carried out twice.',
  },
} as const satisfies Record<string, Kind>

export type RefusalCode = keyof typeof catalogue

export type FieldError = { field: string; message: string }

/** Every detail becomes a member of the problem, next to `detail` and `errors`. */
export type RefusalDetails = { detail?: string; errors?: FieldError[]; [member: string]: unknown }

export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly details: RefusalDetails

  constructor(code: RefusalCode, details: RefusalDetails = {}) {
    // A refusal is a normal response and never logged with a stack trace, so none is captured (3 µs each).
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(details.detail ?? `${catalogue[code].cause} ${catalogue[code].remedy}`)
    Error.stackTraceLimit = limit
    this.code = code
    this.details = details
  }
}

/** Joins words for the detail of a refusal: `A, B or C`. */
export function either(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' or ')
}

export function refuse(code: RefusalCode, details?: RefusalDetails): never {
  throw new Refusal(code, details)
}

export function refuseField(field: string, message: string): never {
  refuse('invalid_request', { detail: `${field} ${message}.`, errors: [{ field, message }] })
}

/** What stops a move of a transfer, also one that a decision of a case makes. */
export const moving = [
  'transfer_not_found',
  'transfer_terminal',
  'transfer_transition_not_allowed',
  'screening_required',
  'reservation_required',
  'already_reserved',
  'already_sent',
  'not_sent',
  'not_received',
  'not_cleared',
  'in_suspense',
  'account_closed',
  'account_frozen',
  'client_blocked',
  'venture_disabled',
  'settled_on_us',
  'sent_by_rails',
  'decided_by_case',
  'limit_exceeded',
  'insufficient_funds',
  'balance_too_large',
  'parent_invalid',
] as const satisfies readonly RefusalCode[]
