// The HTTP route of exports.

import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { getClient } from '../clients/clients.ts'
import type { Database } from '../platform/database/database.ts'
import { readsOfVenture } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { PathId } from '../platform/http/schemas.ts'
import { exportClient, type Sight } from './exports.ts'

export async function exportRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/clients/:client_id/export',
    {
      config: { access: { ...readsOfVenture, scopes: ['read'] }, refusals: ['client_not_found', 'too_many_lists'] },
      schema: {
        operationId: 'exportClient',
        tags: ['Clients'],
        summary: 'Export all data about a client',
        description:
          'One ZIP archive with a JSON file for each kind of row: the client, the verification, accounts and their entries, payments and their history, ' +
          'beneficiaries, events, and more. All files show the same moment. `about.json`, the last file, describes the others. A venture gets the data ' +
          'that it may see; people of the bank also get screenings, cases, the audit log, and messages from other banks.',
        params: PathId('client_id'),
        response: {
          200: { content: { 'application/zip': { schema: Type.String({ contentMediaType: 'application/zip' }) } } },
        },
      },
    },
    async (request, reply) => {
      const key = { venture_id: request.venture.id, id: request.params.client_id }
      const isHead = request.method === 'HEAD'
      // HEAD only checks that the client exists.
      if (isHead) await getClient(database, key.venture_id, key.id)
      const archive = isHead ? Readable.from([]) : await exportClient(database, key, sightOf(request))
      // A refusal must not be downloaded as a file.
      reply.header('content-disposition', `attachment; filename="client-${key.id}.zip"`).type('application/zip')
      if (isHead) reply.header('transfer-encoding', 'chunked')
      return reply.send(archive as never)
    },
  )
}

const sightOf = ({ actor }: FastifyRequest): Sight => (actor.kind === 'operator' ? 'bank' : 'venture')
