// The operator's routes of packs, messages and rails.
import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, sendOrWait } from '../audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import { changesAtBank, readsAtBank, together } from '../platform/http/access.ts'
import { exampleRails } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import {
  declareNotSent,
  getCycles,
  getMessage,
  getMessageFile,
  getPack,
  getReachableBanks,
  listMessages,
  listPacks,
  setCycles,
  setReachableBanks,
} from './rails.operator.ts'
import { Cycles, MessageList, Pack, PackList, PackWithPayments, RailMessage, RailPath, ReachableBanks } from './rails.schemas.ts'

const tags = ['Rails (bank)']
const packParams = PathId('pack_id')
const messageParams = PathId('message_id')
/** As many banks as a rail may reach, each with its branch. */
const banksLimit_bytes = 524_288

export async function railRoutes(app: App, { database, approvals }: { database: Database; approvals: Approvals }): Promise<void> {
  app.get(
    '/operator/packs',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        trial: { kinds: { message_id: 'filter' } },
      },
      schema: {
        operationId: 'listPacks',
        tags,
        summary: 'List packs, newest first',
        description: 'A pack contains the payments that leave the bank in one message.',
        querystring: PackList,
        response: { 200: Type.Array(Pack) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listPacks(database, request.query)),
  )

  app.get(
    '/operator/packs/:pack_id',
    {
      config: { access: readsAtBank, refusals: ['pack_not_found'] },
      schema: {
        operationId: 'getPack',
        tags,
        summary: 'Get a pack with its payments',
        description: 'The payments that leave the bank in one message, each with what the scheme has answered.',
        params: packParams,
        response: { 200: PackWithPayments },
      },
    },
    async (request) => getPack(database, request.params.pack_id),
  )

  app.post(
    '/operator/packs/:pack_id/declare-not-sent',
    {
      config: {
        access: changesAtBank(together('Its payments are sent again.')),
        audit: 'always',
        refusals: ['pack_not_found', 'pack_state_not_allowed', ...fourEyes],
        createsNothing: 'The state of the pack decides: it is declared once.',
        trial: { fresh: 'pack' },
      },
      schema: {
        operationId: 'declarePackNotSent',
        tags,
        summary: 'Declare that a pack was not sent',
        description:
          'Only for a pack that is REFUSED, UNKNOWN or INVALID. Its payments that have not been answered are sent anew with the next pack, under a new ' +
          'message id and a higher attempt; their transaction ids stay, so that the scheme can refuse a repetition. With four eyes, it needs a second ' +
          'person: the response is then an approval, with status 202.',
        params: packParams,
        response: { 200: Pack, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await declareNotSent({ database, approvals }, request.params.pack_id, request)),
  )

  app.get(
    '/operator/messages',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        trial: { kinds: { pack_id: 'filter', transfer_id: 'filter' } },
      },
      schema: {
        operationId: 'listMessages',
        tags,
        summary: 'List messages that were sent or received, newest first',
        description: 'The messages of ISO 20022 that the bank has exchanged with the clearing system, without their content.',
        querystring: MessageList,
        response: { 200: Type.Array(RailMessage) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listMessages(database, request.query)),
  )

  app.get(
    '/operator/messages/:message_id',
    {
      config: { access: readsAtBank, refusals: ['message_not_found'] },
      schema: {
        operationId: 'getMessage',
        tags,
        summary: 'Get a message',
        description: 'Where the message is on its way, and why it was refused. The content is at `/file`.',
        params: messageParams,
        response: { 200: RailMessage },
      },
    },
    async (request) => getMessage(database, request.params.message_id),
  )

  app.get(
    '/operator/messages/:message_id/file',
    {
      config: { access: readsAtBank, refusals: ['message_not_found'] },
      schema: {
        operationId: 'getMessageFile',
        tags,
        summary: 'Download a message as it was sent or received',
        description: 'The exact bytes of the XML, as they were sent or received.',
        params: messageParams,
        response: { 200: { content: { 'application/xml': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const { file, body } = await getMessageFile(database, request.params.message_id)
      // A name that another bank chose must not become part of the header as it is.
      const name = file.replace(/[^A-Za-z0-9._-]/g, '_')
      reply.header('content-disposition', `attachment; filename="${name}"`)
      return reply.type('application/xml').send(body as unknown as string)
    },
  )

  app.get(
    '/operator/rails/:rail/cycles',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        example: { params: { rail: exampleRails.payments } },
      },
      schema: {
        operationId: 'getCycles',
        tags,
        summary: 'Get when packs of a rail leave',
        description: 'The times of day at which the payments that were collected are packed and sent.',
        params: RailPath,
        response: { 200: Cycles },
      },
    },
    async (request) => getCycles(database, request.params.rail),
  )

  app.put(
    '/operator/rails/:rail/cycles',
    {
      config: {
        access: changesAtBank(together('It says when payments leave the bank.')),
        audit: 'always',
        refusals: [...fourEyes],
        example: { params: { rail: exampleRails.payments }, body: { cut_offs: ['09:00', '15:30'] } },
      },
      schema: {
        operationId: 'setCycles',
        tags,
        summary: 'Set when packs of a rail leave',
        description:
          'Replaces all cut-offs. Instant payments leave at once, whatever is set. With four eyes, it needs a second person: the response is then an ' +
          'approval, with status 202.',
        params: RailPath,
        body: Cycles,
        response: { 200: Cycles, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await setCycles(approvals, request.params.rail, request.body, request)),
  )

  app.get(
    '/operator/rails/:rail/reachable-banks',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        example: { params: { rail: exampleRails.payments } },
      },
      schema: {
        operationId: 'getReachableBanks',
        tags,
        summary: 'Get which banks a rail reaches',
        description: 'An empty list means that the rail reaches all banks.',
        params: RailPath,
        response: { 200: ReachableBanks },
      },
    },
    async (request) => getReachableBanks(database, request.params.rail),
  )

  app.put(
    '/operator/rails/:rail/reachable-banks',
    {
      config: {
        access: changesAtBank(together('It says which banks payments go to.')),
        audit: 'always',
        refusals: [...fourEyes],
        example: { params: { rail: exampleRails.debits }, body: { bics: ['COBADEFF', 'DEUTDEFF'] } },
      },
      bodyLimit: banksLimit_bytes,
      schema: {
        operationId: 'setReachableBanks',
        tags,
        summary: 'Set which banks a rail reaches',
        description:
          'Replaces the list. A payment to a bank that is not on it becomes INVALID with the code `bank_unreachable`. With four eyes, it needs a second ' +
          'person: the response is then an approval, with status 202.',
        params: RailPath,
        body: ReachableBanks,
        response: { 200: ReachableBanks, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await setReachableBanks(approvals, request.params.rail, request.body, request)),
  )
}
