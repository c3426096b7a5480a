import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { ClickHouseStatement } from '../../../ground/sql/clickhouse.ts'
import { instantOf } from '../record/request-lines.ts'
import { type ExchangeRow, selectExchangeStatement } from './exchange/exchange.ts'
import {
  byNewest,
  type ChangeRow,
  countChangesByClaimStatement,
  countChangesSinceStatement,
  countChangesStatement,
  type NamesRow,
  type RowChangesQuery,
  selectCauseChangesStatement,
  selectKeyChangesStatement,
  selectLastCommitStatement,
  selectNamesStatement,
  selectRequestsChangesStatement,
  selectRowChangesStatement,
  selectSessionChangesStatement,
  selectTableChangesStatement,
  selectUserDeletionsStatement,
  type TableChangesQuery,
} from './queries/changes.ts'
import { type ClaimRow, idsPerQuestion } from './queries/columns.ts'
import {
  type FrameRow,
  selectFramesByIdStatement,
  selectFramesOfCausesStatement,
  selectSessionFramesStatement,
} from './queries/frames.ts'
import {
  type HourRow,
  type MinuteRow,
  selectChangeHoursStatement,
  selectFirstRequestStatement,
  selectHoursStatement,
  selectMinutesStatement,
  selectPeopleStatement,
  selectSessionIdsStatement,
} from './queries/overview.ts'
import type { RequestCondition } from './queries/request-condition.ts'
import type { RequestFilter } from './queries/request-filter.ts'
import {
  type SeriesRow,
  type SeriesTotalRow,
  selectOldestRequestStatement,
  selectSeriesStatement,
  selectSeriesTotalStatement,
  selectTimeBehindStatement,
} from './queries/request-series.ts'
import {
  type LogRow,
  type PersonRequestsQuery,
  type RequestRow,
  type StatementRow,
  selectCausedRequestsStatement,
  selectPersonRequestsStatement,
  selectRequestLogsStatement,
  selectRequestStatementsStatement,
  selectRequestsByIdStatement,
  selectSessionLogsStatement,
  selectSessionRequestsStatement,
  selectSessionStatementsStatement,
} from './queries/requests.ts'
import {
  type FirstChangeRow,
  type NotableRow,
  type RequestClaimRow,
  type SlowestRow,
  selectClaimsStatement,
  selectFirstChangesStatement,
  selectNotableStatement,
  selectSessionsMeetingStatement,
  selectSlowestStatement,
} from './queries/sessions.ts'
import { selectRequestsOfTracesStatement, selectSessionsOfTracesStatement } from './queries/traces.ts'
import { createNewestReads } from './search/newest-reads.ts'
import { createRequestSearch } from './search/request-search.ts'

/** Reads of the room's tables in ClickHouse. */
export type ThreadStore = ReturnType<typeof createStore>

/** The question for some of many ids. */
type PieceStatement = (some: readonly string[]) => ClickHouseStatement
/** Asks for many ids, some at a time. */
type InPieces = <Row>(ids: readonly string[], statement: PieceStatement) => Promise<readonly Row[]>

