import { findRelation, type QualifiedName, type SchemaCache } from '../cache/schema-cache.ts'
import type { SelectField } from '../parse/query/types.ts'
import { hasRepresentations, planField, planOutput } from './fields.ts'
import type { Negotiated, NodeShape, PlannedSelect, ReadNode } from './types.ts'

const isStar = ({ field }: SelectField): boolean => field.name === '*' && field.path.length === 0

/** A path's output is named by its last key; by the column where there is none. */
function pathName({ field }: SelectField): string | null {
  if (field.path.length === 0) return null
  return field.path.findLast((step) => step.kind === 'key')?.value ?? field.name
}

function aliasOf(item: SelectField, isSpread: boolean, isTransformed: boolean): string | null {
  if (item.alias !== null) return item.alias
  if (item.aggregate !== null) return isSpread ? item.aggregate : null
  return pathName(item) ?? (isTransformed ? item.field.name : null)
}

/** Whether a node's `*` must become its columns, one by one. */
const mustExpand = (cache: SchemaCache, relation: QualifiedName, shape: NodeShape, underAggregate: boolean): boolean =>
  underAggregate || shape === 'spread_many' || hasRepresentations(cache, relation)

export interface SelectPlace {
  readonly shape: NodeShape
  readonly underAggregate: boolean
  /** Called with the number of columns that a `*` stands for. */
  readonly countExpanded: (columns: number) => void
}

/** The columns that a node selects, each with what must be done to it. */
export function planSelect(
  cache: SchemaCache,
  relation: QualifiedName,
  fields: readonly SelectField[],
  { shape, underAggregate, countExpanded }: SelectPlace,
): readonly PlannedSelect[] {
  const isSpread = shape === 'spread_one' || shape === 'spread_many'
  const columns = mustExpand(cache, relation, shape, underAggregate)
    ? [...(findRelation(cache, relation)?.columns.keys() ?? [])]
    : []
  const expanded = fields.flatMap((item) => {
    if (!isStar(item) || item.aggregate !== null || columns.length === 0) return [item]
    countExpanded(columns.length)
    return columns.map((name): SelectField => ({ ...item, field: { name, path: [] } }))
  })
  return expanded.map((item): PlannedSelect => {
    const field =
      item.aggregate === null ? planOutput(cache, relation, item.field) : planField(cache, relation, item.field)
    return {
      field: { ...field, wholeRow: isSpread && isStar(item) && item.aggregate === 'count' },
      cast: item.cast,
      aggregate: item.aggregate,
      aggregateCast: item.aggregateCast,
      alias: aliasOf(item, isSpread, field.transform !== null),
    }
  })
}

/** The node for an answer of this kind: CSV shows a domain's own value, not its JSON (rest §12). */
export function shownAs(node: ReadNode, negotiated: Negotiated): ReadNode {
  if (negotiated.body.kind !== 'csv') return node
  return {
    ...node,
    select: node.select.map((item) => ({ ...item, field: { ...item.field, transform: null } })),
    // What a spread lifts stands in the row itself; other embeds are JSON in CSV, too.
    children: node.children.map((child) =>
      child.shape === 'spread_one' || child.shape === 'spread_many' ? shownAs(child, negotiated) : child,
    ),
  }
}
