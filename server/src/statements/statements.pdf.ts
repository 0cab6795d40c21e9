// Statements as PDF: A4, with embedded fonts, and tagged as PDF/UA requires, so that screen readers can read the table.
import { readFile } from 'node:fs/promises'
import { setImmediate as breathe } from 'node:timers/promises'
import type { Font } from 'fontkit'
import type { Database } from '../platform/database/database.ts'
import { Turns } from '../platform/turns.ts'
import type { PaymentParty } from '../transfers/life/transfers.details.ts'
import type { StatementHead, StatementLine } from './statements.schemas.ts'
import type { Statement } from './statements.ts'

type Document = PDFKit.PDFDocument
type Element = PDFKit.PDFStructureElement

const page = { width: 595.28, height: 841.89, left: 48, right: 547.28, top: 84, bottom: 782 }
const colours = { ink: '#1a1f2b', muted: '#566070', accent: '#1f3a68', rule: '#d3d9e2', band: '#f1f4f8' }
const sizes = { title: 20, figure: 11, text: 9, small: 8, label: 7.5 }

const columns = {
  date: { x: page.left, width: 60, title: 'Date', isNumber: false },
  details: { x: page.left + 66, width: 199, title: 'Details', isNumber: false },
  out: { x: page.left + 271, width: 72, title: 'Money out', isNumber: true },
  in: { x: page.left + 347, width: 72, title: 'Money in', isNumber: true },
  balance: { x: page.left + 423, width: 76.28, title: 'Balance', isNumber: true },
} as const
type Column = keyof typeof columns
const columnNames = Object.keys(columns) as Column[]

/** How many lines are laid out before other requests get the event loop. */
const linesAtOnce = 8

/** Makes one PDF at a time, because each is built in memory and takes about a millisecond of CPU per line. Ventures take turns. */
export class PdfWriter {
  readonly #turns: Turns

  constructor(database: Database) {
    this.#turns = new Turns({ places: 1, mostOfOne: 1, mostWaiting: 10, wait_ms: database.limits.queue_ms })
  }

  async write(statement: Statement, venture_id: string): Promise<Buffer> {
    const turn = this.#turns.enter(venture_id)
    if (turn !== undefined) await turn
    try {
      return await pdfOf(statement)
    } finally {
      this.#turns.leave(venture_id)
    }
  }
}

export async function pdfOf(statement: Statement): Promise<Buffer> {
  const { head } = statement
  const sheet = await openSheet(head)
  const { doc } = sheet
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject))

  addPage(sheet)
  drawHeading(sheet)
  drawSummary(sheet)
  sheet.table = begin(sheet.root, doc.struct('Table', { title: 'Lines of the statement' }))
  drawColumnTitles(sheet, true)
  drawTotalRow(sheet, { date: head.from, text: 'Opening balance', balance: head.opening_balance })
  let count = 0
  for await (const lines of statement.pages()) {
    for (const line of lines) {
      drawLine(sheet, line)
      if (++count % linesAtOnce === 0) await breathe()
    }
  }
  drawTotalRow(sheet, { date: head.to, text: 'Closing balance', balance: head.closing_balance })
  sheet.table.end()
  drawNotes(sheet)
  sheet.root.end()
  drawFooters(sheet)
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

type Sheet = { doc: Document; head: StatementHead; root: Element; table: Element | undefined; y: number; fonts: Fonts }

async function openSheet(head: StatementHead): Promise<Sheet> {
  const fonts = await loadFonts()
  // Loaded with the first PDF: most instances never make one.
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: [page.width, page.height],
    // The layout is ours: the library must not add pages by itself.
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA' as 'PDF/A-1',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: `Account statement ${head.account_number}, ${dayOf(head.from)} to ${dayOf(head.to)}`,
      Author: head.bank_name,
      Subject: `${head.account_name}, ${head.holder_name}`,
      Creator: head.bank_name,
      Producer: 'Vostro',
      CreationDate: new Date(head.generated_at),
    },
  })
  doc.registerFont('regular', fonts.regular as unknown as PDFKit.Mixins.PDFFontSource)
  doc.registerFont('bold', fonts.bold as unknown as PDFKit.Mixins.PDFFontSource)
  const root = doc.struct('Document')
  doc.addStructure(root)
  return { doc, head, root, table: undefined, y: page.top, fonts }
}