/** Reads on one ClickHouse; their statements are in `queries/`. */
export function createStore({ query }: Pick<ClickHouse, 'query'>, now: () => Date) {
  const inPieces: InPieces = async <Row>(ids: readonly string[], statement: PieceStatement) => {
    const rows: Row[] = []
    for (let from = 0; from < ids.length; from += idsPerQuestion)
      rows.push(...(await query<Row>(statement(ids.slice(from, from + idsPerQuestion)))))
    return rows
  }
  const search = createRequestSearch(query)
  const requestsById = (ids: readonly string[]) => inPieces<RequestRow>(ids, selectRequestsByIdStatement)

  return {
    requestsById,
    ...createNewestReads(query, now, requestsById, search),
    ...createSeriesReads(query),
    ...createExchangeReads(query),
    requestsOfSession: (id: string, limit: number) => query<RequestRow>(selectSessionRequestsStatement(id, limit)),
    statementsOfSession: (id: string) => query<StatementRow>(selectSessionStatementsStatement(id)),
    logsOfSession: (id: string, limit: number) => query<LogRow>(selectSessionLogsStatement(id, limit)),
    logsOfRequest: (id: string, limit: number) => query<LogRow>(selectRequestLogsStatement(id, limit)),
    /** Requests that a function made for this call. */
    requestsOfCause: (id: string, limit: number) => query<RequestRow>(selectCausedRequestsStatement(id, limit)),
    statementsOfRequest: (id: string) => query<StatementRow>(selectRequestStatementsStatement(id)),

    framesOfSession: (id: string, limit: number) => query<FrameRow>(selectSessionFramesStatement(id, limit)),
    framesById: (ids: readonly string[]) => inPieces<FrameRow>(ids, selectFramesByIdStatement),
    /** The first messages that each of these led to. */
    framesOfCauses: (causeIds: readonly string[], limit: number) =>
      inPieces<FrameRow>(causeIds, selectFramesOfCausesStatement(limit)),

    changesOfSession: (id: string) => query<ChangeRow>(selectSessionChangesStatement(id)),
    /** Changes of a request, or of a job's run. */
    changesOfCause: (id: string, limit?: number) => query<ChangeRow>(selectCauseChangesStatement(id, limit)),
    ...createHistoryReads(query),
    ...createPersonReads(query, inPieces),
    async changeCounts(requestIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await inPieces<{ request_id: string; changes: string }>(requestIds, countChangesStatement)
      return new Map(rows.map((row) => [row.request_id, Number(row.changes)]))
    },
    changeClaims: (sessionIds: readonly string[]) =>
      inPieces<ClaimRow & { readonly changes: string }>(sessionIds, countChangesByClaimStatement),
    /** When each of these users was deleted, in milliseconds; without those that are not known to be. */
    async userDeletions(userIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await inPieces<{ key: string; deleted_ms: string }>(userIds, selectUserDeletionsStatement)
      // Keys as they were asked for.
      return new Map(rows.map((row) => [(JSON.parse(row.key) as { id: string }).id, Number(row.deleted_ms)]))
    },

    async sessionsOfTraces(traceIds: readonly string[]): Promise<readonly string[]> {
      const rows = await inPieces<{ session_id: string }>(traceIds, selectSessionsOfTracesStatement)
      return [...new Set(rows.map((row) => row.session_id))]
    },
    /** The first request of each trace, by the trace's id; without those of which none is known. */
    async requestsOfTraces(traceIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await inPieces<{ trace: string; id: string }>(traceIds, selectRequestsOfTracesStatement)
      return new Map(rows.map(({ trace, id }) => [trace, id]))
    },
    requestClaims: (sessionIds: readonly string[]) => inPieces<RequestClaimRow>(sessionIds, selectClaimsStatement),
    /** Requests that tell what was done in the sessions, and what those that wrote changed first. */
    notableRequests: (sessionIds: readonly string[]) => inPieces<NotableRow>(sessionIds, selectNotableStatement),
    firstChanges: (requestIds: readonly string[]) => inPieces<FirstChangeRow>(requestIds, selectFirstChangesStatement),
    /** Those of the sessions that have a request as the condition says. */
    async sessionsMeeting(ids: readonly string[], condition: RequestCondition): Promise<ReadonlySet<string>> {
      const ask = (some: readonly string[]) => selectSessionsMeetingStatement(some, condition)
      return new Set((await inPieces<{ session_id: string }>(ids, ask)).map((row) => row.session_id))
    },
    claimsMatching: search.claimsMatching,
    slowestStatements: (from: Date, before: Date) => query<SlowestRow>(selectSlowestStatement(from, before)),
    ...createOverviewReads(query),
  }
}

/** What requests and their answers said. */
const createExchangeReads = (query: ClickHouse['query']) => ({
  async exchangeOf(requestId: string): Promise<ExchangeRow | undefined> {
    const [row] = await query<ExchangeRow>(selectExchangeStatement(requestId))
    return row
  },
})

