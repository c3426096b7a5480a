import type { Condition, ReadNode } from './types.ts'

const filterColumns = (condition: Condition): readonly string[] => {
  if (condition.kind === 'filter') return [condition.field.column]
  return condition.kind === 'tree' ? condition.members.flatMap(filterColumns) : []
}

/**
 * The columns that a write or call must bring along so that `node` can be read from its rows: those selected, those
 * its embeds join by, and the key. `*` stands for all; naming others beside it would make them ambiguous.
 */
export function neededColumns(node: ReadNode, key: readonly string[]): readonly string[] {
  const selected = node.select.map(({ field }) => field.column)
  const needsAll = selected.includes('*') || node.children.some(({ relationship }) => relationship?.kind === 'computed')
  if (needsAll) return ['*']
  const joined = node.children.flatMap(({ relationship }) =>
    relationship === null || relationship.kind === 'computed' ? [] : relationship.columns.map(([own]) => own),
  )
  const ordered = node.order.filter(({ embed }) => embed === null).map(({ field }) => field.column)
  const filtered = node.conditions.flatMap(filterColumns)
  return [...new Set([...selected, ...joined, ...ordered, ...filtered, ...key])].sort()
}
