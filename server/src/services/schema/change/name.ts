import type { SchemaChange } from './change.ts'

/** A migration's name has so many characters at most. */
const mostCharacters = 80

/** What changes are called as a migration: `add_column_orders_note`. */
export function nameOf(changes: readonly SchemaChange[]): string {
  const [first] = changes
  if (first === undefined) return 'nothing'
  const parts = [first.kind, ...subjectOf(first), ...(changes.length > 1 ? ['and more'] : [])]
  return parts
    .join(' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .slice(0, mostCharacters)
}

/** What a change is about. */
function subjectOf(change: SchemaChange): readonly string[] {
  if (change.kind === 'define function') return [/\s([\w."]+)\s*\(/.exec(change.definition)?.[1] ?? '']
  const table = 'table' in change ? [change.table] : []
  if (change.kind === 'add column') return [...table, change.column.name]
  if ('column' in change) return [...table, change.column]
  return 'name' in change && change.name !== null ? [...table, change.name] : table
}