/** What the chart of requests is made of. */
function createSeriesReads(query: ClickHouse['query']) {
  return {
    series: (filter: RequestFilter, partMs: number) => query<SeriesRow>(selectSeriesStatement(filter, partMs)),
    async seriesTotal(filter: RequestFilter): Promise<SeriesTotalRow | undefined> {
      const [row] = await query<SeriesTotalRow>(selectSeriesTotalStatement(filter))
      return row
    },
    /** When the oldest of these requests began. */
    async oldestRequest(filter: RequestFilter): Promise<Date | null> {
      const [row] = await query<{ oldest: string }>(selectOldestRequestStatement(filter))
      return row === undefined || row.oldest.startsWith('1970-01-01') ? null : instantOf(row.oldest)
    },
    /** When the request began behind which, in a time, so many newer ones lie. */
    async timeBehind(from: Date, to: Date, newer: number): Promise<Date | null> {
      const [row] = await query<{ time: string }>(selectTimeBehindStatement(from, to, newer))
      return row === undefined ? null : instantOf(row.time)
    },
  }
}

/** What the overview is made of. */
function createOverviewReads(query: ClickHouse['query']) {
  return {
    hours: (until: Date, hours: number) => query<HourRow>(selectHoursStatement(until, hours)),
    changeHours: (until: Date, hours: number) =>
      query<{ readonly ago: number; readonly changes: string }>(selectChangeHoursStatement(until, hours)),
    minutes: (since: Date) => query<MinuteRow>(selectMinutesStatement(since)),
    async sessionIdsSince(since: Date, until?: Date): Promise<readonly string[]> {
      const rows = await query<{ session_id: string }>(selectSessionIdsStatement(since, until))
      return rows.map((row) => row.session_id)
    },
    peopleSince: (since: Date, until?: Date) =>
      query<{ readonly distinct_id: string; readonly user_id: string }>(selectPeopleStatement(since, until)),
    async firstRequestAt(since: Date): Promise<string | null> {
      const [row] = await query<{ time: string }>(selectFirstRequestStatement(since))
      return row?.time ?? null
    },
    async changesSince(since: Date): Promise<number> {
      const [row] = await query<{ changes: string }>(countChangesSinceStatement(since))
      return Number(row?.changes ?? 0)
    },
  }
}

/** What the line of a person is made of. */
function createPersonReads(query: ClickHouse['query'], inPieces: InPieces) {
  return {
    requestsOfPerson: (person: PersonRequestsQuery) => query<RequestRow>(selectPersonRequestsStatement(person)),
    /** The last changes of each of these requests. */
    async changesOfRequests(requestIds: readonly string[], limit: number): Promise<readonly ChangeRow[]> {
      const rows = await inPieces<ChangeRow>(requestIds, selectRequestsChangesStatement(limit))
      return [...new Map(rows.map((row) => [`${row.lsn} ${row.seq}`, row])).values()]
    },
  }
}

/** What histories of rows and tables are made of. */
function createHistoryReads(query: ClickHouse['query']) {
  return {
    /** Changes of the row under these keys, and those that took them away; newest first. */
    async changesOfRow(wanted: RowChangesQuery): Promise<readonly ChangeRow[]> {
      const statements = [selectRowChangesStatement(wanted), selectKeyChangesStatement(wanted)]
      const found = await Promise.all(statements.map((statement) => query<ChangeRow>(statement)))
      return found.flat().sort(byNewest).slice(0, wanted.limit)
    },
    changesOfTable: (wanted: TableChangesQuery) => query<ChangeRow>(selectTableChangesStatement(wanted)),
    namesOf: (relations: readonly number[]) => query<NamesRow>(selectNamesStatement(relations)),
    /** When the last change up to here was committed; null where none is kept. */
    async lastCommitUntil(lsn: string): Promise<string | null> {
      const [row] = await query<{ time: string; changes: string }>(selectLastCommitStatement(lsn))
      return row === undefined || row.changes === '0' ? null : row.time
    },
  }
}
