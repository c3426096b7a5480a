import { isObject, type JsonObject } from '../../../ground/json/object.ts'

/** An operation of the console's API, as its OpenAPI document describes it. */
export interface Operation {
  readonly method: string
  /** Below `/console/api`: `/requests/{id}`. */
  readonly path: string
  readonly inputs: ReadonlyMap<string, OperationInput>
}

interface OperationInput {
  readonly place: 'path' | 'query' | 'body'
  readonly isRequired: boolean
  /** JSON Schema without references. */
  readonly schema: JsonObject
}

/** The operations of an OpenAPI document by their ids. */
export function readOperations(document: unknown): ReadonlyMap<string, Operation> {
  const operations = new Map<string, Operation>()
  for (const [path, methods] of entriesOf(document, 'paths'))
    for (const [method, operation] of entriesOf(methods))
      if (isObject(operation) && typeof operation.operationId === 'string')
        operations.set(operation.operationId, {
          method: method.toUpperCase(),
          path: path.replace(/^\/console\/api/, ''),
          inputs: new Map([...parametersOf(operation), ...bodyOf(operation)]),
        })
  return operations
}

/** The members of an object, or of a member of it. */
function entriesOf(value: unknown, ...names: readonly string[]): readonly (readonly [string, unknown])[] {
  const found = names.reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), value)
  return isObject(found) ? Object.entries(found) : []
}

function* parametersOf({ parameters }: JsonObject): Iterable<[string, OperationInput]> {
  if (!Array.isArray(parameters)) return
  for (const { name, in: place, required = false, schema } of parameters)
    if (place === 'path' || place === 'query')
      yield [name, { place, schema, isRequired: required && schema.default === undefined }]
}

function* bodyOf({ requestBody }: JsonObject): Iterable<[string, OperationInput]> {
  const [, schema] = entriesOf(requestBody, 'content', 'application/json').find(([name]) => name === 'schema') ?? []
  const required = isObject(schema) && Array.isArray(schema.required) ? schema.required : []
  for (const [name, property] of entriesOf(schema, 'properties'))
    if (isObject(property))
      yield [
        name,
        { place: 'body', schema: property, isRequired: required.includes(name) && property.default === undefined },
      ]
}
