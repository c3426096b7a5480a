import type { Row, RowChange, Table, Values } from '../../../lib/api/schemas.ts'

/** What stands in the place of a value that PostgreSQL will set. */
export const toDefault = { kind: 'default' } as const

/** A value of a cell that is not saved yet. */
export type StagedValue = string | null | typeof toDefault

/** Whether PostgreSQL sets the value. */
export const isDefault = (value: unknown): value is typeof toDefault => value === toDefault

/** New values by column; columns that are absent stay as they are, in a new row at their default. */
export type StagedValues = Readonly<Record<string, StagedValue>>

/** A change of one row that is not saved yet. */
export type StagedRow =
  | { readonly kind: 'insert'; readonly id: string; readonly values: StagedValues }
  | { readonly kind: 'update'; readonly id: string; readonly row: Row; readonly values: StagedValues }
  | { readonly kind: 'delete'; readonly id: string; readonly row: Row }

/** Changes of a table's rows in the order in which they were asked for. */
export type Staged = readonly StagedRow[]

/** What a row is known by among staged changes: its key, or all its values in a view, which has none. */
export const rowIdOf = ({ key, values }: Row): string => JSON.stringify(Object.keys(key).length > 0 ? key : values)

/** The change of a row, where there is one. */
export const findStaged = (staged: Staged, id: string): StagedRow | undefined => staged.find((one) => one.id === id)

const put = (staged: Staged, next: StagedRow): Staged =>
  staged.some(({ id }) => id === next.id) ? staged.map((one) => (one.id === next.id ? next : one)) : [...staged, next]

/** The changes without one row's. */
export const withoutRow = (staged: Staged, id: string): Staged => staged.filter((one) => one.id !== id)

/** Sets cells of a stored row. A cell that has its old value again is no change, a row without one neither. */
export function stageValues(staged: Staged, row: Row, values: StagedValues): Staged {
  const id = rowIdOf(row)
  const known = findStaged(staged, id)
  const before = known?.kind === 'update' ? known : { kind: 'update' as const, id, row, values: {} }
  const changed = Object.entries({ ...before.values, ...values }).filter(
    ([column, value]) => value !== before.row.values[column],
  )
  if (changed.length === 0) return withoutRow(staged, id)
  return put(staged, { ...before, values: Object.fromEntries(changed) })
}

/** Adds a row, or sets cells of one that was added. */
export function stageInsert(staged: Staged, id: string, values: StagedValues): Staged {
  const known = findStaged(staged, id)
  const before = known?.kind === 'insert' ? known.values : {}
  // A default is what a new row has anyway.
  const given = Object.entries({ ...before, ...values }).filter(([, value]) => value !== toDefault)
  return put(staged, { kind: 'insert', id, values: Object.fromEntries(given) })
}

/** Marks stored rows as deleted. */
export const stageDelete = (staged: Staged, rows: readonly Row[]): Staged =>
  rows.reduce<Staged>((all, row) => put(all, { kind: 'delete', id: rowIdOf(row), row }), staged)

/** Takes the values that a row has now as those it is expected to have. */
export const rebase = (staged: Staged, id: string, current: Values): Staged =>
  staged.map((one) =>
    one.id !== id || one.kind === 'insert' ? one : { ...one, row: { ...one.row, values: { ...current } } },
  )

const textsIn = (entries: readonly (readonly [string, StagedValue])[]): { [column: string]: string | null } =>
  Object.fromEntries(entries.flatMap(([column, value]) => (isDefault(value) ? [] : [[column, value]])))

function changeOf({ schema, name: table }: Pick<Table, 'schema' | 'name'>, one: StagedRow): RowChange {
  const place = { schema, table }
  switch (one.kind) {
    case 'insert':
      return { ...place, kind: 'insert', values: textsIn(Object.entries(one.values)) }
    case 'update': {
      const entries = Object.entries(one.values)
      return {
        ...{ ...place, kind: 'update', key: one.row.key },
        old: Object.fromEntries(entries.map(([column]) => [column, one.row.values[column] ?? null])),
        values: textsIn(entries),
        defaults: entries.filter(([, value]) => isDefault(value)).map(([column]) => column),
      }
    }
    case 'delete':
      return { ...place, kind: 'delete', key: one.row.key, old: one.row.values }
    default:
      return one satisfies never
  }
}

/** The changes as the server takes them: an update is for the values that were seen, a deletion for the whole row. */
export const changesOf = (table: Pick<Table, 'schema' | 'name'>, staged: Staged): RowChange[] =>
  staged.map((one) => changeOf(table, one))
