import type { ChangeTransaction, RelationVersion, RowChange, RowValues } from '../../ground/model/change.ts'
import { stringifyWellFormed } from '../../ground/text/well-formed.ts'
import type { ColumnGuard } from './redact.ts'

/** The columns of `changes`, in the order of a line's values. */
export const changeColumns =
  'commit_time lsn seq xid request_id schema_name table_name operation key previous_key old new columns relation'.split(
    ' ',
  )

/**
 * Renders a committed transaction as rows of `changes`, a JSON line each, without secret values. The same transaction
 * always gives the same rows, so that a second delivery replaces the first. What is wrong with a text of a row is escaped within its JSON.
 */
export function renderChanges(transaction: ChangeTransaction, guard: ColumnGuard): readonly string[] {
  const time = transaction.committedAt.getTime()
  const lsn = lsnNumber(transaction.lsn)
  const request = stringifyWellFormed(transaction.requestId ?? '')
  const lines: string[] = []
  transaction.changes.forEach((change, index) => {
    const { schema, table, operation } = change
    if (!guard.keepsTable(schema)) return
    const seq = (transaction.offset ?? 0) + index
    const key = JSON.stringify(keyText(guard, schema, table, change.key))
    const previous = previousKey(change)
    const previousText = previous === null ? '""' : JSON.stringify(keyText(guard, schema, table, previous))
    lines.push(
      `[${time},"${lsn}",${seq},${transaction.xid},${request},${stringifyWellFormed([schema, table]).slice(1, -1)},` +
        `"${operation}",${key},${previousText},${valuesLine(guard, change, change.old)},` +
        `${valuesLine(guard, change, change.new)},${stringifyWellFormed(changedColumns(change))},${change.relation.id}]`,
    )
  })
  return lines
}

/** The columns of `relations`, in the order of a line's values. */
export const relationColumns = 'relation schema_name table_name key_columns key_numbers lsn'.split(' ')

/**
 * Renders the names that the tables of a transaction had, as rows of `relations`.
 *
 * @param known versions that need no line again; those rendered are added
 */
export function renderRelations(transaction: ChangeTransaction, known: WeakSet<RelationVersion>): readonly string[] {
  const lines: string[] = []
  for (const { relation, schema, table, key, operation } of transaction.changes) {
    // A truncated table's change has no key to learn the columns' names from.
    if (known.has(relation) || operation === 'truncate' || relation.keyNumbers.length === 0) continue
    known.add(relation)
    const columns = JSON.stringify(JSON.stringify(Object.keys(key)))
    const numbers = JSON.stringify(JSON.stringify(relation.keyNumbers))
    const names = stringifyWellFormed([schema, table]).slice(1, -1)
    lines.push(`[${relation.id},${names},${columns},${numbers},"${lsnNumber(transaction.lsn)}"]`)
  }
  return lines
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

/** The kept values as a JSON text within a JSON text. */
const valuesLine = (guard: ColumnGuard, { schema, table }: RowChange, values: RowValues | null): string =>
  values === null ? '""' : JSON.stringify(JSON.stringify(guard.keep(schema, table, values)))

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
