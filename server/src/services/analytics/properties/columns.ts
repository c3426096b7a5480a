import { identifier, type SqlFragment } from '../../../ground/sql/sql.ts'
import { type ColumnChoiceDeps, chooseColumns } from './choose.ts'
import { findColumnBytes, findColumns } from './events-table.ts'
import { canHaveColumn, columnOf, rawProperty } from './render.ts'
import { type ColumnRow, selectColumnsStatement } from './store.ts'
import { createUses } from './uses.ts'

/** A property that has a column. */
export interface PropertyColumn {
  readonly property: string
  readonly since: Date
  /** Whether it has the values of all events; where not, they are made as they are read. */
  readonly isFilled: boolean
  /** On the disk; null where ClickHouse does not know it, as of small parts. */
  readonly bytes: number | null
}

/** Properties of events as statements read them: of a column of their own, where they are asked for often. */
export interface PropertyColumns {
  /** The JSON text of a property's value in `events`, empty where an event has none (`render.ts`); counts as a use. */
  read(property: string): Promise<SqlFragment>
  /** The columns that statements read. */
  list(): Promise<readonly PropertyColumn[]>
  /** As `chooseColumns`, by what was asked for until now. */
  choose(signal: AbortSignal): Promise<void>
  /** Chooses now and every hour. */
  start(): void
  close(): Promise<void>
}

const hourMs = 3_600_000
/** Statements go by what was found up to so long ago. */
const knownForMs = 60_000

/** Columns of properties in `events`; their tables must have been migrated. */
export function createPropertyColumns(deps: ColumnChoiceDeps): PropertyColumns {
  const { sql, clickhouse, settings, log } = deps
  const uses = createUses(deps)
  const closing = new AbortController()
  let known: { readonly atMs: number; readonly columns: Promise<ReadonlySet<string>> } | null = null
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null

  async function list(): Promise<readonly PropertyColumn[]> {
    const [rows, bytes] = await Promise.all([readRows(), findColumnBytes(clickhouse)])
    return rows.map(({ property, since, filledAt }) => ({
      ...{ property, since, isFilled: filledAt !== null },
      bytes: bytes.get(property) || null,
    }))
  }

  async function readRows(): Promise<readonly ColumnRow[]> {
    const [{ rows }, found] = await Promise.all([
      sql.query<ColumnRow>(selectColumnsStatement()),
      findColumns(clickhouse),
    ])
    return rows.filter(({ property, leavingAt }) => leavingAt === null && found.has(property))
  }

  /** The properties whose columns are read. */
  function current(): Promise<ReadonlySet<string>> {
    if (known !== null && performance.now() - known.atMs < knownForMs) return known.columns
    const columns = readRows().then((all) => new Set(all.map(({ property }) => property)))
    known = { atMs: performance.now(), columns }
    columns.catch(() => {
      known = null
    })
    return columns
  }

  async function choose(signal: AbortSignal): Promise<void> {
    await uses.store()
    await chooseColumns(deps, signal)
  }

  return {
    async read(property) {
      if (!canHaveColumn(property)) return rawProperty(property)
      if (settings.propertyColumns > 0) uses.count(property)
      return (await current()).has(property) ? identifier(columnOf(property)) : rawProperty(property)
    },
    list,
    choose,
    start() {
      const run = (): void => {
        running = running
          .then(() => choose(closing.signal))
          .catch((error: unknown) => {
            if (!closing.signal.aborted) log.warn({ err: error }, 'The columns of properties could not be chosen yet')
          })
      }
      run()
      timer = setInterval(run, hourMs).unref()
    },
    async close() {
      if (timer !== null) clearInterval(timer)
      closing.abort()
      await running
      await uses.close()
    },
  }
}
