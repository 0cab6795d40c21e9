// The HTTP routes of watch lists and screenings. All are for the bank only: ventures see neither scores nor lists.
import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, sendOrWait } from '../audit/audit.ts'
import { adminAtBank, alone, changesAtBank, readsAtBank, together } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { refuse } from '../values/refusals.ts'
import { fileMeanings } from './lists/screening.formats.ts'
import {
  Activation,
  ExplainedScreening,
  NewWatchlist,
  Screening,
  ScreeningList,
  VersionList,
  Watchlist,
  WatchlistVersion,
} from './screening.schemas.ts'
import { getScreening, listScreenings } from './screening.ts'
import { createWatchlist, getWatchlist, importVersion, listVersions, listWatchlists, proposeActivation } from './screening.watchlists.ts'

const tags = ['Screening (bank)']
const params = PathId('watchlist_id')
const ofVersion = Type.Object({ ...params.properties, ...PathId('version_id').properties })
const ofScreening = Type.Object({ ...PathId('venture_id').properties, ...PathId('screening_id').properties })

type Options = { approvals: Approvals; watchlistLimit_mb: number }

export async function screeningRoutes(app: App, { approvals, watchlistLimit_mb }: Options): Promise<void> {
  const { database } = approvals

  app.post(
    '/operator/watchlists',
    {
      config: {
        access: adminAtBank(alone('A list without an active version neither stops nor releases anything.')),
        audit: 'always',
        refusals: ['watchlist_name_used'],
        creates: { answer: 'kept', location: ({ id }) => `/api/v1/operator/watchlists/${id}` },
        another: { format: 'UN' },
        example: { body: { name: 'eu-sanctions', format: 'OPENSANCTIONS' } },
        trial: { fresh: 'listName' },
      },
      schema: {
        operationId: 'createWatchlist',
        tags,
        summary: 'Create a watch list',
        description: 'It has no entries until a version is imported, and has no effect until a version is activated.',
        body: NewWatchlist,
        response: { 201: Watchlist },
      },
    },
    async (request) => createWatchlist(database, request.body, request),
  )

  app.get(
    '/operator/watchlists',
    {
      config: { access: { ...readsAtBank, bankKey: 'lists' }, refusals: [] },
      schema: {
        operationId: 'listWatchlists',
        tags,
        summary: 'List the watch lists',
        description: 'The lists of sanctioned and politically exposed persons that payments, clients and beneficiaries are compared with.',
        response: { 200: Type.Array(Watchlist) },
      },
    },
    async () => listWatchlists(database),
  )

  app.get(
    '/operator/watchlists/:watchlist_id',
    {
      config: { access: { ...readsAtBank, bankKey: 'lists' }, refusals: ['watchlist_not_found'] },
      schema: {
        operationId: 'getWatchlist',
        tags,
        summary: 'Get a watch list',
        description: 'The list with its active version.',
        params,
        response: { 200: Watchlist },
      },
    },
    async (request) => getWatchlist(database, request.params.watchlist_id),
  )

  await app.register(async (raw: App) => {
    raw.removeAllContentTypeParsers()
    // The thread that imports the files parses the body.
    raw.addContentTypeParser<Buffer>('multipart/form-data', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => bytes)
    raw.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async () =>
      refuse('unsupported_media_type', { detail: 'Send the files of the list with Content-Type: multipart/form-data.' }),
    )
    raw.post(
      '/operator/watchlists/:watchlist_id/versions',
      {
        bodyLimit: watchlistLimit_mb * 2 ** 20,
        config: {
          access: { ...changesAtBank(alone('A version has no effect until two people activate it.')), bankKey: 'lists' },
          audit: 'always',
          refusals: ['watchlist_not_found', 'watchlist_version_exists', 'watchlist_refused'],
          rawBody: true,
          files: fileMeanings,
          createsNothing: 'The same files are recognised by their hash.',
          example: { files: { list: 'list.csv' } },
        },
        schema: {
          operationId: 'importWatchlistVersion',
          tags,
          summary: 'Import a version of a watch list',
          description:
            'The body is `multipart/form-data` with the files of one publication, named as the format requires: `list`, or `sdn`, `alt` and `add` ' +
            'for OFAC. A publication is imported completely or refused. The active version stays in use until the new one is activated.',
          params,
          response: { 201: WatchlistVersion },
        },
      },
      async (request, reply) => {
        const { watchlist_id } = request.params
        if (!Buffer.isBuffer(request.body)) refuse('malformed_body', { detail: 'The body is empty. Send the files of the list.' })
        const upload = { type: request.headers['content-type'] ?? '', bytes: request.body as Buffer }
        const version = await importVersion(database, watchlist_id, upload, request)
        reply.code(201)
        return version
      },
    )
  })

  app.get(
    '/operator/watchlists/:watchlist_id/versions',
    {
      config: { access: { ...readsAtBank, bankKey: 'lists' }, refusals: ['watchlist_not_found'] },
      schema: {
        operationId: 'listWatchlistVersions',
        tags,
        summary: 'List the versions of a watch list, newest first',
        description: 'The imports of the list, with their number of entries and when each was active.',
        params,
        querystring: VersionList,
        response: { 200: Type.Array(WatchlistVersion) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listVersions(database, request.params.watchlist_id, request.query)),
  )

  app.post(
    '/operator/watchlists/:watchlist_id/versions/:version_id/activate',
    {
      config: {
        access: adminAtBank(together('It releases names that are no longer listed.')),
        audit: 'always',
        refusals: ['watchlist_not_found', 'watchlist_version_not_found', 'watchlist_version_deleted', 'watchlist_shrunk', ...fourEyes],
        optionalBody: true,
        createsNothing: 'Activating the active version changes nothing.',
        example: { body: { force: false } },
        trial: { fresh: 'watchlist' },
      },
      schema: {
        operationId: 'activateWatchlistVersion',
        tags,
        summary: 'Activate a version of a watch list',
        description:
          'From then on, names are compared with this version. All clients, beneficiaries and unfinished payments are compared with its new and ' +
          'changed entries. A version with at least 20 % fewer entries or names than the active one needs `force`. With four-eyes approval, the ' +
          'activation needs a second person: the response is then an approval, with status 202.',
        params: ofVersion,
        body: Activation,
        response: { 200: WatchlistVersion, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await proposeActivation(approvals, request.params, request.body, request)),
  )

  app.get(
    '/ventures/:venture_id/screenings',
    {
      config: {
        access: readsAtBank,
        refusals: ['venture_not_found'],
        trial: { kinds: { subject_id: 'filter' } },
      },
      schema: {
        operationId: 'listScreenings',
        tags,
        summary: 'List the screenings of a venture, newest first',
        description: 'Every comparison of a payment, a client or a beneficiary with the watch lists.',
        params: PathId('venture_id'),
        querystring: ScreeningList,
        response: { 200: Type.Array(Screening) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listScreenings(database, request.params.venture_id, request.query)),
  )

  app.get(
    '/ventures/:venture_id/screenings/:screening_id',
    {
      config: { access: readsAtBank, refusals: ['screening_not_found'] },
      schema: {
        operationId: 'getScreening',
        tags,
        summary: 'Get a screening with its hits explained',
        description: 'Each hit names the entry that it matches and shows how the score was computed.',
        params: ofScreening,
        response: { 200: ExplainedScreening },
      },
    },
    async (request) => getScreening(database, request.params.venture_id, request.params.screening_id),
  )
}
