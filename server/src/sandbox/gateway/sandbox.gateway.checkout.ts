// The sandbox gateway's pages for payers: the hosted card form, the 3-D Secure step behind it, and the way back to the shop.

import type { FastifyReply } from 'fastify'
import { now } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { anybody } from '../../platform/http/access.ts'
import { readForm } from '../../platform/http/forms.ts'
import { pageHeaders } from '../../platform/http/html.ts'
import type { App } from '../../platform/http/http.ts'
import { isUuid } from '../../platform/http/validation.ts'
import { effectOf, readCard } from './sandbox.gateway.cards.ts'
import { confirmOrder, findOrder, isAtBank, isPaid, isPayable, isProcessing, type Order, payOrder } from './sandbox.gateway.orders.ts'
import { cardForm, confirmation, notFound, pagePolicy, processing } from './sandbox.gateway.pages.ts'

type Options = { database: Database; prefix: string; lateBy_s: number }

export function checkoutRoutes(app: App, { database, prefix, lateBy_s }: Options): void {
  const page = { config: { access: anybody }, schema: { hide: true } } as const
  const form = {
    config: { access: anybody, rawBody: true, createsNothing: 'It stands in for a partner, which does not support the header.' },
    schema: { hide: true },
  } as const
  type Path = { Params: { order_id: string } }

  const find = async (id: string) => (isUuid(id) ? findOrder(database, id) : undefined)

  /** Sends the payer to the page that fits the order's status. */
  function moveOn(reply: FastifyReply, order: Order): FastifyReply {
    return reply.headers(pageHeaders()).redirect(placeOf(order), 303)
  }

  function placeOf(order: Order): string {
    if (isAtBank(order)) return `${prefix}/acs/${order.id}`
    if (isPayable(order) || isProcessing(order)) return `${prefix}/form/${order.id}`
    // A silent gateway has accepted the card too, but never reports the outcome.
    return shopUrl(order, isPaid(order) || order.silent ? order.return_url : order.fail_url)
  }

  app.get<Path>('/form/:order_id', page, async (request, reply) => {
    const order = await find(request.params.order_id)
    if (order === undefined) return send(reply, notFound(), 404)
    if (isProcessing(order)) return send(reply, processing(order, shopUrl(order, order.return_url)))
    return isPayable(order) ? send(reply, cardForm(order)) : moveOn(reply, order)
  })

  app.post<Path>('/form/:order_id', form, async (request, reply) => {
    const order = await find(request.params.order_id)
    if (order === undefined) return send(reply, notFound(), 404)
    if (!isPayable(order)) return moveOn(reply, order)
    const typed = readForm(request.body)
    // The order stays open: a payer who opens the form again can still pay it.
    if (typed.get('action') === 'cancel') return reply.headers(pageHeaders()).redirect(shopUrl(order, order.fail_url), 303)
    const entry = readCard(typed, now())
    if (entry.kind === 'errors') return send(reply, cardForm(order, { errors: entry.errors, expiry: typed.get('expiry') ?? '' }), 422)
    const { card, cvv } = entry
    return moveOn(reply, (await payOrder(database, order.id, { card, effect: effectOf(card, cvv), lateBy_s })) ?? order)
  })

  app.get<Path>('/acs/:order_id', page, async (request, reply) => {
    const order = await find(request.params.order_id)
    if (order === undefined) return send(reply, notFound(), 404)
    return isAtBank(order) ? send(reply, confirmation(order)) : moveOn(reply, order)
  })

  app.post<Path>('/acs/:order_id', form, async (request, reply) => {
    const order = await find(request.params.order_id)
    if (order === undefined) return send(reply, notFound(), 404)
    const action = readForm(request.body).get('action')
    if (action !== 'confirm' && action !== 'cancel') return moveOn(reply, order)
    return moveOn(reply, (await confirmOrder(database, order.id, action === 'confirm')) ?? order)
  })
}

/** The shop's return URL with the order's id appended, as BPC / RBS gateways do. */
function shopUrl({ id }: Order, address: string): string {
  const url = new URL(address)
  url.search = `${url.search === '' ? '?' : `${url.search}&`}orderId=${id}`
  return url.href
}

function send(reply: FastifyReply, text: string, status = 200): FastifyReply {
  return reply.code(status).headers(pageHeaders(pagePolicy)).type('text/html; charset=utf-8').send(text)
}
