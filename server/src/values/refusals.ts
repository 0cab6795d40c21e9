// All refusals of the service. The domain throws a Refusal with a code; the catalogue defines what each code means and is the source of
// the page of error codes. Any other exception is a bug.

/** `cause` and `remedy` are whole sentences in plain text. Together they are the `detail` of a refusal that does not set its own. */
type Kind = { status: number; title: string; cause: string; remedy: string }

export const catalogue = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    cause: 'The bytes received are not a valid HTTP request.',
    remedy: 'Check the HTTP client and any proxies, then send the request again.',
  },
  malformed_body: {
    status: 400,
    title: 'Malformed body',
    cause: 'The body cannot be read: it is empty, it is not valid JSON in UTF-8, it contains a field twice, or it is nested too deeply.',
    remedy: 'Send one JSON object in UTF-8 with the fields of the operation. detail says what is wrong.',
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
    remedy: "Sign the exact bytes that you send, using the current secret, and check the sender's clock.",
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    cause: 'The API key is missing, unknown or disabled, or the console session has ended.',
    remedy:
      'Send a valid key in the Authorization header (Bearer) or the X-API-Key header. In the console, sign in again. Outside the console, people sign in with POST /api/v1/session.',
  },
  sign_in_failed: {
    status: 401,
    title: 'Sign-in failed',
    cause: 'The email, the password or the passkey is wrong, or the user is disabled.',
    remedy: 'Check them and try again. If you have forgotten your password, ask an admin for a reset link.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    cause: 'The key or user is valid, but may not use this operation.',
    remedy: 'Use a key or a user with the scope or role named in detail.',
  },
  foreign_origin: {
    status: 403,
    title: 'Not from the console',
    cause: 'The request signs in or carries a session cookie, but it does not come from the console.',
    remedy: 'Open the console at its own URL (CONSOLE_URL or PUBLIC_URL). Programs use an API key instead.',
  },
  console_needs_https: {
    status: 403,
    title: 'The console needs HTTPS',
    cause: 'The console is configured with a plain HTTP URL on a host other than localhost, so a session could be stolen in transit.',
    remedy: 'The operator must set CONSOLE_URL or PUBLIC_URL to an https URL.',
  },
  passkey_required: {
    status: 403,
    title: 'Passkey required',
    cause:
      'The session was started with a password alone. People of the bank need a passkey, and so do people of a venture who may create keys, people, endpoints or payments. A person who has a passkey needs it for every sensitive operation.',
    remedy:
      'Use your passkey with POST /api/v1/session/reauthentication/passkey. If you have none, register one with POST /api/v1/session/passkeys.',
  },
  reauthentication_required: {
    status: 403,
    title: 'Reauthentication required',
    cause:
      'Operations on keys, secrets, roles and approvals require that you entered your password or used a passkey within the last ten minutes.',
    remedy: 'Use a passkey, or if you have none, send your password to POST /api/v1/session/reauthentication. Then repeat the request.',
  },
  reserved_to_bank: {
    status: 403,
    title: 'Reserved to the bank',
    cause: "The bank processes this venture's transfers and reserves this operation, or a field of the request, to itself.",
    remedy: 'Leave it to the bank. detail says what is reserved and why; the guide "Reserved to the bank" has the full list.',
  },
  signer_not_allowed: {
    status: 403,
    title: 'Signer not allowed',
    cause: "The bank's policy for the venture does not allow this signer.",
    remedy:
      'Have the transfer signed by a signer that the policy allows. If signer is other, the key or person that ordered the transfer cannot sign it; if signer is user, a person who did not order it must sign.',
  },
  not_yours_to_sign: {
    status: 403,
    title: 'Not yours to sign',
    cause:
      "A client's orders are signed on the client's side. People of the bank cannot sign them, neither alone nor with a second person.",
    remedy: 'Let the venture sign it. If the bank itself has to pay, order a payment and let a second person of the bank approve it.',
  },
  approval_required: {
    status: 403,
    title: 'Approval required',
    cause:
      'One person of the bank may not do this alone, because it orders a payment or makes one possible, releases something that the bank has stopped, or records what the clearing scheme has done.',
    remedy: 'Let a second person of the bank approve it, or decide the case that belongs to it.',
  },
  admin_key_retired: {
    status: 403,
    title: 'Admin key retired',
    cause:
      'The admin key is for setting up a bank. Once two admins of the bank have had a passkey, it can only invite a third; once three have had one, it can do nothing. Losing a passkey does not change this.',
    remedy:
      'Sign in as a person of the bank, and use bank keys for programs. If every admin is locked out, start the service with ADMIN_API_KEY_SCOPE=set-up.',
  },
  key_seen_by_bank: {
    status: 403,
    title: 'Key seen by the bank',
    cause:
      'The bank created this key, or it was created with such a key, so the bank has seen it. In a MANAGED venture such a key can read data and set things up, but cannot move money or enable a later order.',
    remedy: 'Let an admin of the venture create a key in the console or with POST /api/v1/venture/keys, and use that key for orders.',
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
    cause:
      'A MANAGED venture with an active admin invites and resets its own people. The bank does so only while there is no active admin.',
    remedy:
      'Let an admin of the venture do it. If none of them can sign in, two people of the bank remove the admins and then invite or reset a person.',
  },
  pair_not_yours: {
    status: 403,
    title: 'Pair not yours to clear',
    cause:
      'The admin who clears a pair must be a third person who is not related to either of the two. A relation counts even if it has been cleared.',
    remedy: 'Let the pair be cleared by an admin of the bank who neither invited one of the two nor was invited by one of them.',
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
    remedy: 'Check the id, and check that the key belongs to the venture that owns the account.',
  },
  mandate_not_found: {
    status: 404,
    title: 'Mandate not found',
    cause: 'The venture has no mandate with this id.',
    remedy: 'Check the id, and check that the key belongs to the venture that registered the mandate.',
  },
  payee_verification_not_found: {
    status: 404,
    title: 'Payee verification not found',
    cause: 'The venture has no payee verification with this id.',
    remedy: 'Check the id, and check that the key belongs to the venture that requested the verification.',
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
    cause: 'The sandbox verifier has no application for this client, or the link is wrong.',
    remedy: "Submit the client's onboarding details, which creates the application, then try again.",
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
  question_not_found: {
    status: 404,
    title: 'Question not found',
    cause: 'There is no question with this id, or it was asked of another venture.',
    remedy: 'Check the id. GET /questions lists the questions.',
  },
  file_not_found: {
    status: 404,
    title: 'File not found',
    cause: 'The case has no file with this id.',
    remedy: 'Check the id. The case lists its files.',
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
    remedy: 'Check the id, and check that the key belongs to the venture that owns the beneficiary.',
  },
  client_not_found: {
    status: 404,
    title: 'Client not found',
    cause: 'The venture has no client with this id.',
    remedy: 'Check the id, and check that the key belongs to the venture that owns the client.',
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
    remedy: 'Check the id, and check that the key belongs to the venture that owns the endpoint.',
  },
  event_not_found: {
    status: 404,
    title: 'Event not found',
    cause: "The venture has no event with this id, or the bank has archived the event's month.",
    remedy: 'Check the id. To follow all events from the beginning, use since=start; to follow only new events, use since=now.',
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
    cause:
      'The request log has no request with this id: it never existed, it is more than seven days old, or it was sent by another venture.',
    remedy: 'Check the id. To find a request by the X-Request-Id of its response, list the requests with request_id.',
  },
  job_not_found: {
    status: 404,
    title: 'Job not found',
    cause: 'There is no job with this id: it never existed, it has finished, or it was dropped.',
    remedy: 'List the jobs to find the id.',
  },
  link_not_found: {
    status: 404,
    title: 'Link not found',
    cause: 'No set-up, invitation or reset link has this id, or this secret and code.',
    remedy: 'Copy the whole link, including the part after #, and enter its code if two people created it. Otherwise ask for a new link.',
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
    remedy: 'Check the id, and check that the key belongs to the venture that owns the payment.',
  },
  payment_link_not_found: {
    status: 404,
    title: 'Payment link not found',
    cause: 'The venture has no payment link with this id.',
    remedy: 'Check the id, and check that the key belongs to the venture that owns the link.',
  },
  payout_not_found: {
    status: 404,
    title: 'Payout not found',
    cause: 'The venture has no payout with this id.',
    remedy: 'Check the id, and check that the key belongs to the venture that owns the payout.',
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
    remedy: 'Check the id, and check that the key belongs to the venture that owns the transfer.',
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
    cause: 'There is no inbound payment with this id.',
    remedy: 'Check the id against the list of inbound payments.',
  },
  demo_not_started: {
    status: 404,
    title: 'No demo bank',
    cause: 'Nobody has started the demo bank on this service.',
    remedy: 'Start it with POST /sandbox/demo, on a service that has no ventures.',
  },
  request_log_off: {
    status: 409,
    title: 'Request log off',
    cause: 'The request log is off, and no requests are left from before it was turned off.',
    remedy: 'Ask the person who runs the service to set REQUEST_LOG=on. Requests are then kept for seven days.',
  },
  service_not_empty: {
    status: 409,
    title: 'The service is not empty',
    cause: 'The demo bank can only be created on a service without ventures, so that it does not mix with existing data.',
    remedy: 'Use a new data folder or a new database.',
  },
  demo_running: {
    status: 409,
    title: 'Another demo bank is being made',
    cause: 'A demo bank with another seed is being created on this service.',
    remedy: 'Follow it with GET /sandbox/demo, or use another service for your seed.',
  },
  demo_not_possible: {
    status: 409,
    title: 'The settings do not allow the demo bank',
    cause: "The demo bank needs the sandbox's stand-ins for partners, and an admin key that may act alone.",
    remedy: 'Change the setting named in detail, or start Vostro with npm run demo.',
  },
  sandbox_payment_not_found: {
    status: 404,
    title: 'Payment of the simulated bank not found',
    cause: 'The simulated bank has sent us no payment with this id.',
    remedy: 'Use the id of a payment in GET /sandbox/bank whose direction is IN.',
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
    cause: 'There is no clearing of a pair with this id.',
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
    cause: 'No statement of this nostro has been applied for this day or an earlier one.',
    remedy: "Choose a day on or after the nostro's first statement; see its list of statements.",
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
    cause: 'The path exists, but does not support this method.',
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
    cause: 'Another request about the same resource is waiting for its second person. A resource can have only one open request.',
    remedy: 'Have the request in approval_id approved or rejected first.',
  },
  verification_running: {
    status: 409,
    title: 'Verification running',
    cause: 'A verification is already running. It reads the whole database, so only one can run at a time.',
    remedy: 'Wait until that run has ended, and read its findings in the list of verifications.',
  },
  approval_not_pending: {
    status: 409,
    title: 'Approval not pending',
    cause: 'The approval has already been decided, or it has expired.',
    remedy: 'Read the approval. If the action is still wanted, request it again.',
  },
  own_approval: {
    status: 409,
    title: 'Own approval',
    cause: 'The person who made a request can withdraw it, but cannot approve it.',
    remedy: 'Let another person of the bank decide, or withdraw the request with POST /api/v1/operator/approvals/{approval_id}/reject.',
  },
  related_approval: {
    status: 409,
    title: 'Related approval',
    cause:
      'The requester and the approver count as one person. Either one of them invited the other, reset their access, gave them a role, or approved one of these; or one person alone added both to a venture or reset both; or the admin key added one of them within the last seven days.',
    remedy:
      'The approver must be a person who neither invited the requester nor was invited by them, and whom another person added. A third admin who is not related to either of the two can clear the pair with POST /api/v1/operator/pairs/clearings. Any admin or operator can reject the request.',
  },
  four_eyes_off: {
    status: 409,
    title: 'Four-eyes approval is off',
    cause:
      'Outside the sandbox, the bank processes transfers for a venture only while four-eyes approval is on: money of clients cannot move without two people.',
    remedy: 'Start every instance with FOUR_EYES=on, then register the venture as MANAGED or change its control.',
  },
  pair_not_related: {
    status: 409,
    title: 'Pair not related',
    cause: 'The two people are not related, or their relation has already been cleared.',
    remedy: "They can approve each other's requests.",
  },
  decided_by_case: {
    status: 409,
    title: 'Decided by a case',
    cause:
      'Money that arrived by IBAN can enter and leave CREDIT_TECH_BALANCE only together with its case, and a transfer with an open case of the ' +
      'kind hit, rule or amount leaves review only when the case is decided.',
    remedy: "Decide the case. To find it, use GET /operator/cases with the transfer's id as resource_id.",
  },
  watchlist_name_used: {
    status: 409,
    title: 'Name of a watch list in use',
    cause: 'Another watch list has this name.',
    remedy: 'Import a new version of that list, or choose another name.',
  },
  watchlist_version_exists: {
    status: 409,
    title: 'Version imported already',
    cause: 'The same files have been imported before, as the version in version_id.',
    remedy: 'Use that version. If the publisher has a newer version, download and import that one.',
  },
  watchlist_version_deleted: {
    status: 409,
    title: 'Version deleted',
    cause: 'The entries of the version have been deleted, because the version had been inactive for a long time.',
    remedy: 'Import its files again and activate the new version.',
  },
  watchlist_shrunk: {
    status: 409,
    title: 'Watch list much smaller',
    cause: 'The version has at least 20 % fewer entries or names than the active one, so a file may be cut off.',
    remedy:
      'Check that the files are complete and that none is missing. If the publisher really removed that much, activate the version with force.',
  },
  case_decided: {
    status: 409,
    title: 'Case decided',
    cause: 'The case has already been decided and cannot be changed.',
    remedy: 'Read the case to see its decision.',
  },
  case_open: {
    status: 409,
    title: 'Case already open',
    cause: 'A case that was opened by hand about this resource is still open.',
    remedy: 'Add to that case, whose id is in case_id.',
  },
  question_not_possible: {
    status: 409,
    title: 'Nobody to ask',
    cause: 'The case concerns no venture, so there is nobody to ask.',
    remedy: 'Open a case of the venture, link it with this one, and ask there.',
  },
  question_answered: {
    status: 409,
    title: 'Question answered',
    cause: 'The question has already been answered. An answer cannot be changed, and no more files can be sent for it.',
    remedy: 'Ask the bank for another question if something has to be added.',
  },
  too_many_files: {
    status: 409,
    title: 'Too many files',
    cause: 'There are already 20 files for this question.',
    remedy: 'Put several documents into one PDF.',
  },
  inbound_payment_booked: {
    status: 409,
    title: 'Message already booked',
    cause: 'A message with this sender, kind and tx_id has been booked before.',
    remedy: 'Do nothing. existing_id and booked_as say what the message was booked as.',
  },
  venture_not_managed: {
    status: 409,
    title: 'Venture not managed',
    cause: 'The venture processes its own transfers, so the bank books nothing for it.',
    remedy: 'Use an account of a venture whose control is MANAGED.',
  },
  unapplied_payment_decided: {
    status: 409,
    title: 'Unapplied payment already decided',
    cause: 'The payment was already applied, returned or paid out.',
    remedy: 'Read the unapplied payment to see the decision.',
  },
  break_decided: {
    status: 409,
    title: 'Break already decided',
    cause: 'The break was already decided, or was closed because nothing was left to decide.',
    remedy: 'Read the break to see the decision.',
  },
  nostro_exists: {
    status: 409,
    title: 'Account or rail taken',
    cause: 'The account already belongs to another nostro, or one of the rails already settles this currency on another nostro.',
    remedy: 'Check the list of nostros. An account can be only one nostro, and a rail settles each currency on one nostro.',
  },
  client_mismatch: {
    status: 409,
    title: 'Money of another client',
    cause: 'The money belongs to one client, and the request would give it to another person.',
    remedy: 'Choose an account of the client in client_id.',
  },
  client_sanctioned: {
    status: 409,
    title: 'Money is frozen',
    cause: 'The client is blacklisted, so the money may be frozen because of sanctions and must not leave.',
    remedy:
      'Check the client. If the blacklisting is wrong, have two people of the bank remove the client from the blacklist, then repeat the request.',
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
    cause: "The move would book money on a closed account: the transfer's own account or the receiving one.",
    remedy: 'End the transfer with one of the statuses in allowed, and use another account for new transfers.',
  },
  account_not_active: {
    status: 409,
    title: 'Account not active',
    cause: 'Transfers can be created only on ACTIVE accounts.',
    remedy: 'If the account is PENDING or SUSPENDED, activate it. If it is CLOSED, use another account.',
  },
  mandate_exists: {
    status: 409,
    title: 'Mandate exists',
    cause: 'The creditor already has a mandate with this reference, which may be active or not.',
    remedy: 'Use that mandate, or choose another reference.',
  },
  mandate_not_active: {
    status: 409,
    title: 'Mandate not active',
    cause: 'The mandate was cancelled, or it has expired because it was not used for 36 months.',
    remedy: 'Ask the debtor for a new mandate and register it.',
  },
  epc_qr_not_possible: {
    status: 409,
    title: 'No EPC QR code for this account',
    cause: 'An EPC QR code requests a SEPA credit transfer in euros, which this account cannot receive.',
    remedy: 'Use an ACTIVE account in EUR whose IBAN is in SEPA. detail says what is missing.',
  },
  account_not_empty: {
    status: 409,
    title: 'Account not empty',
    cause: 'An account can be closed only when its current and reserved balances are zero and no money is held in suspense for it.',
    remedy: 'Pay out the balance, wait until pending transfers have ended, and move money out of suspense. Then close the account.',
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
      "The transfer has been sent to the clearing scheme, so it cannot be sent again or changed, and only the scheme's answer can end it.",
    remedy: "Wait for the scheme's answer, and send it as third_party_status in the same request as the status.",
  },
  already_member: {
    status: 409,
    title: 'Already a member',
    cause: 'The person already belongs to the venture or to the bank.',
    remedy: "Change the person's role instead.",
  },
  already_set_up: {
    status: 409,
    title: 'Already set up',
    cause: 'The bank already has an admin, so set-up links no longer work.',
    remedy: 'Ask an admin of the bank for an invitation.',
  },
  bank_has_admins: {
    status: 409,
    title: 'The bank has admins',
    cause: 'The admin key may invite admins of the bank only while fewer than three are active.',
    remedy: 'Ask an admin of the bank for the invitation.',
  },
  client_blocked: {
    status: 409,
    title: 'Client blocked',
    cause: 'A client that is blocked, blacklisted or DECLINED can neither send money nor receive internal transfers.',
    remedy:
      'Review the client. Send the request again once blocked and is_blacklisted are false and kyc_status is not DECLINED, or end the transfer.',
  },
  account_frozen: {
    status: 409,
    title: 'Account frozen',
    cause: 'The bank has frozen the account, so no money can leave it.',
    remedy: 'Wait until the bank activates the account again.',
  },
  compliance_pending: {
    status: 409,
    title: 'Compliance pending',
    cause:
      'An account can be activated for the first time only if its client is verified or needs no verification, and is neither blocked nor blacklisted.',
    remedy: "Complete the client's verification or lift the block, then activate the account.",
  },
  idempotency_key_in_use: {
    status: 409,
    title: 'Idempotency key in use',
    cause: 'Another request with this Idempotency-Key is still being carried out.',
    remedy: 'Wait for the number of seconds in the Retry-After header, then send the same request again.',
  },
  idempotency_secret_shown: {
    status: 409,
    title: 'Secret already shown',
    cause:
      'A request with this Idempotency-Key has already been carried out. Its response contained a secret that is shown only once. resource_id is what the request created.',
    remedy: 'If you lost the response, rotate the key or secret of that resource.',
  },
  email_used: {
    status: 409,
    title: 'Email already used',
    cause: 'Another client already has this email. Emails are unique across all clients.',
    remedy: 'Use another email, or update the existing client if it is the same person.',
  },
  endpoint_limit: {
    status: 409,
    title: 'Too many webhook endpoints',
    cause: 'The venture has as many webhook endpoints as allowed; limit is the maximum.',
    remedy: 'Delete an endpoint that you no longer need, or let one endpoint receive more event types.',
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
      'The signed_hash in the request is not the hash of this transfer: the signer saw different amounts, another payee or another date.',
    remedy: 'Read the transfer again, compare it with what was meant to be signed, and sign it only if they match.',
  },
  signature_not_requested: {
    status: 409,
    title: 'No signature requested',
    cause: 'The transfer is not waiting for a signature: it needs none, or it already has one.',
    remedy: 'Sign only transfers with the status TO_SIGN.',
  },
  settled_on_us: {
    status: 409,
    title: 'Settled within the bank',
    cause: 'The payment goes to an account in this bank and has been sent, so the service settles both sides itself.',
    remedy: 'Wait a moment and read the transfer again.',
  },
  sent_by_rails: {
    status: 409,
    title: 'Sent by the rails',
    cause:
      'The payment leaves the bank in a message, or is an instant payment whose confirmation the clearing system still owes. Only the rails, which write and read those messages, can move it.',
    remedy: 'Leave the payment to the rails. To stop one that has not left, put it ON_HOLD or cancel it.',
  },
  instant_not_possible: {
    status: 409,
    title: 'No instant payment now',
    cause: 'The bank does not send instant payments from this account at the moment.',
    remedy: 'Order the payment without is_instant, or try again later.',
  },
  in_suspense: {
    status: 409,
    title: 'Money in suspense',
    cause: 'The money has been received and is held in suspense, so the transfer cannot end with this status.',
    remedy: 'Credit the money with COMPLETED, return it with TO_RETURN and then REJECTED, or freeze it with AML_REJECTED.',
  },
  not_cleared: {
    status: 409,
    title: 'Authorisation not cleared',
    cause: 'The authorisation still holds money, and an authorisation itself books nothing.',
    remedy:
      'Clear or reverse the rest; the service then completes the authorisation. To release the rest, move the authorisation to CANCELLED.',
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
    cause: 'Onboarding details can be submitted only once per client.',
    remedy: 'Read them with GET /api/v1/clients/{client_id}/onboarding/details.',
  },
  payout_changed: {
    status: 409,
    title: 'Payout changed meanwhile',
    cause:
      'While the payout was being created, another payout, a refund or a new payout account changed what can be paid out. Nothing was paid out.',
    remedy: 'Send the request again.',
  },
  payment_transition_not_allowed: {
    status: 409,
    title: 'Payment transition not allowed',
    cause: "The payment's current status does not allow this, or a refund or cancellation is under way.",
    remedy:
      'Read the payment to see its current status. A payment can be canceled while it is PENDING or PAID, and refunded while it is PAID.',
  },
  refund_exists: {
    status: 409,
    title: 'Refund already exists',
    cause: 'A refund of this payment has the same external_refund_id but another amount.',
    remedy: 'To get the result of that refund, send its amount. For a new refund, choose a new external_refund_id.',
  },
  refund_refused: {
    status: 409,
    title: 'Refund refused',
    cause: 'The card gateway refused the refund.',
    remedy: "Look up gateway_error_code in the gateway's documentation, then try again with a new external_refund_id.",
  },
  receiver_not_active: {
    status: 409,
    title: 'Receiving account not active',
    cause: 'The receiving account of an internal transfer must be ACTIVE.',
    remedy: 'Activate the receiving account, or choose another beneficiary.',
  },
  reservation_required: {
    status: 409,
    title: 'Money not reserved',
    cause: 'The money must be reserved on the account before the transfer is sent or completed.',
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
    cause: 'Another request changed the policy at the same time.',
    remedy: 'Read the policy again, and repeat the change if it is still needed.',
  },
  policy_invalid: {
    status: 422,
    title: 'Policy invalid',
    cause: 'The fields of the policy contradict each other, or a rule can never apply.',
    remedy: 'Correct the fields listed in errors.',
  },
  processed_by_bank: {
    status: 409,
    title: 'Processed by the bank',
    cause: 'The bank processes this transfer, so the sandbox cannot settle it.',
    remedy: 'Wait for the bank to process it, or use a venture whose control is OPEN.',
  },
  sandbox_payment_not_recallable: {
    status: 409,
    title: 'Payment of the simulated bank not recallable',
    cause: 'The payment has not settled, has been returned, or has already been recalled.',
    remedy: 'A payment can be recalled once, while it is SETTLED.',
  },
  message_not_applied: {
    status: 409,
    title: 'Message still not applied',
    cause: 'The message, or the one of its transactions that the case is about, still cannot be applied.',
    remedy: 'Fix what is missing according to detail and decide the case again, or drop the message.',
  },
  recall_not_possible: {
    status: 409,
    title: 'Recall not possible',
    cause: 'The payment cannot be recalled or given back in its current state.',
    remedy: 'If the payment has not been sent, cancel it. A payment that was returned or rejected needs no recall.',
  },
  recall_pending: {
    status: 409,
    title: 'Recall pending',
    cause: 'The payment has been recalled, but the other bank has not answered yet.',
    remedy: "Wait for the answer; it will appear in the transfer's list of recalls.",
  },
  resource_changed: {
    status: 409,
    title: 'Resource changed',
    cause: 'The resource has changed since the request was made.',
    remedy: 'Read the resource again, and repeat the request if it is still wanted.',
  },
  venture_disabled: {
    status: 409,
    title: 'Venture disabled',
    cause: 'The venture is disabled. Until it is enabled again, its orders are not processed, and payments that arrive for it wait.',
    remedy: 'Enable the venture first. Payments that have been sent settle in any case.',
  },
  venture_has_books: {
    status: 409,
    title: 'Venture has books',
    cause: 'The venture already has clients, transfers or entries, which follow the rules of its current control.',
    remedy: 'Register another venture with the other control.',
  },
  transfer_terminal: {
    status: 409,
    title: 'Transfer ended',
    cause: 'The transfer has a terminal status, which cannot change.',
    remedy: 'Create a new transfer. To undo a COMPLETED transfer, create a return or a reversal with parent_transaction_id.',
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
    cause: 'The job is running or will be retried automatically. Only a dead job can be retried or dropped by hand.',
    remedy: 'Wait until the job is done or dead.',
  },
  key_limit: {
    status: 409,
    title: 'Too many API keys',
    cause: 'A venture, or the bank, can have at most 100 API keys that have not been revoked.',
    remedy: 'Revoke keys that you no longer use.',
  },
  last_admin: {
    status: 409,
    title: 'Last admin',
    cause: "The bank's last active admin cannot be disabled or lose the admin role.",
    remedy: 'Make another person an admin first.',
  },
  user_elsewhere: {
    status: 409,
    title: 'User of other ventures',
    cause:
      'The person also belongs to another venture or to the bank, so this venture can neither reset the password nor sign out a person of the bank.',
    remedy: 'Ask the bank for a reset link. The bank resets its own people with POST /api/v1/operator/users/{user_id}/reset.',
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
    cause: 'A verification event with the same id but different content has already been recorded.',
    remedy: 'Give every event its own id. The first event stays in effect, and the operator can see both.',
  },
  unique_reference_used: {
    status: 409,
    title: 'unique_reference already used',
    cause: 'Another transfer already has this unique_reference. References are unique across all transfers.',
    remedy: 'If you are repeating a request, read the transfer in existing_transfer_id. For a new transfer, use a new unique_reference.',
  },
  link_expired: {
    status: 410,
    title: 'Link expired',
    cause: 'The link has already been used, was revoked, or has expired.',
    remedy: 'Ask the person who created it for a new one.',
  },
  file_too_large: {
    status: 413,
    title: 'File too large',
    cause: 'The file is larger than 10 MiB.',
    remedy: 'Send a smaller file, or several.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    cause:
      'The body is too large. The limit is 64 KiB for a body and for each order of a bulk request, 2 MiB for a whole bulk request, 512 KiB for a list of reachable banks, and 10 MiB for a file. The operator sets the limit for the files of a watch list.',
    remedy: 'Send a smaller body.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    cause: 'The body is not declared as application/json, is not in UTF-8, or is compressed.',
    remedy: 'Send the header Content-Type: application/json and the body in UTF-8, uncompressed.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    cause: 'A different request to this operation was carried out with this Idempotency-Key within the last 24 hours.',
    remedy: 'Use a new key for each new request. To repeat a request, send it unchanged.',
  },
  bulk_refused: {
    status: 422,
    title: 'Bulk refused',
    cause: 'At least one order of the bulk request was refused. Because atomic is true, none of the orders was carried out.',
    remedy:
      'Correct or remove the orders in refused, which has the index and problem of each, and send the request again. With atomic: false, each order stands alone.',
  },
  payee_check_required: {
    status: 422,
    title: 'Payee not verified',
    cause: "The bank requires that the payee's name and IBAN were verified within the last 24 hours.",
    remedy: 'Verify them with POST /api/v1/payee-verifications, show the result to the payer, and order the transfer again.',
  },
  payee_check_not_accepted: {
    status: 422,
    title: 'Name of the payee not accepted',
    cause:
      "The payee's name does not match the account holder's, or is only a close match. result says which, and matched_name has the name of a close match.",
    remedy: 'Correct the beneficiary. If the payer accepts the result, send payee_check_accepted: true.',
  },
  passkey_refused: {
    status: 422,
    title: 'Passkey refused',
    cause:
      'The passkey could not be verified: the challenge has expired or was not issued to this session, the origin is wrong, or the passkey is already registered.',
    remedy: 'Start the registration again in the console.',
  },
  weak_password: {
    status: 422,
    title: 'Weak password',
    cause: 'The password is too short, too long, too repetitive or too easy to guess, or it contains the email address.',
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
    cause: 'A field in details is missing, unknown or wrong, or the decision takes no details.',
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
    remedy:
      'Correct the amounts. In one currency, both amounts are equal; between currencies, credit_amount is debit_amount times exchange_rate.',
  },
  file_type_invalid: {
    status: 422,
    title: 'Type of file not accepted',
    cause: 'The file is not a PDF, PNG, JPEG or plain text, or its content is not what its type says.',
    remedy: 'Send the file as a PDF, with its type.',
  },
  question_tips_off: {
    status: 422,
    title: 'The question tips off',
    cause:
      'The text names a person or company on a watch list whom the case, or a case linked with it, is about. The venture must not learn of that.',
    remedy: 'Ask without the name: name the payment or the client by its id, date or amount.',
  },
  balance_too_large: {
    status: 422,
    title: 'Balance too large',
    cause: "The account's balance would exceed what the service can store.",
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
      'The mandate does not exist, is for another account or debtor, or is a one-off mandate that has been used; or the transfer is not a collection.',
    remedy: 'Use an ACTIVE mandate of the account, and leave out dr_name, dr_iban, direction and method. detail says what does not fit.',
  },
  beneficiary_mismatch: {
    status: 422,
    title: 'Beneficiary does not match',
    cause:
      'The creditor in the request is not the one that receives the money: the beneficiary, the account of an inbound transfer, or for a return, the account that the money came from.',
    remedy:
      "Leave cr_iban and cr_bank_bic out, or send the beneficiary's. For a return, use a beneficiary with the debtor account of the parent transfer.",
  },
  beneficiary_required: {
    status: 422,
    title: 'Beneficiary required',
    cause: 'An outbound transfer needs a beneficiary.',
    remedy: "Create a beneficiary for the account's client, and send its id as beneficiary_id.",
  },
  currency_mismatch: {
    status: 422,
    title: 'Currency does not match',
    cause: 'The currency of the request is not the currency of the account.',
    remedy: 'Send the currency named in detail, or leave it out.',
  },
  insufficient_funds: {
    status: 422,
    title: 'Insufficient funds',
    cause: "The account's available balance is less than the amount plus the fee.",
    remedy: 'Send a smaller amount, or wait until money arrives or a hold is released.',
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
    remedy: 'Choose a parent that fits, and an amount no larger than what is left of it. detail says what does not fit.',
  },
  watchlist_refused: {
    status: 422,
    title: 'Watch list refused',
    cause: 'The files are not a complete edition of the list: they are broken, truncated, in another format, or without entries.',
    remedy: 'Download the list again. detail names the file, the line and the reason. The active version stays in use.',
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
      'A pack can be declared not sent only if the scheme refused it, it was not answered in time, or its message could not be created.',
    remedy: 'Read the pack again. If it was delivered, wait for the answer.',
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
    cause: 'The bank has no valid exchange rate from the debit currency to the credit currency. The inverse of a rate is never used.',
    remedy: 'Order the transfer in one currency, or try again when the bank has set a rate.',
  },
  exchange_not_today: {
    status: 422,
    title: 'Exchange not today',
    cause: 'A transfer between currencies uses the current rate, so it cannot be ordered for a later day.',
    remedy: 'Leave settlement_date out, or order the transfer on the day it should be sent.',
  },
  nothing_to_pay_out: {
    status: 422,
    title: 'Nothing to pay out',
    cause:
      'No card money in the currency of the payout account is available: none is payable, it is too recent, or it is being returned to payers.',
    remedy: 'Read GET /balance, and try again when available is above zero. Daily payouts are automatic.',
  },
  payable_insufficient: {
    status: 422,
    title: 'Payable card money insufficient',
    cause:
      'More money would go back to the payer than is payable to the venture, because its card money has been paid out. The rest cannot be taken from its payout account.',
    remedy: 'Pay money into the payout account, set one that is ACTIVE, or wait for further card payments. Then send the request again.',
  },
  payout_account_missing: {
    status: 422,
    title: 'Payout account missing',
    cause: 'The venture has not set an account for payouts of its card money.',
    remedy: 'Set one with PUT /api/v1/payout-settings.',
  },
  refund_exceeds_payment: {
    status: 422,
    title: 'Refund exceeds payment',
    cause: 'The refund is larger than what is left of the payment.',
    remedy: 'Refund no more than refundable_amount.',
  },
  method_not_available: {
    status: 422,
    title: 'Method not available',
    cause: 'The transfer would need a method that the bank does not carry: it takes no part in a scheme for it.',
    remedy: 'Read the schemes that the bank takes part in, and order a transfer that fits one of them.',
  },
  rail_suspended: {
    status: 409,
    title: 'Rail suspended',
    cause: 'The bank has suspended the rail that the transfer needs, so nothing is sent over it now.',
    remedy: 'Read the schemes: available says when the rail takes orders again. Then send the order again.',
  },
  rail_ended: {
    status: 409,
    title: 'Participation ended',
    cause: 'The bank no longer takes part in this scheme, so the rail can be neither suspended nor resumed.',
    remedy: 'Read the participations. To take part again, change the state of the participation to ACTIVE.',
  },
  participation_invalid: {
    status: 422,
    title: 'Participation contradictory',
    cause: 'The fields of the participation contradict each other, or name a calendar or a time zone that does not exist.',
    remedy: 'Correct the fields in errors. Enter the years of a calendar before a participation uses it.',
  },
  calendar_year_not_found: {
    status: 404,
    title: 'Year of calendar not found',
    cause: 'Nobody has entered this year of the calendar.',
    remedy: 'Check the name of the calendar, or enter the year.',
  },
  calendar_is_rule: {
    status: 409,
    title: 'Calendar is a rule',
    cause: 'TARGET, FED and ALWAYS are rules of the service, so their days cannot be entered.',
    remedy: 'Enter the days under another name, and use that calendar in the participation.',
  },
  transfer_method_invalid: {
    status: 422,
    title: 'Transfer method not usable',
    cause: 'The method cannot be used for the type, the direction, the currency or the amount of this transfer.',
    remedy: 'Leave method out to let the service choose, or send one that fits. detail says what does not fit.',
  },
  beneficiary_needs_account: {
    status: 422,
    title: 'Bank account missing',
    cause: 'A beneficiary needs an IBAN or an account number.',
    remedy: 'Send iban for a SEPA beneficiary, or account_number for any other.',
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
    remedy: 'Use an https URL with a public host name, without a user name or password.',
  },
  identity_field_immutable: {
    status: 422,
    title: 'Identity field cannot change',
    cause: 'Identity fields are fixed when a client is registered.',
    remedy: 'Leave out the fields listed in errors, or send their current values. For another person, register a new client.',
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
    cause: 'The IBAN has the wrong length for its country, contains characters other than letters and digits, or has wrong check digits.',
    remedy: 'Check the IBAN for typing errors, and send it without spaces.',
  },
  invalid_routing_number: {
    status: 422,
    title: 'Invalid routing number',
    cause: 'The ABA routing number does not have nine digits, or has a wrong check digit.',
    remedy: 'Check the routing number for typing errors.',
  },
  query_too_broad: {
    status: 422,
    title: 'Query too broad',
    cause: 'The list would have to read too many rows, so it could not be completed in time.',
    remedy:
      'Narrow the list: add date_from and date_to or another filter, search for at least three letters or digits in a row, and follow the Link header (after) instead of using a large offset. parameters lists the parameters of the request.',
  },
  statement_too_long: {
    status: 422,
    title: 'Statement too long',
    cause: 'The period has more lines than a statement in this format can have.',
    remedy:
      'Request several statements for shorter periods that join without a gap; from and to can also be times. Or use a format that allows more lines. detail gives both numbers.',
  },
  too_many_lists: {
    status: 429,
    title: 'Too many lists at once',
    cause: 'The venture has sent more lists and searches at once than the service can answer in time.',
    remedy:
      'Wait for the number of seconds in the Retry-After header, then send the request again. Send fewer lists at once, and narrow slow ones with filters.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many pages listen at once',
    cause: 'More console pages are listening for changes than this instance, or one person or venture, is allowed.',
    remedy:
      'Wait for the number of seconds in the Retry-After header. The console tries again on its own; until then, reload the page to see changes.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    cause: 'The venture has used all of its requests for this minute.',
    remedy: 'Wait for the number of seconds in the Retry-After header, then send the request again.',
  },
  too_many_requests_open: {
    status: 429,
    title: 'Too many open requests',
    cause:
      'Fifty requests of this person are already waiting for approval. The limit exists because nobody reads a thousand small requests with care.',
    remedy: 'Have some of the pending requests decided, or withdraw some, then try again.',
  },
  too_many_sign_ins: {
    status: 429,
    title: 'Too many sign-ins',
    cause:
      'Within the last 15 minutes, there were too many failed sign-ins for this email or from this address, or too many challenges were requested from this address.',
    remedy: 'Wait for the number of seconds in the Retry-After header, or sign in with a passkey.',
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
    remedy: 'Report request_id to the operator. Before you send the request again, check whether the change was made.',
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
    remedy: 'Wait for the number of seconds in the Retry-After header, then send the same request again.',
  },
  outcome_unknown: {
    status: 503,
    title: 'Outcome unknown',
    cause:
      'The connection to the database or to the card gateway broke while the change was being made, or a standby database has not confirmed the change, so it may or may not have been made.',
    remedy:
      'Wait for the number of seconds in the Retry-After header, then read the resource. Or repeat the request with the same Idempotency-Key, unique_reference or external_refund_id: it is never carried out twice.',
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
    // A refusal is a normal response and is never logged with a stack trace, so none is captured (saves 3 µs).
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(details.detail ?? `${catalogue[code].cause} ${catalogue[code].remedy}`)
    Error.stackTraceLimit = limit
    this.code = code
    this.details = details
  }
}

/** Joins words for the `detail` of a refusal: `A, B or C`. */
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
