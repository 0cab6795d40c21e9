// The HTTP routes for pairs of people at the bank who approve for each other.
import { Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import { adminAtBank, alone, readsAtBank, sensitive } from '../platform/http/access.ts'
import { exampleIds } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import { PathId } from '../platform/http/schemas.ts'
import { clearPair, listPairs, takeBackPairClearing } from './users.pairs.ts'
import { NewPairClearing, Pair, PairClearing, PairList } from './users.schemas.ts'

export async function pairRoutes(app: App, { database }: { database: Database }): Promise<void> {
  const tags = ['Users (bank)']

  app.get(
    '/operator/pairs',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listPairs',
        tags,
        summary: 'List pairs of people who approve for each other, largest amounts first',
        description:
          'At most 200 pairs of people of the bank: first those in which one person approved a request of the other in the last 90 days, then ' +
          'others that are cleared or related. Each comes with what the two agreed on, how they are related, and who cleared them.',
        querystring: PairList,
        response: { 200: Type.Array(Pair) },
      },
    },
    async ({ query, actor }) => listPairs(database, query, actor),
  )

  app.post(
    '/operator/pairs/clearings',
    {
      config: {
        access: sensitive(adminAtBank(alone('A third admin, related to neither, clears the pair. Approvals still take two people.'))),
        audit: 'always',
        refusals: ['user_not_found', 'pair_not_related', 'pair_not_yours', 'person_needed'],
        creates: { answer: 'kept' },
        another: { reason: 'Another reason' },
        example: {
          body: {
            one_id: exampleIds.user_id,
            other_id: exampleIds.maker_id,
            reason: 'Alice invited Bob two years ago, and both have worked here since.',
          },
          byPerson: true,
        },
        trial: { by: 'bankAdmin', fresh: 'related' },
      },
      schema: {
        operationId: 'clearPair',
        tags,
        summary: 'Let two related people approve for each other',
        description:
          'Two people count as one if one of them has invited the other, reset their access or given them a role, or if a third person has done ' +
          'that alone for both. An admin who is related to neither of them clears the pair. The clearing covers only the present relations: if ' +
          'one of them later resets the other, they count as one again.',
        body: NewPairClearing,
        response: { 201: PairClearing },
      },
    },
    async ({ body, actor, companions }) => clearPair(database, body, { actor, companions }),
  )

  app.post(
    '/operator/pairs/clearings/:clearing_id/take-back',
    {
      config: {
        access: adminAtBank(alone('It protects.')),
        audit: 'always',
        refusals: ['clearing_not_found'],
        createsNothing: 'A clearing is withdrawn once.',
        trial: { fresh: 'clearing' },
      },
      schema: {
        operationId: 'takeBackPairClearing',
        tags,
        summary: 'Withdraw the clearing of two related people',
        description: 'Takes effect at once. A withdrawn clearing stays withdrawn.',
        params: PathId('clearing_id'),
        response: { 200: PairClearing },
      },
    },
    async ({ params: { clearing_id }, actor, companions }) => takeBackPairClearing(database, clearing_id, { actor, companions }),
  )
}
