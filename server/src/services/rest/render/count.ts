import { constant, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import type { ReadNode } from '../plan/types.ts'
import { type EmbedTest, renderCondition, renderWhere } from './filter.ts'
import { joinConditions, renderFrom } from './join.ts'
import { source } from './read.ts'

const testByExists =
  (node: ReadNode): EmbedTest =>
  (output, exists) => {
    const child = node.children.find((one) => one.output === output)
    if (child === undefined) return sql`true`
    return sql`${constant(exists ? '' : 'not ')}exists (${renderCount(child)})`
  }

/**
 * The rows of a read without their ranges, for counting: `select 1` with every filter, and an EXISTS for each inner
 * embed, so that nothing is computed that is not counted.
 */
export function renderCount(node: ReadNode): SqlFragment {
  const scope = { alias: node.alias, relation: node.relation }
  const inner = node.children.filter(({ join }) => join === 'inner')
  const conditions = [
    ...node.conditions.map((condition) => renderCondition(scope, condition, testByExists(node))),
    ...joinConditions(node),
    ...inner.map((child) => sql`exists (${renderCount(child)})`),
  ]
  return sql`select 1 from ${renderFrom(node, source)}${renderWhere(conditions)}`
}
