import { type Column, findRelation, type QualifiedName, type SchemaCache } from '../cache/schema-cache.ts'
import type { Field, Operation } from '../parse/query/types.ts'
import type { Condition, PlannedField } from './types.ts'

const columnOf = (cache: SchemaCache, relation: QualifiedName, name: string): Column | undefined =>
  findRelation(cache, relation)?.columns.get(name)

const isJson = (column: Column | undefined): boolean => column?.type === 'json' || column?.type === 'jsonb'

const representation = (cache: SchemaCache, from: string, to: string): QualifiedName | null =>
  cache.representations.get(`${from}\0${to}`) ?? null

/** A field as it stands, for filters and orders. Unknown columns are left to PostgreSQL: they may be computed. */
export const planField = (cache: SchemaCache, relation: QualifiedName, field: Field): PlannedField => ({
  column: field.name,
  path: field.path,
  toJson: !isJson(columnOf(cache, relation, field.name)),
  transform: null,
  wholeRow: false,
})

/** A field for the answer: a domain may have a function that shows it (rest §12). */
export function planOutput(cache: SchemaCache, relation: QualifiedName, field: Field): PlannedField {
  const planned = planField(cache, relation, field)
  const column = columnOf(cache, relation, field.name)
  if (column === undefined || field.path.length > 0) return planned
  return { ...planned, transform: representation(cache, column.type, 'json') }
}

/** The function that reads a column's domain from the payload's JSON. */
export const payloadTransform = (cache: SchemaCache, column: Column): QualifiedName | null =>
  representation(cache, 'json', column.type)

/** Whether `*` must be spelled out because a column has a function that shows it. */
export const hasRepresentations = (cache: SchemaCache, relation: QualifiedName): boolean =>
  [...(findRelation(cache, relation)?.columns.values() ?? [])].some(
    (column) => representation(cache, column.type, 'json') !== null,
  )

/** A filter's condition; the value of a domain with a reader is read by it. */
export function planFilter(
  cache: SchemaCache,
  relation: QualifiedName,
  filter: { readonly field: Field; readonly negated: boolean; readonly operation: Operation },
): Condition {
  const column = columnOf(cache, relation, filter.field.name)
  return {
    kind: 'filter',
    negated: filter.negated,
    operation: filter.operation,
    field: {
      ...planField(cache, relation, filter.field),
      transform: column === undefined ? null : representation(cache, 'text', column.type),
    },
    // Nothing is known of a computed column; PostgreSQL searches text and tsvector alike.
    toTextSearch: filter.operation.kind === 'search' && column !== undefined && column.baseType !== 'tsvector',
  }
}
