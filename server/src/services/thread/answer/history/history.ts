import { parseJobRunId } from '../../../../ground/model/causes/job-run.ts'
import type { RowValues } from '../../../../ground/model/change.ts'
import { threadError } from '../../errors.ts'
import type { Cause, RowHistory, TableHistory } from '../../schemas/history.ts'
import type { FindCauses } from '../causes.ts'
import type { ChangeRow } from '../queries/changes.ts'
import { parseChangeId, renderChange } from '../render.ts'
import type { ThreadStore } from '../store.ts'
import type { createHistoryGaps } from './gaps.ts'
import type { createRowLife } from './row-life.ts'

export interface HistoryQuery {
  readonly schema: string
  readonly table: string
  /** JSON object of primary key columns to their values. */
  readonly key: string
  readonly limit: number
}

/** Which changes of a table's rows are wanted: those whose column has the value, before or after. */
export interface TableHistoryQuery {
  readonly schema: string
  readonly table: string
  readonly column: string
  readonly value: string
  /** `next` of the page before; undefined for the first. */
  readonly before: string | undefined
  readonly limit: number
}

export interface HistoryDeps {
  readonly store: Pick<ThreadStore, 'changesOfTable'>
  /** A row's changes, newest first. */
  readonly changesOf: ReturnType<typeof createRowLife>
  /** Where some may be missing. */
  readonly gapsOf: ReturnType<typeof createHistoryGaps>
  /** Why row changes are not recorded here, in a sentence; null where they are. */
  readonly notRecorded: () => string | null
  readonly findCauses: FindCauses
}

/** The histories of rows and of tables: each change with what made it. */
export function createHistory({ store, changesOf, gapsOf, notRecorded, findCauses }: HistoryDeps) {
  async function causesOf(changes: readonly ChangeRow[]): Promise<ReadonlyMap<string, Cause>> {
    const jobs = new Map<string, Cause>()
    for (const row of changes) {
      const cause = jobCause(row)
      if (cause !== null) jobs.set(row.request_id, cause)
    }
    const ids = [...new Set(changes.map(({ request_id }) => request_id))].filter((id) => id !== '' && !jobs.has(id))
    return new Map([...jobs, ...(await findCauses(ids))])
  }

  async function entriesOf(changes: readonly ChangeRow[]): Promise<RowHistory['entries']> {
    const causes = await causesOf(changes)
    return changes.map((row) => ({
      change: renderChange(row),
      cause: causes.get(row.request_id) ?? { kind: 'sql' },
    }))
  }

  return {
    /** @throws CLEW_THREAD_BAD_KEY */
    async history(query: HistoryQuery): Promise<RowHistory> {
      const changes = await changesOf({ ...query, key: parseKey(query.key) })
      const [entries, gaps] = await Promise.all([entriesOf(changes), gapsOf(changes, changes.length < query.limit)])
      return { entries, gaps, notRecorded: notRecorded() }
    },
    async tableHistory({ before, limit, ...wanted }: TableHistoryQuery): Promise<TableHistory> {
      const place = before === undefined ? null : parseChangeId(before)
      const found = await store.changesOfTable({ ...wanted, before: place, limit: limit + 1 })
      const entries = await entriesOf(found.slice(0, limit))
      const next = found.length > limit ? (entries.at(-1)?.change.id ?? null) : null
      return { entries, next, notRecorded: notRecorded() }
    },
  }
}

function jobCause({ request_id: id, job_name: name }: ChangeRow): Cause | null {
  const run = parseJobRunId(id)
  return run === null ? null : { kind: 'job', jobId: run.jobId, runId: run.runId, name: name === '' ? null : name }
}

function parseKey(text: string): RowValues {
  const key = parseJson(text)
  if (typeof key !== 'object' || key === null || Array.isArray(key)) throw threadError('CLEW_THREAD_BAD_KEY')
  const entries = Object.entries(key)
  if (entries.length === 0) throw threadError('CLEW_THREAD_BAD_KEY')
  return Object.fromEntries(
    entries.map(([column, value]: [string, unknown]) => {
      if (typeof value === 'object' && value !== null) throw threadError('CLEW_THREAD_BAD_KEY')
      return [column, value === null ? null : String(value)]
    }),
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw threadError('CLEW_THREAD_BAD_KEY', { cause })
  }
}
