import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { PersonFacts } from '../../../ground/model/person.ts'
import { issuesError } from '../errors.ts'
import type { Exception, Step } from '../exception/model.ts'
import type { StoreExceptionsDeps } from '../record/store-exceptions.ts'
import {
  type CountsRow,
  countFingerprintsStatement,
  countIssuesStatement as countInTimeStatement,
  countSharesStatement,
  type ExceptionRow,
  type FingerprintCountRow,
  type FullExceptionRow,
  type PersonRow,
  type ShareRow,
  selectExceptionStatement,
  selectExceptionsStatement,
  selectPeopleStatement,
  type TimeParts,
} from '../store/exceptions.ts'
import { type HistoryEntry, selectHistoryStatement } from '../store/history.ts'
import {
  countIssuesStatement,
  type IssueRow,
  type IssueSort,
  type IssueState,
  type IssuesFilter,
  selectIssueStatement,
  selectIssuesStatement,
  selectReleasesStatement,
} from '../store/issues.ts'
import { instantOfMs, readPlace, renderCounts, renderException, renderIssue, timeOf, writePlace } from './render.ts'
import type { ExceptionDetail, ExceptionsPage, IssueDetail, IssuesPage, ranges } from './schemas.ts'

export interface AnswersDeps {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'query'>
  /** The persons of the analytics. */
  readonly people: { byDistinctId(ids: readonly string[]): Promise<ReadonlyMap<string, PersonFacts>> }
  /** The users of the application. */
  readonly users: {
    byId(
      ids: readonly string[],
    ): Promise<ReadonlyMap<string, { readonly email: string | null; readonly name: string | null }>>
  }
  readonly resolve: StoreExceptionsDeps['resolve']
  readonly now: () => Date
}

export interface IssuesListQuery extends IssuesFilter {
  readonly sort: IssueSort
  readonly range: (typeof ranges)[number]
  /** As a page before gave it. */
  readonly before: string | null
  readonly limit: number
}

/** What the console asks of issues. Those that take an id throw CLEW_ISSUES_NOT_FOUND. */
export interface IssueAnswers {
  /** @throws CLEW_ISSUES_CURSOR */
  list(query: IssuesListQuery): Promise<IssuesPage>
  find(id: string): Promise<IssueRow>
  detail(id: string): Promise<IssueDetail>
  exceptions(id: string, before: string | null, limit: number): Promise<ExceptionsPage>
  /** The latest where no exception is named. @throws CLEW_ISSUES_NO_EXCEPTION */
  exception(id: string, exceptionId: string | null): Promise<ExceptionDetail>
}

const mostCounted = 10_000
const mostReleases = 50
const mostShares = 10
const mostPeople = 25
const mostHistory = 100

export function createIssueAnswers(deps: AnswersDeps): IssueAnswers {
  const { sql, clickhouse, now } = deps

  const find = async (id: string): Promise<IssueRow> => {
    const [row] = (await sql.query<IssueRow>(selectIssueStatement(id))).rows
    if (row === undefined) throw issuesError('CLEW_ISSUES_NOT_FOUND')
    return row
  }

  const countsOf = async (issues: readonly IssueRow[], time: TimeParts) => {
    const pairs = issues.flatMap(({ id, fingerprints }) => fingerprints.map((each) => [each, id] as const))
    if (pairs.length === 0) return new Map<string, CountsRow>()
    const fingerprints = pairs.map(([fingerprint]) => fingerprint)
    const ids = pairs.map(([, id]) => id)
    const rows = await clickhouse.query<CountsRow>(countInTimeStatement(fingerprints, ids, time))
    return new Map(rows.map((row) => [row.issue, row]))
  }

  const rankOf = async ({ sort, range }: IssuesListQuery) => {
    if (sort !== 'events' && sort !== 'people') return null
    const statement = countFingerprintsStatement(timeOf(range, now()), sort, mostCounted)
    const rows = await clickhouse.query<FingerprintCountRow>(statement)
    return rows.map(({ fingerprint, count }) => ({ fingerprint, count: Number(count) }))
  }

  return {
    find,
    async list(query) {
      const { limit, range, before } = query
      const page = { ...query, after: before === null ? null : readPlace(before), limit: limit + 1 }
      const counts = await rankOf(query)
      const [issues, states, releases] = await Promise.all([
        sql.query<IssueRow & { place: number }>(selectIssuesStatement({ ...page, counts })),
        sql.query<{ state: IssueState; count: number }>(countIssuesStatement()),
        sql.query<{ name: string }>(selectReleasesStatement(mostReleases)),
      ])
      const rows = issues.rows.slice(0, limit)
      const inTime = await countsOf(rows, timeOf(range, now()))
      const last = rows.at(-1)
      const ofState = (state: IssueState): number => states.rows.find((row) => row.state === state)?.count ?? 0
      return {
        issues: rows.map((row) => renderIssue(row, renderCounts(inTime.get(row.id), range))),
        next: issues.rows.length > limit && last !== undefined ? writePlace(last.place, last.id) : null,
        counts: { open: ofState('open'), resolved: ofState('resolved'), ignored: ofState('ignored') },
        releases: releases.rows.map(({ name }) => name),
      }
    },
    async detail(id) {
      const row = await find(id)
      const time = timeOf('30d', now())
      const share = (column: 'release' | 'browser' | 'os' | 'url') => findShares(deps, row, column)
      const [counts, releases, browsers, systems, pages, people, history] = await Promise.all([
        countsOf([row], time),
        share('release'),
        share('browser'),
        share('os'),
        share('url'),
        findPeople(deps, row),
        sql.query<HistoryEntry>(selectHistoryStatement(id, mostHistory)),
      ])
      return {
        issue: renderIssue(row, renderCounts(counts.get(id), '30d')),
        daysFrom: time.from.toISOString(),
        message: row.message,
        resolvedAt: row.resolvedAt?.toISOString() ?? null,
        resolvedInNextRelease: row.resolvedInNextRelease,
        fingerprints: [...row.fingerprints],
        ...{ releases, browsers, systems, pages, people },
        history: history.rows.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
      }
    },
    ...exceptionAnswers(deps, find),
  }
}

