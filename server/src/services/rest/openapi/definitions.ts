import { type Column, nameKey, type Relation, type SchemaCache } from '../cache/schema-cache.ts'
import type { DescribedFunction } from './description-statement.ts'
import { present, schemaOf, typeOf } from './types.ts'

/** A default as JSON, where it is a plain value. */
function defaultOf({ default: written, baseType }: Column): unknown {
  if (written === null) return undefined
  const cast = `::${baseType}`
  const bare = written.endsWith(cast) ? written.slice(0, -cast.length).replace(/^'+|'+$/g, '') : written
  try {
    return JSON.parse(typeOf(baseType) === 'string' ? `"${bare}"` : written)
  } catch {
    return undefined
  }
}

/** Where a column points to by a foreign key of it alone: rather to a table than to a view. */
function foreignKeyNote(cache: SchemaCache, relation: Relation, column: Column): readonly string[] {
  const candidates = (cache.relationships.get(nameKey(relation)) ?? []).flatMap((one) => {
    if (one.kind !== 'many-to-one' && one.kind !== 'one-to-one') return []
    const [pair, ...more] = one.columns
    const isOwn = !one.isParent && more.length === 0 && pair?.[0] === column.name
    return isOwn && one.foreign.schema === relation.schema
      ? [{ table: one.foreign.name, column: pair[1], isView: one.foreignIsView }]
      : []
  })
  const found = candidates.find(({ isView }) => !isView) ?? candidates[0]
  if (found === undefined) return []
  const { table, column: far } = found
  return [`This is a Foreign Key to \`${table}.${far}\`.<fk table='${table}' column='${far}'/>`]
}

function columnDescription(cache: SchemaCache, relation: Relation, column: Column): string | undefined {
  const notes = [
    ...(relation.key.includes(column.name) ? ['This is a Primary Key.<pk/>'] : []),
    ...foreignKeyNote(cache, relation, column),
  ]
  if (notes.length === 0) return column.comment ?? undefined
  const note = ['Note:', ...notes].join('\n')
  return column.comment === null ? note : `${column.comment}\n\n${note}`
}

const propertyOf = (cache: SchemaCache, relation: Relation, column: Column): unknown =>
  present<unknown>({
    default: defaultOf(column),
    description: columnDescription(cache, relation, column),
    enum: column.labels === null || column.labels.length === 0 ? undefined : column.labels,
    ...schemaOf(column.baseType),
    maxLength: column.maxLength ?? undefined,
  })

const listed = (names: readonly string[]): readonly string[] | undefined => (names.length === 0 ? undefined : names)

/** A relation's rows. */
export function rowDefinition(cache: SchemaCache, relation: Relation): unknown {
  const columns = [...relation.columns.values()]
  return present<unknown>({
    description: relation.comment ?? undefined,
    required: listed(columns.filter(({ nullable }) => !nullable).map(({ name }) => name)),
    properties: Object.fromEntries(columns.map((column) => [column.name, propertyOf(cache, relation, column)])),
    type: 'object',
  })
}

/** The object of arguments that a function is called with. */
export function argumentsDefinition({ comment, parameters }: DescribedFunction): unknown {
  return present<unknown>({
    description: comment ?? undefined,
    required: listed(parameters.filter(({ required }) => required).map(({ name }) => name)),
    properties:
      parameters.length === 0
        ? undefined
        : Object.fromEntries(parameters.map(({ name, type }) => [name, schemaOf(type)])),
    type: 'object',
  })
}
