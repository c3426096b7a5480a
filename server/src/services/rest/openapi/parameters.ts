import type { Relation } from '../cache/schema-cache.ts'
import type { DescribedParameter } from './description-statement.ts'
import { elementOf, formatOf, present, typeOf } from './types.ts'

type Parameter = Readonly<Record<string, unknown>>

const plain = (name: string, place: 'query' | 'header', description: string, more: Parameter = {}): Parameter => ({
  name,
  description,
  required: false,
  in: place,
  type: 'string',
  ...more,
})

const prefer = (values: readonly string[]): Parameter =>
  plain('Prefer', 'header', 'Preference', values.length === 0 ? {} : { enum: values })

const returns = ['return=representation', 'return=minimal', 'return=none']
const resolutions = ['resolution=ignore-duplicates', 'resolution=merge-duplicates']
const paging = 'Limiting and Pagination'

const common: Readonly<Record<string, Parameter>> = {
  preferParams: prefer([]),
  preferReturn: prefer(returns),
  preferCount: prefer(['count=none']),
  preferPost: prefer([...returns, ...resolutions]),
  select: plain('select', 'query', 'Filtering Columns'),
  on_conflict: plain('on_conflict', 'query', 'On Conflict'),
  order: plain('order', 'query', 'Ordering'),
  range: plain('Range', 'header', paging),
  rangeUnit: plain('Range-Unit', 'header', paging, { default: 'items' }),
  offset: plain('offset', 'query', paging),
  limit: plain('limit', 'query', paging),
}

const bodyOf = (name: string): Parameter => ({
  name,
  description: name,
  required: false,
  in: 'body',
  schema: { $ref: `#/definitions/${name}` },
})

function ofRelation({ name, columns }: Relation): readonly (readonly [string, Parameter])[] {
  const filters = [...columns.values()].map((column): readonly [string, Parameter] => [
    `rowFilter.${name}.${column.name}`,
    present<unknown>({
      name: column.name,
      description: column.comment ?? undefined,
      required: false,
      in: 'query',
      type: 'string',
    }),
  ])
  return [[`body.${name}`, bodyOf(name)], ...filters]
}

/** The parameters that paths refer to: those of every relation, then a body and a filter a column for each. */
export const parameterDefinitions = (relations: readonly Relation[]): Readonly<Record<string, Parameter>> => ({
  ...common,
  ...Object.fromEntries(relations.flatMap(ofRelation)),
})

/** An argument in the query string; an array is one text there, as PostgreSQL writes it, unless it is variadic. */
export function argumentParameter({ name, type, required, variadic }: DescribedParameter): Parameter {
  const described = { name, required, in: 'query' }
  if (!variadic) {
    const json = typeOf(type)
    return { ...described, format: formatOf(type), type: json === undefined || json === 'array' ? 'string' : json }
  }
  const element = elementOf(type)
  return {
    ...described,
    type: typeOf(type) ?? 'string',
    items: present<unknown>({ type: typeOf(element), format: formatOf(element) }),
    collectionFormat: 'multi',
  }
}