type Fonts = { regular: Font; bold: Font }
let loaded: Promise<Fonts> | undefined

/** Noto Sans with Latin, Greek and Cyrillic letters. */
function loadFonts(): Promise<Fonts> {
  const load = async (): Promise<Fonts> => {
    const { create } = await import('fontkit')
    const open = async (name: string) => create(await readFile(new URL(`../../fonts/${name}.ttf`, import.meta.url))) as Font
    return { regular: await open('NotoSans-Regular'), bold: await open('NotoSans-Bold') }
  }
  loaded ??= load()
  return loaded
}

/** A character that the font lacks is shown as a replacement character; the other formats have the exact text. */
export function printable(text: string, font: Pick<Font, 'hasGlyphForCodePoint'>): string {
  return Array.from(text, (character) => (font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ? character : '\uFFFD')).join('')
}

type Style = { x: number; y: number; width: number; size: number; bold?: boolean; colour?: string; align?: 'left' | 'right' }

/** Draws the text, wrapped at the width, and returns its height. */
function write({ doc, fonts }: Sheet, text: string, style: Style): number {
  const { x, y, width, size, bold = false, colour = colours.ink, align = 'left' } = style
  const shown = printable(text, fonts.regular)
  doc.font(bold ? 'bold' : 'regular', size).fillColor(colour)
  const options = { width, align, lineGap: 1 }
  const height = doc.heightOfString(shown, options)
  doc.text(shown, x, y, options)
  return height
}

/** A number is never wrapped: if it is too wide for its column, its font size is reduced. */
function writeNumber(sheet: Sheet, text: string, style: Style): number {
  const { doc } = sheet
  doc.font(style.bold ? 'bold' : 'regular', style.size)
  const width = doc.widthOfString(text)
  // The layout rounds, so a text that fits exactly would be wrapped.
  const size = width > style.width - 0.5 ? (style.size * (style.width - 0.5)) / width : style.size
  return write(sheet, text, { ...style, size, align: 'right' })
}

function heightOf({ doc, fonts }: Sheet, text: string, { width, size, bold = false }: Pick<Style, 'width' | 'size' | 'bold'>): number {
  doc.font(bold ? 'bold' : 'regular', size)
  return doc.heightOfString(printable(text, fonts.regular), { width, lineGap: 1 })
}

/** Adds an element to its parent. What is drawn next is marked as its content. */
function begin(parent: Element, element: Element): Element {
  parent.add(element)
  return element
}

function tagged({ doc }: Sheet, parent: Element, type: string, draw: () => void, options: object = {}): void {
  begin(parent, doc.struct(type, options, draw as () => Element))
}

/** Draws what screen readers skip: rules, and what is repeated on every page. */
function artifact({ doc }: Sheet, draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
  doc.markContent('Artifact', { type })
  draw()
  doc.endMarkedContent()
}

function rule({ doc }: Sheet, y: number, { colour = colours.rule, width = 0.5 } = {}): void {
  doc.moveTo(page.left, y).lineTo(page.right, y).lineWidth(width).strokeColor(colour).stroke()
}

/** Every page begins with the bank's name. */
function addPage(sheet: Sheet): void {
  const { doc, head } = sheet
  const isFirst = doc.bufferedPageRange().count === 0
  doc.addPage()
  artifact(
    sheet,
    () => {
      const style = { y: 40, size: sizes.small, colour: colours.muted }
      const name = { ...style, x: page.left, width: 280, size: sizes.text, bold: true, colour: colours.accent }
      const height = write(sheet, head.bank_name, name)
      if (!isFirst)
        writeNumber(sheet, `${groupsOf(head.account_number)}  ·  ${periodOf(head)}`, { ...style, x: 290, width: page.right - 290 })
      rule(sheet, Math.max(58, 44 + height), { colour: colours.accent, width: 1 })
      sheet.y = Math.max(page.top - 10, 60 + height)
    },
    'Pagination',
  )
}

