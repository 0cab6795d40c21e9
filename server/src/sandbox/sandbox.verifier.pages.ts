// The page behind `kyc_link` in the sandbox, where a person decides an application and sees the result.
import type { KycStatus } from '../clients/clients.ts'
import { cardPage, detailList } from '../platform/http/html.card.ts'
import { type Html, html } from '../platform/http/html.ts'
import { type Outcome, outcomes, type SandboxApplication } from './sandbox.verifier.ts'

/** The page's words for an outcome, before and after it is chosen. */
type Words = {
  action: string
  /** The meaning of the action for the client. */
  effect: string
  tone: 'good' | 'bad' | 'open'
  title: string
  /** What `kyc_status` becomes. */
  status: KycStatus
  next: string
}

const end = 'You can close this window.'

const words: Record<Outcome, Words> = {
  APPROVED: {
    action: 'Approve',
    effect: 'The client is verified.',
    tone: 'good',
    title: 'Application approved',
    status: 'VALIDATED',
    next: end,
  },
  DECLINED: {
    action: 'Decline',
    effect: 'The client is not verified.',
    tone: 'bad',
    title: 'Application declined',
    status: 'DECLINED',
    next: end,
  },
  REVIEW: {
    action: 'Send to review',
    effect: 'A person has to look at the application first.',
    tone: 'open',
    title: 'Application in review',
    status: 'PENDING_REVIEW',
    next: 'Next, approve or decline it here.',
  },
  ABORTED: {
    action: 'Abort',
    effect: 'The client gave up before the end.',
    tone: 'bad',
    title: 'Application aborted',
    status: 'ABORTED',
    next: end,
  },
}

export function applicationPage(application: SandboxApplication): string {
  return application.decision === null ? openPage(application) : decidedPage(application, application.decision)
}

function openPage(application: SandboxApplication): string {
  return page(application, {
    title: 'Identity verification',
    body: html`<h1>Identity verification</h1>
${note}
${details(application)}
${form(outcomes)}`,
  })
}

/** A review is not final, so the other outcomes are offered; otherwise they are folded away. */
function decidedPage(application: SandboxApplication, decision: Outcome): string {
  const { tone, title, status, next } = words[decision]
  const others = form(outcomes.filter((outcome) => outcome !== decision))
  return page(application, {
    title,
    body: html`<h1 class="${tone}">${title}</h1>
<p role="status">The client’s <code>kyc_status</code> becomes <code>${status}</code>.<br>${next}</p>
${details(application)}
${decision === 'REVIEW' ? others : html`<details><summary>Choose another outcome</summary>${others}</details>`}`,
  })
}

export function errorPage(status: number): string {
  const [title, text] =
    status === 404
      ? ['Application not found', 'There is no application at this address. Check the kyc_link of the onboarding details.']
      : ['Request not understood', 'The request could not be read, and nothing was decided. Open the kyc_link again.']
  return page({ venture: null }, { title, body: html`<h1>${title}</h1>\n<p>${text}</p>` })
}

const note = html`<p class="note">This is a sandbox: this page stands in for an identity verifier, and you decide the outcome.</p>`

function details({ name, venture }: SandboxApplication): Html {
  return detailList([
    { name: 'Applicant', value: html`<bdi>${name}</bdi>` },
    ...(venture === null ? [] : [{ name: 'Client of', value: html`<bdi>${venture}</bdi>` }]),
  ])
}

/** Approving is the most common choice, so it comes first and stands out. */
function form(offered: readonly Outcome[]): Html {
  const buttons = offered.map((outcome) => {
    const { action, effect } = words[outcome]
    return html`<button${outcome === 'APPROVED' ? html` class="main"` : ''} name="outcome" value="${outcome}">${action}<small>${effect}</small></button>`
  })
  return html`<form method="post">${buttons}</form>`
}

function page({ venture }: Pick<SandboxApplication, 'venture'>, { title, body }: { title: string; body: Html }): string {
  return cardPage({ language: 'en', direction: 'ltr', title: `${title} (sandbox)`, owner: venture ?? undefined, body })
}
