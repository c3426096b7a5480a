import { type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import type { ReadNode } from '../plan/types.ts'
import { columnOf, qualified, quoted, type Scope } from './names.ts'

/** What stands in a node's FROM, without its embeds. */
export function renderFrom(node: ReadNode, source: string): SqlFragment {
  const { relationship, parent, alias } = node
  const as = alias === null ? sql`` : sql` as ${quoted(alias)}`
  if (relationship?.kind === 'computed') {
    // The cast chooses among functions of one name, and makes a common table expression's row one of the relation.
    const row = quoted(parent?.alias ?? parent?.relation.name ?? '')
    return sql`${qualified(relationship.function)}(${row}::${qualified(relationship.relation)})${as}`
  }
  const relation = node.from === null ? quoted(source) : qualified(node.from)
  if (relationship?.kind === 'many-to-many') return sql`${relation}${as}, ${qualified(relationship.junction)}`
  return sql`${relation}${as}`
}

const equal = (left: Scope, leftColumn: string, right: Scope, rightColumn: string): SqlFragment =>
  sql`${columnOf(left, leftColumn)} = ${columnOf(right, rightColumn)}`

/** The conditions that tie a node's rows to its parent's row. */
export function joinConditions(node: ReadNode): readonly SqlFragment[] {
  const { relationship, parent } = node
  if (relationship === null || parent === null || relationship.kind === 'computed') return []
  const own: Scope = { alias: node.alias, relation: node.relation }
  if (relationship.kind !== 'many-to-many') {
    return relationship.columns.map(([column, foreign]) => equal(own, foreign, parent, column))
  }
  const junction: Scope = { alias: null, relation: relationship.junction }
  return [
    ...relationship.foreignColumns.map(([column, through]) => equal(own, column, junction, through)),
    ...relationship.columns.map(([column, through]) => equal(junction, through, parent, column)),
  ]
}
