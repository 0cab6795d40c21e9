// Which clients and beneficiaries of a database are hits by the present rule, and are none by the one before. It only reads, and only what older
// versions have too, so that it can be asked before an upgrade.
import { Database } from '../../server/src/platform/database/database.ts'
import { read } from '../../server/src/platform/database/sql.ts'
import { firstPolicy } from '../../server/src/policies/policies.ts'
import { type BeneficiaryParty, subjectOfBeneficiary, subjectOfClient } from '../../server/src/processing/processing.parties.ts'
import { selectClientParties } from '../../server/src/processing/processing.sql.ts'
import type { Entry } from '../../server/src/screening/screening.entries.ts'
import { Index } from '../../server/src/screening/screening.index.ts'
import { selectEntries } from '../../server/src/screening/screening.sql.ts'
import {
  type Comparison,
  compareSubjects,
  countingLists,
  findActiveLists,
  type HitRow,
  type ScreeningPolicy,
  type Subject,
} from '../../server/src/screening/screening.ts'
import { previousFormula } from './screening.rules.ts'

type Kind = 'client' | 'beneficiary'

/** `before`: the entry's score by the previous rule; null if it was not near. */
export type NewHit = { venture_id: string; kind: Kind; id: string; list: string; entry_id: string; before: number | null; now: number }

/** `skipped`: ventures whose policies name a list without an active version, so that nothing passes there. */
export type Live = { compared: Record<Kind, number>; hits: NewHit[]; skipped: string[] }

export type LiveProgress = { done: number; of: number; compared: number }

type LoadedList = { name: string; version_id: string; now: Index; before: Index }

const perStep = 200
const first = '00000000-0000-0000-0000-000000000000'

/** `countries`: those whose banks always need a review. */
export async function findNewHits(
  url: string,
  countries: readonly string[],
  onProgress: (progress: LiveProgress) => void = () => {},
): Promise<Live> {
  const database = new Database({ url: readOnly(url), poolSize: 2 })
  try {
    await database.findPlacement()
    const current = await findActiveLists(database)
    const loaded = new Map<string, LoadedList>()
    for (const { name, version_id } of current) {
      const entries = await readEntries(database, version_id)
      loaded.set(version_id, { name, version_id, now: new Index(entries), before: new Index(entries, previousFormula) })
    }
    const comparisonBy = (rule: 'now' | 'before'): Comparison => ({
      database,
      countries: new Set(countries),
      lists: { current, ask: async (version_id, question) => listOf(loaded, version_id)[rule].search(question) },
    })
    const [now, before] = [comparisonBy('now'), comparisonBy('before')]
    const ventures = await database.rows(read<{ id: string }>`select id from ventures where control = 'MANAGED' order by id`)
    const live: Live = { compared: { client: 0, beneficiary: 0 }, hits: [], skipped: [] }
    for (const [done, { id: venture_id }] of ventures.entries()) {
      const policy = await policyOf(database, venture_id)
      const lists = countingLists(current, policy).map(({ version_id }) => listOf(loaded, version_id))
      if (lists.length === 0) live.skipped.push(venture_id)
      for (const kind of lists.length === 0 ? [] : kinds)
        for await (const subjects of subjectsOf(database, kind, venture_id, policy)) {
          const compared = await compareSubjects(now, subjects, { cause: 'nightly' })
          const earlier = await compareSubjects(before, subjects.map(lowered), { cause: 'nightly' })
          for (const [at, subject] of subjects.entries()) {
            const hits = newHitsOf(subject, { now: compared[at]?.hits ?? [], before: earlier[at]?.hits ?? [] }, lists)
            live.hits.push(...hits.map((hit) => ({ ...hit, kind })))
          }
          live.compared[kind] += subjects.length
          onProgress({ done, of: ventures.length, compared: live.compared.client + live.compared.beneficiary })
        }
    }
    return live
  } finally {
    await database.close()
  }
}

const kinds: readonly Kind[] = ['client', 'beneficiary']

/** A write would fail. */
export function readOnly(url: string): string {
  const option = '-c%20default_transaction_read_only%3Don'
  if (/[?&]options=/.test(url)) return url.replace(/([?&]options=)/, `$1${option}%20`)
  return `${url}${url.includes('?') ? '&' : '?'}options=${option}`
}

function listOf(loaded: ReadonlyMap<string, LoadedList>, version_id: string): LoadedList {
  const list = loaded.get(version_id)
  if (list === undefined) throw new Error(`the list version ${version_id} is not loaded`)
  return list
}

