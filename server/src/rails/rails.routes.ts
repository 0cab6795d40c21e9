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
/** Enough for all banks that a rail may reach, each with its branch. */
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
        description: 'A pack contains the payments that are sent in one message.',
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
        description: "The payments that are sent in one message, each with the scheme's answer.",
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
        access: changesAtBank(together('It sends the payments of the pack again.')),
        audit: 'always',
        refusals: ['pack_not_found', 'pack_state_not_allowed', ...fourEyes],
        createsNothing: 'A pack is declared once.',
        trial: { fresh: 'pack' },
      },
      schema: {
        operationId: 'declarePackNotSent',
        tags,
        summary: 'Declare that a pack was not sent',
        description:
          'Only for a pack that is REFUSED, UNKNOWN or INVALID. Its unanswered payments are sent again with the next pack, under a new message id ' +
          'and a higher attempt; they keep their transaction ids, so that the scheme can refuse duplicates. With four-eyes approval, it needs a ' +
          'second person: the response is then an approval, with status 202.',
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
        summary: 'List sent and received messages, newest first',
        description: 'The ISO 20022 messages exchanged with the clearing system, without their content.',
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
        description: 'The status of the message, and the reason if it was refused. The content is at `/file`.',
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
        summary: 'Download the file of a message',
        description: 'The exact bytes of the XML, as they were sent or received.',
        params: messageParams,
        response: { 200: { content: { 'application/xml': { schema: Type.String() } } } },
      },
    },
    async (request, reply) => {
      const { file, body } = await getMessageFile(database, request.params.message_id)
      // Another bank chose the name, so it must not go into the header unescaped.
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
        summary: 'Get the cut-offs of a rail',
        description: 'The times of day at which the collected payments are packed and sent, as decided last.',
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
        access: changesAtBank(together('It decides when payments leave the bank.')),
        audit: 'always',
        refusals: [...fourEyes],
        example: { params: { rail: exampleRails.payments }, body: { cut_offs: ['09:00', '15:30'] } },
      },
      schema: {
        operationId: 'setCycles',
        tags,
        summary: 'Set the cut-offs of a rail',
        description:
          'Replaces all cut-offs, in a new version of the participation that is in force two minutes later. Instant payments leave at once, ' +
          'regardless of cut-offs. With four-eyes approval, a change needs a second person: the response is then an approval, with status 202.',
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
        summary: 'Get the reachable banks of a rail',
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
        access: changesAtBank(together('It decides which banks can be paid.')),
        audit: 'always',
        refusals: [...fourEyes],
        example: { params: { rail: exampleRails.debits }, body: { bics: ['COBADEFF', 'DEUTDEFF'] } },
      },
      bodyLimit: banksLimit_bytes,
      schema: {
        operationId: 'setReachableBanks',
        tags,
        summary: 'Set the reachable banks of a rail',
        description:
          'Replaces the list. A payment to a bank that is not on the list becomes INVALID with the code `bank_unreachable`. With four-eyes ' +
          'approval, a change needs a second person: the response is then an approval, with status 202.',
        params: RailPath,
        body: ReachableBanks,
        response: { 200: ReachableBanks, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await setReachableBanks(approvals, request.params.rail, request.body, request)),
  )
}
