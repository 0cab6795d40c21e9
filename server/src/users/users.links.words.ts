// Sentences about links that the descriptions of several operations share.

export const shownOnce =
  'The response contains the link. It is shown only once, works once, and is not sent by the service: hand it over yourself.'
export const needsTwo = (what: string) =>
  `With four eyes, ${what} needs a second person: the response is then an approval, with status 202, and a code. The approver gets the link, which works only with the code.`
export const onlyWithoutAdmin =
  'With four eyes, the bank does so for a MANAGED venture only while it has no active admin: otherwise its admin does it (403 `venture_has_admin`).'