function drawHeading(sheet: Sheet): void {
  const { head, root } = sheet
  const full = { x: page.left, width: page.right - page.left }
  tagged(sheet, root, 'H1', () => {
    sheet.y += write(sheet, 'Account statement', { ...full, y: sheet.y, size: sizes.title, bold: true, colour: colours.accent })
  })
  tagged(sheet, root, 'P', () => {
    sheet.y += write(sheet, `${periodOf(head)}, in UTC`, { ...full, y: sheet.y, size: sizes.text, colour: colours.muted }) + 14
  })
  const left: [string, string][] = [
    ['Account holder', head.holder_name],
    ['Account', head.account_name],
  ]
  const right: [string, string][] = [
    ['IBAN', groupsOf(head.account_number)],
    ['BIC', head.bank_bic],
    ['Currency', head.currency],
  ]
  const top = sheet.y
  const block = (fields: [string, string][], x: number, width: number): number => {
    let y = top
    for (const [label, value] of fields) {
      tagged(sheet, root, 'P', () => {
        y += write(sheet, label, { x, y, width, size: sizes.label, colour: colours.muted })
        y += write(sheet, value, { x, y, width, size: sizes.text }) + 5
      })
    }
    return y
  }
  sheet.y = Math.max(block(left, page.left, 250), block(right, 320, page.right - 320)) + 6
}

function drawSummary(sheet: Sheet): void {
  const { doc, head, root } = sheet
  const figures: [string, string][] = [
    ['Opening balance', head.opening_balance],
    ['Money in', head.total_credits],
    ['Money out', head.total_debits],
    ['Closing balance', head.closing_balance],
  ]
  const [height, width] = [44, (page.right - page.left) / figures.length]
  const top = sheet.y
  artifact(sheet, () => {
    doc.roundedRect(page.left, top, page.right - page.left, height, 4).fill(colours.band)
  })
  figures.forEach(([label, amount], index) => {
    const x = page.left + index * width + 10
    tagged(sheet, root, 'P', () => {
      write(sheet, label, { x, y: top + 8, width: width - 14, size: sizes.label, colour: colours.muted })
      const size = fitting(sheet, numberOf(amount), width - 14)
      write(sheet, numberOf(amount), { x, y: top + 20 + (sizes.figure - size) / 2, width: width - 13, size, bold: true })
    })
  })
  sheet.y = top + height + 16
}

/** The font size at which a figure of the summary fits. */
function fitting({ doc }: Sheet, text: string, width: number): number {
  doc.font('bold', sizes.figure)
  return Math.min(sizes.figure, (sizes.figure * width) / doc.widthOfString(text))
}

/** Only the titles on the first page are cells of the table. */
function drawColumnTitles(sheet: Sheet, isFirst = false): void {
  const { doc } = sheet
  const draw = (name: Column) => {
    const { x, width, title, isNumber } = columns[name]
    const style = { x, y: sheet.y, width, size: sizes.label, bold: true, colour: colours.muted }
    return isNumber ? writeNumber(sheet, title, style) : write(sheet, title, style)
  }
  if (isFirst && sheet.table !== undefined) {
    const row = begin(sheet.table, doc.struct('TR'))
    for (const name of columnNames) tagged(sheet, row, 'TH', () => draw(name), { scope: 'Column' })
    row.end()
  } else {
    artifact(sheet, () => columnNames.forEach(draw), 'Pagination')
  }
  sheet.y += 14
  artifact(sheet, () => rule(sheet, sheet.y, { colour: colours.muted, width: 0.75 }))
  sheet.y += 5
}

