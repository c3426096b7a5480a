import { dataError } from '../../errors.ts'
import type { RowChange } from '../schemas.ts'
import type { DataTable } from '../table-catalogue.ts'

const abilities = { insert: 'insertable', update: 'updatable', delete: 'deletable' } as const

/** Whether the table's rows can be changed so at all. */
export const mayChange = (table: DataTable, kind: RowChange['kind']): boolean => table[abilities[kind]]

/**
 * Checks a change against its table before anything is sent.
 *
 * @throws CLEW_DATA_READ_ONLY, CLEW_DATA_COLUMN_UNKNOWN, CLEW_DATA_COLUMN_READ_ONLY, CLEW_DATA_ROW_UNNAMED, CLEW_DATA_CHANGE_EMPTY
 */
export function checkChange(table: DataTable, change: RowChange): void {
  const details = `${table.schema}.${table.name}`
  if (!mayChange(table, change.kind)) throw dataError('CLEW_DATA_READ_ONLY', { details })
  if (change.kind !== 'insert') checkKey(table, change.key)
  if (change.kind === 'delete') return
  const defaults = change.kind === 'update' ? change.defaults : []
  for (const name of [...Object.keys(change.values), ...defaults]) checkColumn(table, name)
  const written = new Set([...Object.keys(change.values), ...defaults])
  if (change.kind === 'update' && written.size === 0) throw dataError('CLEW_DATA_CHANGE_EMPTY')
  if (written.size < Object.keys(change.values).length + defaults.length) throw dataError('CLEW_DATA_CHANGE_EMPTY')
}

/** @throws CLEW_DATA_ROW_UNNAMED unless a key names one row */
export function checkKey({ rowId }: DataTable, key: Readonly<Record<string, string | null>>): void {
  const names = Object.keys(key)
  const isRow =
    rowId.length > 0 && names.length === rowId.length && rowId.every((name) => typeof key[name] === 'string')
  if (!isRow) throw dataError('CLEW_DATA_ROW_UNNAMED', { details: names.join(', ') })
}

/** @throws CLEW_DATA_COLUMN_UNKNOWN, CLEW_DATA_COLUMN_READ_ONLY */
export function checkColumn({ columns, secrets }: DataTable, name: string): void {
  const column = columns.get(name)
  if (column === undefined) throw dataError('CLEW_DATA_COLUMN_UNKNOWN', { details: name })
  if (column.generated || secrets.has(name)) throw dataError('CLEW_DATA_COLUMN_READ_ONLY', { details: name })
}
