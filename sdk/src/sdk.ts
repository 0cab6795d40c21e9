// biome-ignore-start lint/performance/noBarrelFile: a package has one front door.
export { Vostro } from './client.ts'
export type { Following, FollowOptions } from './follow.ts'
export type { Caller, CallOptions, ClientOptions } from './options.ts'
export { type Page, Pages } from './pages.ts'
export { VostroProblem, VostroUnreachable } from './problems.ts'
export type * from './types.made.ts'
export { InvalidWebhook, signWebhook, verifyWebhook, type WebhookBody, type WebhookHeaders } from './webhooks.ts'
// biome-ignore-end lint/performance/noBarrelFile: a package has one front door.