/** The exceptions of an issue, and one with its stack. */
const exceptionAnswers = (
  { clickhouse, resolve }: AnswersDeps,
  find: IssueAnswers['find'],
): Pick<IssueAnswers, 'exceptions' | 'exception'> => ({
  async exceptions(id, before, limit) {
    const { fingerprints } = await find(id)
    const place = before === null ? null : readPlace(before)
    const after = place === null ? null : { timeMs: place.value, id: place.id }
    const rows = await clickhouse.query<ExceptionRow>(selectExceptionsStatement(fingerprints, after, limit + 1))
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      exceptions: shown.map(renderException),
      next: rows.length > limit && last !== undefined ? writePlace(Number(last.time_ms), last.id) : null,
    }
  },
  async exception(id, exceptionId) {
    const { fingerprints } = await find(id)
    const [row] = await clickhouse.query<FullExceptionRow>(selectExceptionStatement(fingerprints, exceptionId))
    if (row === undefined) throw issuesError('CLEW_ISSUES_NO_EXCEPTION')
    // Written by `exceptionLine`.
    const exceptions = JSON.parse(row.exceptions) as Exception[]
    const steps = JSON.parse(row.steps) as Step[]
    const [chain = exceptions] = await resolve([{ release: row.release || null, exceptions }])
    return {
      exception: renderException(row),
      chain: chain.map((each) => ({ ...each, frames: each.frames.map(({ chunkId: _, ...frame }) => copyOf(frame)) })),
      steps,
    }
  },
})

/** The frame as an answer's type has it, whose lists may be written to. */
const copyOf = (frame: Omit<Exception['frames'][number], 'chunkId'>) => ({
  ...frame,
  context: frame.context && {
    ...frame.context,
    before: [...frame.context.before],
    after: [...frame.context.after],
  },
})

async function findShares(
  { clickhouse }: AnswersDeps,
  { fingerprints }: IssueRow,
  column: 'release' | 'browser' | 'os' | 'url',
): Promise<IssueDetail['releases']> {
  const rows = await clickhouse.query<ShareRow>(countSharesStatement(fingerprints, column, mostShares))
  return rows.map(({ value, count }) => ({ value, count: Number(count) }))
}

/** The users and persons who met an issue, the latest first; one who used several browsers is there once. */
async function findPeople({ clickhouse, people, users }: AnswersDeps, { fingerprints }: IssueRow) {
  const rows = await clickhouse.query<PersonRow>(selectPeopleStatement(fingerprints, mostPeople))
  const persons = await people.byDistinctId(rows.flatMap(({ any_distinct_id: id }) => (id === '' ? [] : [id])))
  const userIdOf = (row: PersonRow): string | null =>
    row.any_user_id || persons.get(row.any_distinct_id)?.userId || null
  const known = await users.byId(rows.flatMap((row) => userIdOf(row) ?? []))
  const merged = new Map<string, IssueDetail['people'][number]>()
  for (const row of rows) {
    const person = persons.get(row.any_distinct_id)
    const userId = userIdOf(row)
    const user = userId === null ? undefined : known.get(userId)
    const key = userId ?? person?.personId ?? row.person
    const before = merged.get(key)
    merged.set(key, {
      distinctId: before?.distinctId ?? (row.any_distinct_id || null),
      userId,
      email: user?.email ?? person?.email ?? null,
      name: user?.name ?? person?.name ?? null,
      events: Number(row.count) + (before?.events ?? 0),
      lastAt: before?.lastAt ?? instantOfMs(row.last_ms),
    })
  }
  return [...merged.values()]
}
