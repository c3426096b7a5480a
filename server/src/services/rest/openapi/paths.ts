import type { Relation } from '../cache/schema-cache.ts'
import { argumentsDefinition } from './definitions.ts'
import type { DescribedFunction } from './description-statement.ts'
import { argumentParameter } from './parameters.ts'
import { splitComment } from './types.ts'

type PathItem = Readonly<Record<string, unknown>>

export const objectTypes = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
] as const

const reference = (name: string): { readonly $ref: string } => ({ $ref: `#/parameters/${name}` })

const answers = (status: number, description: string) => ({ responses: { [status]: { description } } })

const root: PathItem = {
  get: {
    tags: ['Introspection'],
    summary: 'OpenAPI description (this document)',
    produces: ['application/openapi+json', 'application/json'],
    ...answers(200, 'OK'),
  },
}

function relationPath({ name, comment, columns, insertable, updatable, deletable }: Relation): PathItem {
  const common = { tags: [name], ...splitComment(comment) }
  const filters = [...columns.keys()].map((column) => `rowFilter.${name}.${column}`)
  const body = `body.${name}`
  const read = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount']
  const rows = { type: 'array', items: { $ref: `#/definitions/${name}` } }
  const get = {
    ...common,
    parameters: [...filters, ...read].map(reference),
    responses: { 200: { description: 'OK', schema: rows }, 206: { description: 'Partial Content' } },
  }
  if (!insertable && !updatable && !deletable) return { get }
  return {
    get,
    post: { ...common, parameters: [body, 'select', 'preferPost'].map(reference), ...answers(201, 'Created') },
    delete: { ...common, parameters: [...filters, 'preferReturn'].map(reference), ...answers(204, 'No Content') },
    patch: { ...common, parameters: [...filters, body, 'preferReturn'].map(reference), ...answers(204, 'No Content') },
  }
}

function functionPath(routine: DescribedFunction): PathItem {
  const common = {
    tags: [`(rpc) ${routine.name}`],
    ...splitComment(routine.comment),
    produces: objectTypes,
  }
  const args = { name: 'args', required: true, in: 'body', schema: argumentsDefinition(routine) }
  const post = { ...common, parameters: [args, reference('preferParams')], ...answers(200, 'OK') }
  if (routine.volatility === 'v') return { post }
  return { get: { ...common, parameters: routine.parameters.map(argumentParameter), ...answers(200, 'OK') }, post }
}

/** Every path: the root, the relations, the functions. */
export const pathItems = (
  relations: readonly Relation[],
  functions: readonly DescribedFunction[],
): Readonly<Record<string, PathItem>> => ({
  '/': root,
  ...Object.fromEntries(relations.map((relation) => [`/${relation.name}`, relationPath(relation)])),
  ...Object.fromEntries(functions.map((routine) => [`/rpc/${routine.name}`, functionPath(routine)])),
})