/** Begins a new page if the height does not fit on this one. */
function makeRoom(sheet: Sheet, height: number): void {
  if (sheet.y + height <= page.bottom) return
  addPage(sheet)
  drawColumnTitles(sheet)
}

function drawRow(sheet: Sheet, height: number, cells: Partial<Record<Column, () => void>>): void {
  const { doc, table } = sheet
  if (table === undefined) throw new Error('a row needs a table')
  const row = begin(table, doc.struct('TR'))
  for (const name of columnNames) tagged(sheet, row, 'TD', cells[name] ?? (() => {}))
  row.end()
  sheet.y += height + 3
  artifact(sheet, () => rule(sheet, sheet.y))
  sheet.y += 4
}

function drawTotalRow(sheet: Sheet, { date, text, balance }: { date: string; text: string; balance: string }): void {
  makeRoom(sheet, 15)
  const style = { y: sheet.y, size: sizes.text, bold: true }
  drawRow(sheet, 12, {
    date: () => write(sheet, dayOf(date), { ...style, ...columns.date, size: sizes.small, bold: false }),
    details: () => write(sheet, text, { ...style, ...columns.details }),
    balance: () => writeNumber(sheet, numberOf(balance), { ...style, ...columns.balance }),
  })
}

function drawLine(sheet: Sheet, line: StatementLine): void {
  const { width } = columns.details
  const parts = detailsOf(line).map((part, index) => {
    const style = index === 0 ? { width, size: sizes.text, colour: colours.ink } : { width, size: sizes.small, colour: colours.muted }
    return { part, style, height: heightOf(sheet, part, style) }
  })
  const height = parts.reduce((sum, part) => sum + part.height, 0)
  makeRoom(sheet, height + 3)
  const { y } = sheet
  const isDebit = line.amount.startsWith('-')
  const amount = () =>
    writeNumber(sheet, numberOf(line.amount.replace('-', '')), { ...columns[isDebit ? 'out' : 'in'], y, size: sizes.text })
  drawRow(sheet, height, {
    date: () => write(sheet, dayOf(line.booking_date), { ...columns.date, y: y + 1, size: sizes.small }),
    details: () => {
      let next = y
      for (const { part, style, height } of parts) {
        write(sheet, part, { ...style, x: columns.details.x, y: next })
        next += height
      }
    },
    [isDebit ? 'out' : 'in']: amount,
    balance: () => writeNumber(sheet, numberOf(line.balance), { ...columns.balance, y, size: sizes.text }),
  })
}

/** Counterparty, account, purpose: the first part is the most important. */
function detailsOf(line: StatementLine): string[] {
  const { counterparty_name, counterparty_iban, counterparty_account_id, purpose, structured_reference, unique_reference, fee_amount } =
    line
  const kind = wordsOf(line.transfer_type ?? 'PAYMENT')
  const account = counterparty_iban === null ? counterparty_account_id : groupsOf(counterparty_iban)
  const all = [
    counterparty_name ?? kind,
    counterparty_name === null ? account : joined([kind, account]),
    purpose,
    joined([
      structured_reference === null ? null : `Creditor reference ${structured_reference}`,
      unique_reference === null ? null : `Reference ${unique_reference}`,
    ]),
    ...saidIn(line),
    exchangeOf(line),
    joined([
      fee_amount === null ? null : `Including a fee of ${numberOf(fee_amount)}`,
      line.value_date === line.booking_date ? null : `Value date ${dayOf(line.value_date)}`,
    ]),
  ]
  return all.flatMap((part) => part || [])
}

