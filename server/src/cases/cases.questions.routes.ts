// The routes for a venture that the bank asks something.
import { Type } from 'typebox'
import { fileIn, fileParts, fileRefusals, takeFiles } from '../platform/files/files.http.ts'
import { uploadLimit_bytes } from '../platform/files/files.ts'
import { type Changing, reads } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { Question, QuestionAnswer, QuestionFile, QuestionList } from './cases.questions.schemas.ts'
import { addQuestionFile, answerQuestion, getQuestion, listQuestions } from './cases.questions.ts'
import type { Cases } from './cases.ts'

const tags = ['Questions']
const params = PathId('question_id')

/** Nobody at the bank answers for the venture. */
const answering: Changing = { door: 'venture', reads: false, scopes: ['clients'], venture: ['admin', 'operator'] }

export async function questionRoutes(app: App, { cases }: { cases: Cases }): Promise<void> {
  app.get(
    '/questions',
    {
      config: { access: reads('clients'), refusals: [] },
      schema: {
        operationId: 'listQuestions',
        tags,
        summary: 'List the questions of the bank, newest first',
        description: 'The event `case.question` reports a new one.',
        querystring: QuestionList,
        response: { 200: Type.Array(Question) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listQuestions(cases, request.venture.id, request.query)),
  )

  app.get(
    '/questions/:question_id',
    {
      config: { access: reads('clients'), refusals: ['question_not_found'] },
      schema: {
        operationId: 'getQuestion',
        tags,
        summary: 'Get a question of the bank',
        description: 'The question, with its answer if there is one.',
        params,
        response: { 200: Question },
      },
    },
    async (request) => getQuestion(cases, { venture_id: request.venture.id, id: request.params.question_id }),
  )

  app.post(
    '/questions/:question_id/answer',
    {
      config: {
        access: answering,
        audit: 'always',
        refusals: ['question_not_found', 'question_answered'],
        createsNothing: 'A question is answered once.',
        example: { body: { answer: 'The rent for November. The contract is attached.' } },
        trial: { fresh: 'question' },
      },
      schema: {
        operationId: 'answerQuestion',
        tags,
        summary: 'Answer a question of the bank',
        description: 'A question is answered once, for good. Send files first, with `POST /questions/{question_id}/files`.',
        params,
        body: QuestionAnswer,
        response: { 200: Question },
      },
    },
    async (request) =>
      answerQuestion(cases, { venture_id: request.venture.id, id: request.params.question_id }, request.body.answer, request),
  )

  await app.register(async (raw: App) => {
    takeFiles(raw)
    raw.post(
      '/questions/:question_id/files',
      {
        bodyLimit: uploadLimit_bytes,
        config: {
          access: answering,
          audit: 'always',
          refusals: ['question_not_found', 'question_answered', 'too_many_files', ...fileRefusals],
          rawBody: true,
          files: fileParts,
          createsNothing: 'The same file is recognised by its hash.',
          example: { files: { file: 'invoice.pdf' } },
        },
        schema: {
          operationId: 'addQuestionFile',
          tags,
          summary: 'Send a file for an answer',
          description:
            'The body is `multipart/form-data` with one part, `file`: a PDF, PNG, JPEG or plain text of at most 10 MiB, whose content is of its type. At ' +
            'most 20 files, before the question is answered.',
          params,
          response: { 201: QuestionFile },
        },
      },
      async (request, reply) => {
        const key = { venture_id: request.venture.id, id: request.params.question_id }
        const added = await addQuestionFile(cases, key, await fileIn(request), request)
        reply.code(201)
        return added
      },
    )
  })
}
