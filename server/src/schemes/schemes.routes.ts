// The routes of schemes, participations and calendars.
import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, sendOrWait } from '../audit/audit.ts'
import { alone, changesAtBank, reads, readsAtBank, together } from '../platform/http/access.ts'
import { exampleRails } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import type { Participations } from './schemes.copy.ts'
import { listSchemes } from './schemes.list.ts'
import { changeParticipation, listParticipations, resumeRail, suspendRail } from './schemes.participations.ts'
import { CalendarPath, CalendarYear, CalendarYearUpdate, Participation, ParticipationChange, RailPath, Scheme } from './schemes.schemas.ts'
import { enterCalendarYear, getCalendarYear } from './schemes.years.ts'

const tags = ['Schemes (bank)']
const params = { rail: exampleRails.instant }
const repeated = 'The same change again adds no version.'
const trial = { kinds: { calendar: 'name' } } as const

export async function schemeRoutes(
  app: App,
  { approvals, participations }: { approvals: Approvals; participations: Participations },
): Promise<void> {
  const { database } = approvals

  app.get(
    '/schemes',
    {
      config: { access: reads('transfers'), refusals: [] },
      schema: {
        operationId: 'listSchemes',
        tags: ['Transfers'],
        summary: 'List the schemes over which the bank sends and collects',
        description: 'What each carries, when the next payments leave, when they settle, and what a payee needs.',
        response: { 200: Type.Array(Scheme) },
      },
    },
    async () => listSchemes(participations),
  )

  app.get(
    '/operator/participations',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listParticipations',
        tags,
        summary: 'List the participations of the bank',
        description: 'For each rail the version in force and those to come, in order.',
        response: { 200: Type.Array(Participation) },
      },
    },
    async () => listParticipations(participations),
  )

  app.post(
    '/operator/participations',
    {
      config: {
        access: changesAtBank(together('It decides when and how payments leave the bank.')),
        audit: 'always',
        refusals: ['participation_invalid', ...fourEyes],
        createsNothing: repeated,
        example: { body: { rail: exampleRails.payments, cut_offs: ['09:00', '15:30'], zone: 'Europe/Berlin' } },
      },
      schema: {
        operationId: 'changeParticipation',
        tags,
        summary: 'Change how the bank takes part in a scheme',
        description:
          'Absent fields stay as they are. A change is a new version, which builds on the newest one and is in force two minutes later at the ' +
          'earliest; a pack keeps the version by which it was made. With four-eyes approval, a change needs a second person: the response is ' +
          'then an approval, with status 202.',
        body: ParticipationChange,
        response: { 200: Participation, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await changeParticipation(approvals, request.body, request)),
  )

  app.post(
    '/operator/participations/:rail/suspend',
    {
      config: {
        access: changesAtBank(alone('It stops payments. Nothing leaves the bank that would not have left without it.')),
        audit: 'always',
        refusals: ['rail_ended'],
        createsNothing: 'A rail that is suspended stays suspended.',
        example: { params },
      },
      schema: {
        operationId: 'suspendRail',
        tags,
        summary: 'Suspend a rail',
        description:
          'At once. New orders for it are refused; nothing more is collected or sealed. Messages that are sealed are delivered, and answers and ' +
          'incoming messages are still applied. A version that is not in force yet is overtaken.',
        params: RailPath,
        response: { 200: Participation },
      },
    },
    async (request) => suspendRail({ database, participations }, request.params.rail, request),
  )

  app.post(
    '/operator/participations/:rail/resume',
    {
      config: {
        access: changesAtBank(together('It lets payments leave the bank again.')),
        audit: 'always',
        refusals: ['participation_invalid', 'rail_ended', ...fourEyes],
        createsNothing: 'A rail that is active stays active.',
        example: { params },
      },
      schema: {
        operationId: 'resumeRail',
        tags,
        summary: 'Resume a rail',
        description:
          'Two minutes later, payments leave again. With four-eyes approval, it needs a second person: the response is then an approval, with ' +
          'status 202.',
        params: RailPath,
        response: { 200: Participation, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await resumeRail(approvals, request.params.rail, request)),
  )

  app.get(
    '/operator/calendars/:calendar/:year',
    {
      config: {
        access: readsAtBank,
        refusals: ['calendar_year_not_found'],
        example: { params: { calendar: 'TARGET', year: '2027' } },
        trial,
      },
      schema: {
        operationId: 'getCalendarYear',
        tags,
        summary: 'Get a year of a calendar',
        description:
          'TARGET, FED and ALWAYS are rules: `closed` then contains every closed day. Of other calendars it is what people entered.',
        params: CalendarPath,
        response: { 200: CalendarYear },
      },
    },
    async ({ params: { calendar, year } }) => getCalendarYear(database, calendar, Number(year)),
  )

  app.put(
    '/operator/calendars/:calendar/:year',
    {
      config: {
        access: changesAtBank(together('It decides on which days payments leave and settle.')),
        audit: 'always',
        refusals: ['calendar_is_rule', ...fourEyes],
        example: { params: { calendar: 'LOCAL', year: '2027' }, body: { closed: ['2027-01-01', '2027-12-25'] } },
        trial,
      },
      schema: {
        operationId: 'enterCalendarYear',
        tags,
        summary: 'Enter a year of a calendar',
        description:
          'Replaces the days of the year. Payments of a rail whose calendar lacks a year wait, and a case tells. With four-eyes approval, it needs ' +
          'a second person: the response is then an approval, with status 202.',
        params: CalendarPath,
        body: CalendarYearUpdate,
        response: { 200: CalendarYear, 202: Approval },
      },
    },
    async (request, reply) => {
      const { calendar, year } = request.params
      return sendOrWait(reply, await enterCalendarYear(approvals, { calendar, year: Number(year), ...request.body }, request))
    },
  )
}
