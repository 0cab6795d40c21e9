// The operator's routes for what people add to cases.
import { Type } from 'typebox'
import { fileIn, fileParts, fileRefusals, sendFile, takeFiles } from '../platform/files/files.http.ts'
import { uploadLimit_bytes } from '../platform/files/files.ts'
import { alone, changesAtBank, readsAtBank } from '../platform/http/access.ts'
import { exampleIds } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import { PathId } from '../platform/http/schemas.ts'
import { CaseQuestion, NewQuestion } from './cases.questions.schemas.ts'
import { askVenture } from './cases.questions.ts'
import { Case } from './cases.schemas.ts'
import type { Cases } from './cases.ts'
import { CaseFile, CaseLink, CaseNote, NewCaseByHand, NewCaseLink, NewCaseNote } from './cases.work.schemas.ts'
import { addFile, addNote, getFile, linkCases, openByHand } from './cases.work.ts'

const tags = ['Cases (bank)']
const params = PathId('case_id')
const fileParams = Type.Object({ ...params.properties, ...PathId('case_file_id').properties })
const writing = changesAtBank(alone('It moves no money and decides nothing.'))

export async function caseWorkRoutes(app: App, { cases }: { cases: Cases }): Promise<void> {
  app.post(
    '/operator/cases',
    {
      config: {
        access: writing,
        audit: 'always',
        refusals: ['venture_not_found', 'transfer_not_found', 'client_not_found', 'account_not_found', 'case_open'],
        creates: { answer: 'kept', location: ({ id }) => `/api/v1/operator/cases/${id}` },
        another: { reason: 'Another reason.' },
        example: {
          body: {
            venture_id: exampleIds.venture_id,
            about: 'client',
            resource_id: exampleIds.client_id,
            reason: 'A police request about the client, reference 2026/1187.',
          },
        },
        trial: { fresh: 'subject' },
      },
      schema: {
        operationId: 'openCase',
        tags,
        summary: 'Open a case by hand',
        description:
          'A case of the kind `manual`, about a transfer, a client, an account, or `nothing` of these. It ends with the decision `close`. A resource ' +
          'has at most one such case that is open.',
        body: NewCaseByHand,
        response: { 201: Case },
      },
    },
    async (request) => openByHand(cases, request.body, request),
  )

  app.post(
    '/operator/cases/:case_id/notes',
    {
      config: {
        access: writing,
        audit: 'always',
        refusals: ['case_not_found'],
        creates: { answer: 'kept' },
        another: { text: 'Another note.' },
        example: { body: { text: 'Called the branch: the client has lived at the address since 2019.' } },
        trial: { fresh: 'case' },
      },
      schema: {
        operationId: 'addCaseNote',
        tags,
        summary: 'Add a note to a case',
        description: 'Also to a case that has been decided. A note can be neither changed nor deleted.',
        params,
        body: NewCaseNote,
        response: { 201: CaseNote },
      },
    },
    async (request) => addNote(cases, request.params.case_id, request.body.text, request),
  )

  app.post(
    '/operator/cases/:case_id/links',
    {
      config: {
        access: writing,
        audit: 'always',
        refusals: ['case_not_found'],
        createsNothing: 'Two cases are linked once.',
        example: { body: { other_case_id: exampleIds.other_case_id } },
      },
      schema: {
        operationId: 'linkCases',
        tags,
        summary: 'Link two cases',
        description: 'Both cases then show the other. A link cannot be removed.',
        params,
        body: NewCaseLink,
        response: { 200: CaseLink },
      },
    },
    async (request) => linkCases(cases, request.params.case_id, request.body.other_case_id, request),
  )

  app.post(
    '/operator/cases/:case_id/questions',
    {
      config: {
        access: changesAtBank(alone('The venture sees the question alone, and nothing of the case.')),
        audit: 'always',
        refusals: ['case_not_found', 'case_decided', 'question_not_possible', 'question_tips_off'],
        creates: { answer: 'kept' },
        another: { text: 'Another question?' },
        example: { body: { text: 'What was the payment of 3 November for? Please send the invoice.', due_on: '2099-11-20' } },
        trial: { fresh: 'case' },
      },
      schema: {
        operationId: 'askVenture',
        tags,
        summary: 'Ask the venture of a case',
        description:
          'The venture gets the event `case.question` and answers with `POST /questions/{question_id}/answer`. It sees the text and the day, never the ' +
          'case. A text that names a listed person whom the case, or a linked case, is about is refused.',
        params,
        body: NewQuestion,
        response: { 201: CaseQuestion },
      },
    },
    async (request) => askVenture(cases, request.params.case_id, request.body, request),
  )

  app.get(
    '/operator/cases/:case_id/files/:case_file_id',
    {
      config: { access: readsAtBank, refusals: ['case_not_found', 'file_not_found'] },
      schema: {
        operationId: 'getCaseFile',
        tags,
        summary: 'Download a file of a case',
        description: 'The exact bytes, as a download of the declared type. Each download is in the audit log.',
        params: fileParams,
        response: {
          200: { content: { 'application/octet-stream': { schema: Type.String({ contentMediaType: 'application/octet-stream' }) } } },
        },
      },
    },
    async ({ params: { case_id, case_file_id } }, reply) => sendFile(reply, await getFile(cases, case_id, case_file_id)),
  )

  await app.register(async (raw: App) => {
    takeFiles(raw)
    raw.post(
      '/operator/cases/:case_id/files',
      {
        bodyLimit: uploadLimit_bytes,
        config: {
          access: writing,
          audit: 'always',
          refusals: ['case_not_found', ...fileRefusals],
          rawBody: true,
          files: fileParts,
          createsNothing: 'The same file is recognised by its hash.',
          example: { files: { file: 'invoice.pdf' } },
        },
        schema: {
          operationId: 'addCaseFile',
          tags,
          summary: 'Add a file to a case',
          description:
            'The body is `multipart/form-data` with one part, `file`: a PDF, PNG, JPEG or plain text of at most 10 MiB, whose content is of its type. A ' +
            'file can be neither changed nor deleted.',
          params,
          response: { 201: CaseFile },
        },
      },
      async (request, reply) => {
        const added = await addFile(cases, request.params.case_id, await fileIn(request), request)
        reply.code(201)
        return added
      },
    )
  })
}
