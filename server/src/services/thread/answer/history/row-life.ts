import type { RowValues } from '../../../../ground/model/change.ts'
import { keyText } from '../../record/change-lines.ts'
import type { ColumnGuard } from '../../record/redact.ts'
import type { ChangeRow, NamesRow, RowKey } from '../queries/changes.ts'
import type { ThreadStore } from '../store.ts'
import type { CurrentTable } from './tables.ts'

export interface RowLifeDeps {
  readonly store: Pick<ThreadStore, 'changesOfRow' | 'namesOf'>
  readonly guard: ColumnGuard
  readonly findTable: (schema: string, table: string) => Promise<CurrentTable | null>
}

export interface RowLifeQuery {
  readonly schema: string
  readonly table: string
  readonly key: RowValues
  readonly limit: number
}

/** A name that the table had, and its key columns then, in today's order. */
interface Name {
  readonly schema: string
  readonly table: string
  readonly columns: readonly string[]
}

/** Former keys of a row that are followed back. */
const formerKeys = 10
/** More partitions than these are not asked for changes from before the whole was followed. */
const maxPartitions = 20

/**
 * A row's changes, newest first, through other keys, other names of its table and key columns, and partitions. A key that
 * was another row's before leads to that one's past as well, and the change that took the key away stands between.
 */
export function createRowLife({ store, guard, findTable }: RowLifeDeps) {
  return async ({ schema, table, key, limit }: RowLifeQuery): Promise<readonly ChangeRow[]> => {
    const current = await findTable(schema, table)
    const names = namesOf({ schema, table, columns: Object.keys(key) }, current, await describedOf(current))
    const changes: ChangeRow[] = []
    let values: readonly (string | null)[] | null = Object.values(key)
    let before: ChangeRow | null = null
    for (let former = 0; former <= formerKeys && values !== null && changes.length < limit; former += 1) {
      const keys = keysOf(names, values)
      values = null
      const relations = current?.relations ?? null
      const found: readonly ChangeRow[] = await store.changesOfRow({ keys, relations, before, limit })
      for (const row of found) {
        changes.push(row)
        // Where the row got this key, its life before that has another.
        if (row.previous_key === '' || !keys.some((own) => isUnder(own, row))) continue
        values = valuesOf(names, row)
        before = row
        break
      }
    }
    return changes.slice(0, limit)
  }

  async function describedOf(current: CurrentTable | null): Promise<readonly NamesRow[]> {
    return current === null ? [] : store.namesOf(current.relations.slice(0, maxPartitions + 1))
  }

  function keysOf(names: readonly Name[], values: readonly (string | null)[]): readonly RowKey[] {
    return names.map(({ schema, table, columns }) => {
      const key = Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]))
      return { schema, table, key: keyText(guard, schema, table, key) }
    })
  }
}

/** @param requested the table and the key's columns as they are asked for, in that order */
function namesOf(requested: Name, current: CurrentTable | null, described: readonly NamesRow[]): readonly Name[] {
  if (current === null) return [requested]
  const names = new Map<string, Name>()
  const add = (name: Name): unknown => names.set(JSON.stringify([name.schema, name.table, name.columns]), name)
  add(requested)
  for (const { schema, table } of current.partitions.slice(0, maxPartitions))
    add({ schema, table, columns: requested.columns })
  const numbers = requested.columns.map((column) => current.keyNumbers[current.keyColumns.indexOf(column)])
  for (const row of described) {
    const columns: readonly string[] = JSON.parse(row.key_columns)
    const columnNumbers: readonly number[] = JSON.parse(row.key_numbers)
    const then = numbers.map((number) => (number === undefined ? undefined : columns[columnNumbers.indexOf(number)]))
    // A key of other columns says nothing of this one. (A partition's columns may have numbers of their own.)
    const known = then.filter((column) => column !== undefined)
    if (known.length === columns.length && known.length === numbers.length)
      add({ schema: row.schema_name, table: row.table_name, columns: known })
  }
  return [...names.values()]
}

const isUnder = ({ schema, table, key }: RowKey, row: ChangeRow): boolean =>
  row.schema_name === schema && row.table_name === table && row.key === key

/** The values of the key before, in today's order; null where its columns are not known. */
function valuesOf(names: readonly Name[], row: ChangeRow): readonly (string | null)[] | null {
  // We wrote the text ourselves, from column values.
  const previous: RowValues = JSON.parse(row.previous_key)
  const columns = Object.keys(previous)
  const name = names.find(
    (candidate) =>
      candidate.schema === row.schema_name &&
      candidate.table === row.table_name &&
      candidate.columns.length === columns.length &&
      candidate.columns.every((column) => columns.includes(column)),
  )
  return name === undefined ? null : name.columns.map((column) => previous[column] ?? null)
}
