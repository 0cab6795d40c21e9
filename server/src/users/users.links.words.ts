// Sentences about links that the descriptions of several operations share.

export const shownOnce =
  'The response contains the link. It is shown only once and works once. The service does not send it: pass it on yourself.'
export const needsTwo = (what: string) =>
  `With four-eyes approval, ${what} needs a second person: the response is then an approval, with status 202, and a code. The approver gets the link, which works only with the code.`
export const onlyWithoutAdmin =
  'With four-eyes approval, the bank may do this for a MANAGED venture only while the venture has no active admin (otherwise 403 `venture_has_admin`): its admin does it instead.'
