import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { FunctionCallsAnswer, FunctionLogsPage } from '../schemas/functions.ts'
import {
  type FunctionCallsRow,
  type FunctionLogRow,
  type FunctionLogsFilter,
  selectFunctionCallsStatement,
  selectFunctionLogStatement,
  selectFunctionLogsStatement,
} from './queries/functions.ts'
import { renderLog, unlessEmpty } from './render.ts'

export interface FunctionCallsQuery {
  /** How far back. */
  readonly hours: number
  readonly parts: number
  readonly name: string | null
}

export interface FunctionLogsQuery extends Omit<FunctionLogsFilter, 'before'> {
  readonly before: string | null
}

/** What functions were called, and what they logged. */
export function createFunctionAnswers({ query, now }: Pick<ClickHouse, 'query'> & { readonly now: () => Date }) {
  return {
    async functionCalls({ hours, parts, name }: FunctionCallsQuery): Promise<FunctionCallsAnswer> {
      const partSeconds = Math.max(1, Math.round((hours * 3600) / parts))
      // Parts begin at whole multiples of their length: figures of a part that is over stay as they are.
      const partMs = partSeconds * 1000
      const end = Math.ceil((now().getTime() + 1) / partMs) * partMs
      const since = new Date(end - parts * partMs)
      const rows = await query<FunctionCallsRow>(selectFunctionCallsStatement({ since, partSeconds, name }))
      return { partSeconds, functions: renderCalls(rows, since, parts, partMs) }
    },

    async functionLogs({ before, ...filter }: FunctionLogsQuery): Promise<FunctionLogsPage> {
      const [cursor] =
        before === null ? [null] : await query<FunctionLogRow>(selectFunctionLogStatement(filter.name, before))
      if (cursor === undefined) return { logs: [], next: null }
      const limit = filter.limit + 1
      const rows = await query<FunctionLogRow>(selectFunctionLogsStatement({ ...filter, before: cursor, limit }))
      const shown = rows.slice(0, filter.limit)
      return {
        logs: shown.map((row) => ({
          ...renderLog(row),
          requestId: unlessEmpty(row.request_id),
          version: row.version,
        })),
        next: rows.length > shown.length ? (shown.at(-1)?.id ?? null) : null,
      }
    },
  }
}

function renderCalls(
  rows: readonly FunctionCallsRow[],
  since: Date,
  parts: number,
  partMs: number,
): FunctionCallsAnswer['functions'] {
  const byPart = new Map(rows.map((row) => [`${row.name} ${row.part}`, row]))
  return rows
    .filter(({ name, part }) => part === -1 && name !== '')
    .map(({ name, calls, errors, p50, p95 }) => ({
      name,
      calls: Number(calls),
      errors: Number(errors),
      p50Ms: p50,
      p95Ms: p95,
      parts: Array.from({ length: parts }, (_, index) => {
        const row = byPart.get(`${name} ${index}`)
        return {
          at: new Date(since.getTime() + index * partMs).toISOString(),
          calls: Number(row?.calls ?? 0),
          errors: Number(row?.errors ?? 0),
          p95Ms: row?.p95 ?? null,
        }
      }),
    }))
    .sort((one, other) => other.calls - one.calls)
}
