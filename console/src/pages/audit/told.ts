import { words } from '../../ui/words.ts'

/** `createWebhookEndpoint` as `Create webhook endpoint`. */
export const actionOf = (operation: string): string => words(operation.replace(/([a-z\d])([A-Z])/g, '$1_$2'))

type Named = { id: string; name: string }

const kinds: Record<string, string> = {
  venture: 'A key',
  user: 'A team member',
  operator: 'The bank',
  service: 'The service',
  connector: 'A bank connector',
}

/** The name of the actor, if it is known. */
export function whoOf(
  { actor, actor_id }: { actor: string; actor_id: string | null },
  people: readonly Named[],
  keys: readonly Named[],
): string {
  const person = people.find(({ id }) => id === actor_id)
  if (person !== undefined) return person.name
  const key = keys.find(({ id }) => id === actor_id)
  return key === undefined ? (kinds[actor] ?? words(actor)) : `Key “${key.name}”`
}
