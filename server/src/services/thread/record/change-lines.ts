import type { ChangeTransaction, RelationVersion, RowChange, RowValues } from '../../../ground/model/change.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import type { ColumnGuard } from './redact.ts'

/** The columns of `changes`, in the order of a line's values. */
export const changeColumns =
  'commit_time lsn seq xid request_id job_name schema_name table_name operation key previous_key old new columns relation'.split(
    ' ',
  )

/** Texts of one table under one of its names, ready to be put into lines. */
interface TableTexts {
  /** Its schema and name. */
  readonly names: string
  /** A column's name and colon within a JSON text within a JSON text; null where its values are not kept. */
  readonly columns: Map<string, string | null>
}

/** Made once a table: a bulk load's rows differ in their values alone. */
const tableTexts = (guard: ColumnGuard): ((change: RowChange) => TableTexts) => {
  const known = new WeakMap<RelationVersion, TableTexts>()
  return ({ relation, schema, table, old, new: after }) => {
    const before = known.get(relation)
    if (before !== undefined) return before
    const columns = new Map<string, string | null>()
    for (const column of Object.keys({ ...old, ...after }))
      columns.set(column, guard.isSecret(schema, table, column) ? null : `${within(column)}:`)
    const texts = { names: stringifyWellFormed([schema, table]).slice(1, -1), columns }
    known.set(relation, texts)
    return texts
  }
}

/** Renders a committed transaction as rows of `changes`. */
export type RenderChanges = (transaction: ChangeTransaction) => readonly string[]

/**
 * Renders a committed transaction as rows of `changes`, a JSON line each, without secret values. The same
 * transaction always gives the same rows, so that a second delivery replaces the first.
 */
export function createRenderChanges(guard: ColumnGuard): RenderChanges {
  const textsOf = tableTexts(guard)

  const valuesLine = ({ schema, table }: RowChange, { columns }: TableTexts, values: RowValues | null): string => {
    if (values === null) return '""'
    let text = ''
    for (const column in values) {
      let name = columns.get(column)
      if (name === undefined) {
        // The old row had it, as a key's column has.
        name = guard.isSecret(schema, table, column) ? null : `${within(column)}:`
        columns.set(column, name)
      }
      const value = values[column] ?? null
      if (name === null || (value !== null && guard.isTooLarge(value))) continue
      text += `${text === '' ? '' : ','}${name}${value === null ? 'null' : within(value)}`
    }
    return `"{${text}}"`
  }

  return (transaction) => {
    const time = transaction.committedAt.getTime()
    const head = `[${time},"${lsnNumber(transaction.lsn)}",`
    const { id = '', jobName = null } = transaction.cause ?? {}
    const cause = stringifyWellFormed([id, jobName ?? '']).slice(1, -1)
    const lines: string[] = []
    transaction.changes.forEach((change, index) => {
      const { schema, table, operation } = change
      if (!guard.keepsTable(schema)) return
      const seq = (transaction.offset ?? 0) + index
      const texts = textsOf(change)
      const key = JSON.stringify(keyText(guard, schema, table, change.key))
      const previous = previousKey(change)
      const previousText = previous === null ? '""' : JSON.stringify(keyText(guard, schema, table, previous))
      lines.push(
        `${head}${seq},${transaction.xid},${cause},${texts.names},"${operation}",${key},${previousText},` +
          `${valuesLine(change, texts, change.old)},${valuesLine(change, texts, change.new)},` +
          `${operation === 'update' ? stringifyWellFormed(changedColumns(change)) : '[]'},${change.relation.id}]`,
      )
    })
    return lines
  }
}

/** What JSON writes differently, a lone half of a character included. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it looks for
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

/** A JSON text within a JSON text, without the outer quotes. */
const within = (text: string): string =>
  needsEscape.test(text) ? JSON.stringify(JSON.stringify(text)).slice(1, -1) : `\\"${text}\\"`

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
  const columns = Object.keys(key)
  if (columns.length > 1) columns.sort()
  const values = guard.key(schema, table, key)
  return `{${columns.map((column) => `${JSON.stringify(column)}:${JSON.stringify(values[column])}`).join(',')}}`
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
