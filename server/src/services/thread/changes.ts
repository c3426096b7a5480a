import type { ChangeTransaction, RowChange, RowValues } from '../../ground/model/change.ts'
import { clickhouseTime } from './record.ts'
import type { ColumnGuard } from './redact.ts'

/** A row of the ClickHouse table `changes`. */
export interface StoredChange {
  readonly commit_time: string
  /** The commit's position in the log as one number. */
  readonly lsn: string
  readonly seq: number
  readonly xid: number
  readonly request_id: string
  readonly schema_name: string
  readonly table_name: string
  readonly operation: string
  readonly key: string
  /** The key before, when an update changed it. */
  readonly previous_key: string
  readonly old: string
  readonly new: string
  readonly columns: readonly string[]
}

/**
 * Renders a committed transaction as rows of `changes`, without secret values. The same transaction always gives the
 * same rows, so that a second delivery replaces the first.
 */
export function renderChanges(transaction: ChangeTransaction, guard: ColumnGuard): readonly StoredChange[] {
  return transaction.changes.flatMap((change, index) => {
    if (!guard.keepsTable(change.schema)) return []
    const key = keyText(guard, change.schema, change.table, change.key)
    const previous = previousKey(change)
    return [
      {
        commit_time: clickhouseTime(transaction.committedAt),
        lsn: lsnNumber(transaction.lsn).toString(),
        seq: (transaction.offset ?? 0) + index,
        xid: transaction.xid,
        request_id: transaction.requestId ?? '',
        schema_name: change.schema,
        table_name: change.table,
        operation: change.operation,
        key,
        previous_key: previous === null ? '' : keyText(guard, change.schema, change.table, previous),
        old: valuesText(guard, change, change.old),
        new: valuesText(guard, change, change.new),
        columns: changedColumns(change),
      },
    ]
  })
}

/** A primary key as the text that history is looked up by: columns by name, secret ones hashed. */
export function keyText(guard: ColumnGuard, schema: string, table: string, key: RowValues): string {
  const kept = guard.key(schema, table, key)
  return JSON.stringify(Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** `16/B374D848` as one number. */
export function lsnNumber(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/** The number as PostgreSQL writes it, `16/B374D848`. */
export function lsnText(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase()
}

const valuesText = (guard: ColumnGuard, change: RowChange, values: RowValues | null): string =>
  values === null ? '' : JSON.stringify(guard.keep(change.schema, change.table, values))

/** Columns whose value differs; that a secret one changed may be known, its values not. */
function changedColumns({ operation, old, new: after }: RowChange): readonly string[] {
  if (operation !== 'update' || old === null || after === null) return []
  return Object.keys(after).filter((column) => old[column] !== undefined && old[column] !== after[column])
}

function previousKey({ operation, key, old }: RowChange): RowValues | null {
  if (operation !== 'update' || old === null) return null
  const columns = Object.keys(key)
  if (columns.some((column) => old[column] === undefined)) return null
  return columns.some((column) => old[column] !== key[column])
    ? Object.fromEntries(columns.map((column) => [column, old[column] ?? null]))
    : null
}