async function readEntries(database: Database, version_id: string): Promise<Entry[]> {
  const [entries, limit]: [Entry[], number] = [[], 5_000]
  for (;;) {
    const some = await database.rows(selectEntries(version_id, { after: entries.at(-1)?.id ?? '', limit }))
    entries.push(...some)
    if (some.length < limit) return entries
  }
}

async function policyOf(database: Database, venture_id: string): Promise<ScreeningPolicy> {
  const agreed = await database.first(read<ScreeningPolicy>`
    select version, screen_threshold, block_threshold, lists, screen_peps from policies
    where venture_id = ${venture_id} order by version desc limit 1`)
  return agreed ?? firstPolicy
}

async function* subjectsOf(database: Database, kind: Kind, venture_id: string, policy: ScreeningPolicy): AsyncIterable<Subject[]> {
  for (let after = first; ; ) {
    const part = { venture_id, after, limit: perStep }
    const subjects =
      kind === 'client'
        ? (await selectClientParties(database, part)).map((client) => subjectOfClient(venture_id, client, policy))
        : (await selectBeneficiaries(database, part)).map((beneficiary) => subjectOfBeneficiary(venture_id, beneficiary, policy))
    if (subjects.length > 0) yield subjects
    if (subjects.length < perStep) return
    after = subjects.at(-1)?.id ?? after
  }
}

type Part = { venture_id: string; after: string; limit: number }

function selectBeneficiaries(database: Database, { venture_id, after, limit }: Part): Promise<(BeneficiaryParty & { id: string })[]> {
  return database.rows(read<BeneficiaryParty & { id: string }>`
    select id, name, beneficiary_type, iban, account_number, country_code, bic, swift_code from beneficiaries
    where venture_id = ${venture_id} and id > ${after} order by id limit ${limit}`)
}

/** How far below the threshold an entry may have been to be called near. */
const near = 0.2

/** The same subject, compared from a lower threshold on. */
function lowered(subject: Subject): Subject {
  const screen_threshold = String(Math.max(0, Number(subject.policy.screen_threshold) - near))
  return { ...subject, policy: { ...subject.policy, screen_threshold } }
}

type Hits = { now: readonly HitRow[]; before: readonly HitRow[] }

/** None if the subject is a hit already. Hits that people have cleared are left out. */
function newHitsOf({ policy, venture_id, id }: Subject, hits: Hits, lists: readonly LoadedList[]): Omit<NewHit, 'kind'>[] {
  const found: Omit<NewHit, 'kind'>[] = []
  for (const hit of hits.now) {
    const list = lists.find(({ version_id }) => version_id === hit.version_id)
    const before = scoreBefore(hits.before, hit)
    // A name that cannot be read and a country are hits by both rules.
    if (list === undefined || (before ?? 0) >= Number(policy.screen_threshold)) return []
    found.push({ venture_id, id, list: list.name, entry_id: hit.entry_id ?? '', before, now: hit.score ?? 0 })
  }
  return found
}

/** Null if the party did not come near the entry. */
function scoreBefore(hits: readonly HitRow[], { party, entry_id, version_id }: HitRow): number | null {
  const same = hits.filter((one) => one.party === party && one.entry_id === entry_id && one.version_id === version_id)
  return same.length === 0 ? null : Math.max(...same.map(({ score }) => score ?? 0))
}

/** A line for each new hit, and one sentence. */
export function liveReport({ compared, hits, skipped }: Live): string {
  const numberOf = (kind: Kind) => new Set(hits.filter((hit) => hit.kind === kind).map(({ id }) => id)).size
  const counted = (count: number, [one, many]: readonly [string, string]) => `${count} ${count === 1 ? one : many}`
  const [clients, beneficiaries] = [['client', 'clients'] as const, ['beneficiary', 'beneficiaries'] as const]
  const percent = (score: number | null) => (score === null ? 'below' : score.toFixed(3))
  return [
    ...hits.map(
      ({ venture_id, kind, id, list, entry_id, before, now }) =>
        `venture ${venture_id}: ${kind} ${id} resembles ${entry_id} of ${list}: ${percent(before)} → ${percent(now)}`,
    ),
    ...skipped.map((id) => `venture ${id}: not compared, because its policy names a list that has no active version, or there is none`),
    `Of ${counted(compared.client, clients)} and ${counted(compared.beneficiary, beneficiaries)} of MANAGED ventures, ` +
      `${counted(numberOf('client'), clients)} and ${counted(numberOf('beneficiary'), beneficiaries)} would become hits that are not today.`,
  ].join('\n')
}
