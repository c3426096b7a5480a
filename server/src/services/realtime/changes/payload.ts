import type { RowChange, RowValues } from '../../../ground/model/change.ts'
import { type AskedJson, askedKey } from './asked-json.ts'
import type { ColumnFacts, TableFacts } from './facts.ts'
import { jsonText } from './json-values.ts'

/** The longest row that is sent whole, and what is kept of a longer one's values (realtime §6). */
const longestRowBytes = 1024 * 1024
const keptBytes = 64

const operationNames = { insert: 'INSERT', update: 'UPDATE', delete: 'DELETE' } as const

/** A change that subscribers may hear of. */
export type LiveChange = RowChange & { readonly operation: keyof typeof operationNames }

/** Whether a change is one of those that subscribers may hear of: a truncation is not. */
export const isLiveChange = (change: RowChange): change is LiveChange => change.operation !== 'truncate'

/** The name of an operation on the wire. */
export const operationName = (operation: LiveChange['operation']): 'INSERT' | 'UPDATE' | 'DELETE' =>
  operationNames[operation]

/** What a change is told with. */
export interface Rendering {
  readonly committedAt: Date
  /** Names of the columns that were asked for; null for all. The key is always there. */
  readonly selected: readonly string[] | null
  /** What the database made of values of types that it alone knows. */
  readonly asked: AskedJson
}

/** The `data` of a change as JSON, for the readers of one role (realtime §6). */
export function renderData(change: LiveChange, facts: TableFacts, { committedAt, selected, asked }: Rendering): string {
  const head = [
    `"schema":${JSON.stringify(change.schema)}`,
    `"table":${JSON.stringify(change.table)}`,
    `"type":"${operationName(change.operation)}"`,
    `"commit_timestamp":"${committedAt.toISOString()}"`,
  ]
  const problem = problemOf(change, facts)
  if (problem !== null) return `{${head.slice(0, 3).join(',')},"errors":[${JSON.stringify(problem)}]}`
  const columns = facts.columns.filter(
    ({ name, isReadable, isKey }) => isReadable && (selected === null || isKey || selected.includes(name)),
  )
  const isLarge = sizeOf(change) > longestRowBytes
  const row = (values: RowValues, shown: readonly ColumnFacts[]): string => rowText(values, shown, { isLarge, asked })
  const parts = [
    ...head,
    `"columns":${JSON.stringify(columns.map(({ name, type }) => ({ name, type })))}`,
    ...(change.operation === 'delete' || change.new === null ? [] : [`"record":${row(change.new, columns)}`]),
    ...(change.operation === 'insert'
      ? []
      : [`"old_record":${row(oldValues(change), oldColumns(change, facts, columns))}`]),
    `"errors":${isLarge ? '["Error 413: Payload Too Large"]' : 'null'}`,
  ]
  return `{${parts.join(',')}}`
}

function problemOf(change: LiveChange, { columns }: TableFacts): string | null {
  if (change.operation === 'delete') return null
  const key = columns.filter(({ isKey }) => isKey)
  if (key.length === 0) return 'Error 400: Bad Request, no primary key'
  return key.every(({ isReadable }) => isReadable) ? null : 'Error 401: Unauthorized'
}

/** The old row as the stream has it; without one, what identifies the row did not change. */
const oldValues = ({ old, new: fresh, key }: LiveChange): RowValues => old ?? fresh ?? key

/** Columns of an old row: those of the owner's replica identity; of a deleted one that policies guard, its key alone. */
function oldColumns(
  { operation }: LiveChange,
  { hasPolicies }: TableFacts,
  columns: readonly ColumnFacts[],
): readonly ColumnFacts[] {
  const isKeyOnly = operation === 'delete' && hasPolicies
  return columns.filter(({ isKey, isIdentity }) => (isKeyOnly ? isKey : isIdentity))
}

function rowText(
  values: RowValues,
  columns: readonly ColumnFacts[],
  { isLarge, asked }: { readonly isLarge: boolean; readonly asked: AskedJson },
): string {
  const fields = columns.flatMap((column) => {
    const value = values[column.name]
    if (value === undefined || (isLarge && (value?.length ?? 0) > keptBytes)) return []
    const known = column.isAsked && value !== null ? asked.get(askedKey(column, value)) : undefined
    return [`${JSON.stringify(column.name)}:${known ?? jsonText(column, value)}`]
  })
  return `{${fields.join(',')}}`
}

/** About the bytes of a change's values. */
export const sizeOf = ({ new: fresh, old }: LiveChange): number => textLength(fresh) + textLength(old)

const textLength = (values: RowValues | null): number =>
  values === null ? 0 : Object.values(values).reduce((sum, value) => sum + (value?.length ?? 0), 0)
