import { constant, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import type { ReadNode } from '../plan/types.ts'
import { type EmbedTest, renderCondition, renderWhere } from './filter.ts'
import { joinConditions, renderFrom } from './join.ts'
import { source } from './read.ts'

const testByExists = (node: ReadNode): EmbedTest => {
  const counts = new Map(node.children.map((child) => [child.output, lazily(() => renderCount(child))]))
  return (output, exists) => {
    const count = counts.get(output)
    return count === undefined ? sql`true` : sql`${constant(exists ? '' : 'not ')}exists (${count()})`
  }
}

const lazily = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * The rows of a read without their ranges, for counting: `select 1` with every filter, and an EXISTS for each inner
 * embed, so that nothing is computed that is not counted.
 */
export function renderCount(node: ReadNode): SqlFragment {
  const scope = { alias: node.alias, relation: node.relation }
  const inner = node.children.filter(({ join }) => join === 'inner')
  const embedTest = testByExists(node)
  const conditions = [
    ...node.conditions.map((condition) => renderCondition(scope, condition, embedTest)),
    ...joinConditions(node),
    ...inner.map((child) => sql`exists (${renderCount(child)})`),
  ]
  return sql`select 1 from ${renderFrom(node, source)}${renderWhere(conditions)}`
}