/** What the other side said besides. Ids that only banks need are left out. */
function saidIn({ unique_reference, details = {} }: StatementLine): (string | null)[] {
  const { end_to_end_id, ultimate_debtor, ultimate_creditor, mandate_reference, creditor_id, additional_remittance = [] } = details
  const named = (label: string, party: PaymentParty | undefined) => {
    const name = party?.name ?? party?.lei ?? party?.bic
    return name === undefined ? null : `${label} ${name}`
  }
  const coded = (label: string, id: string | undefined) => (id === undefined ? null : `${label} ${id}`)
  return [
    joined([named('On behalf of', ultimate_debtor), named('For', ultimate_creditor)]),
    ...additional_remittance,
    joined([
      end_to_end_id === unique_reference ? null : coded('End-to-end id', end_to_end_id),
      coded('Mandate', mandate_reference),
      coded('Creditor id', creditor_id),
    ]),
  ]
}

function exchangeOf({ exchanged_amount, exchanged_currency, exchange_rate }: StatementLine): string | null {
  if (exchanged_amount === null) return null
  const amount = `${numberOf(exchanged_amount)} ${exchanged_currency}`
  return exchange_rate === null ? amount : `${amount} at a rate of ${exchange_rate}`
}

const joined = (parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join('  ·  ')

function drawNotes(sheet: Sheet): void {
  const { head, root } = sheet
  const notes = [
    ...(head.line_count === 0 ? ['Nothing was booked in this period.'] : []),
    ...(head.closing_balance.startsWith('-')
      ? [`The account is overdrawn by ${numberOf(head.closing_balance.slice(1))} ${head.currency}.`]
      : []),
    ...(head.generated_at <= head.to ? ['The period had not ended when this statement was made, so lines may follow.'] : []),
    `All amounts are in ${head.currency}. Made by ${head.bank_name} on ${dayOf(head.generated_at)} at ${head.generated_at.slice(11, 16)} UTC.`,
  ]
  const style = { x: page.left, width: page.right - page.left, size: sizes.small, colour: colours.muted }
  const height = notes.reduce((sum, note) => sum + heightOf(sheet, note, style) + 3, 0)
  if (sheet.y + height + 6 > page.bottom) addPage(sheet)
  sheet.y += 6
  for (const note of notes) tagged(sheet, root, 'P', () => (sheet.y += write(sheet, note, { ...style, y: sheet.y }) + 3))
}

/** Drawn last, when the number of pages is known. */
function drawFooters(sheet: Sheet): void {
  const { doc, head } = sheet
  const { count } = doc.bufferedPageRange()
  for (let index = 0; index < count; index++) {
    doc.switchToPage(index)
    const style = { y: 800, size: sizes.label, colour: colours.muted }
    artifact(
      sheet,
      () => {
        const account = `${head.bank_name}  ·  ${head.bank_bic}`
        write(sheet, account, { ...style, x: page.left, width: 400 })
        writeNumber(sheet, `Page ${index + 1} of ${count}`, { ...style, x: 450, width: page.right - 450 })
      },
      'Pagination',
    )
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** 2026-11-16 as 16 Nov 2026. */
function dayOf(time: string): string {
  return `${Number(time.slice(8, 10))} ${months[Number(time.slice(5, 7)) - 1]} ${time.slice(0, 4)}`
}

/** The time of day is shown only if the period does not consist of whole days. */
function periodOf({ from, to }: Pick<StatementHead, 'from' | 'to'>): string {
  const isWholeDays = from.endsWith('T00:00:00.000Z') && to.endsWith('T23:59:59.999Z')
  const text = (time: string) => (isWholeDays ? dayOf(time) : `${dayOf(time)}, ${time.slice(11, 23)}`)
  return `${text(from)} to ${text(to)}`
}

/** With commas between thousands and a real minus sign. Digits are never parsed as a number. */
export function numberOf(amount: string): string {
  const [whole = '', decimals] = amount.replace('-', '').split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amount.startsWith('-') ? '\u2212' : ''}${grouped}${decimals === undefined ? '' : `.${decimals}`}`
}

/** An IBAN in groups of four, as printed. */
const groupsOf = (iban: string): string => iban.replace(/.{4}(?=.)/g, '$& ')

/** PAYMENT_RETURN as Payment return. */
function wordsOf(type: string): string {
  const words = type.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
