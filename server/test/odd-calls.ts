import fc from 'fast-check'
import { isObject, type JsonObject } from '../src/ground/json/object.ts'
import { oddText, percent } from './odd-requests.ts'

/** A call of the console's API that its schemas allow, with values that something may stumble over. */
export interface OddCall {
  readonly method: string
  /** Where `uuidMark` stands for an id that an earlier answer has told. */
  readonly url: string
  /** JSON, with the same marks. */
  readonly payload: string | null
}

/** What an id is in a call, until it is asked. */
export const uuidMark = /~uuid(\d+)~/g

const instants = [
  ...['2026-01-31T10:00:00Z', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999999Z'],
  ...['1969-12-31T23:59:59.999Z', '2016-12-31T23:59:60Z', '2026-02-28T23:59:59+23:59', '2300-01-01T00:00:00-12:00'],
]
const numbers = [
  ...[0, -0, 1, -1, 2, 7, 100, 32_767, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53 - 1, 2 ** 53],
  ...[0.1, 1e21, 1e308],
]

/**
 * Calls of every operation of the console's OpenAPI document.
 *
 * @param without operations that end what the calls need, or reach outside
 */
export function oddCalls(document: JsonObject, without: ReadonlySet<string>, calls: number, seed: number): OddCall[] {
  const schemas = memberOf(memberOf(document, 'components'), 'schemas')
  const operations = Object.entries(memberOf(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(isObject(methods) ? methods : {}).flatMap(([method, operation]) =>
      isObject(operation) && typeof operation.operationId === 'string' && !without.has(operation.operationId)
        ? [callOf(schemas, { path, method, operation })]
        : [],
    ),
  )
  const each = Math.max(1, Math.ceil(calls / operations.length))
  return operations.flatMap((call, index) => fc.sample(call, { numRuns: each, seed: seed + index }))
}

interface Described {
  readonly path: string
  readonly method: string
  readonly operation: JsonObject
}

function callOf(schemas: JsonObject, { path, method, operation }: Described): fc.Arbitrary<OddCall> {
  const parameters = Array.isArray(operation.parameters) ? operation.parameters.filter(isObject) : []
  const inputs = (place: string): fc.Arbitrary<Record<string, unknown>> => {
    const those = parameters.filter((parameter) => parameter.in === place)
    return fc.record(
      Object.fromEntries(those.map(({ name: key, schema }) => [String(key), arbitraryOf(schemas, schema, 0)])),
      { requiredKeys: those.flatMap(({ name: key, required }) => (required === true ? [String(key)] : [])) },
    )
  }
  const content = memberOf(memberOf(operation, 'requestBody'), 'content')
  const schema = memberOf(content, 'application/json').schema
  const body = schema === undefined ? fc.constant(undefined) : arbitraryOf(schemas, schema, 0)
  return fc.tuple(inputs('path'), inputs('query'), body).map(([places, query, value]) => {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => inAddress(places[key]))
    const pairs = Object.entries(query).map(([key, one]) => `${key}=${inAddress(one)}`)
    return {
      method: method.toUpperCase(),
      url: pairs.length === 0 ? address : `${address}?${pairs.join('&')}`,
      payload: value === undefined ? null : JSON.stringify(value),
    }
  })
}

const inAddress = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.startsWith('~uuid') ? text : percent(text)
}

const memberOf = (value: unknown, name: string): JsonObject => {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}

const deepest = 8

/** Values that a schema allows; now and then others. */
function arbitraryOf(schemas: JsonObject, schema: unknown, depth: number): fc.Arbitrary<unknown> {
  if (!isObject(schema) || depth > deepest) return fc.constant(null)
  if (typeof schema.$ref === 'string')
    return arbitraryOf(schemas, schemas[schema.$ref.split('/').at(-1) ?? ''], depth + 1)
  const kinds = schema.anyOf ?? schema.oneOf
  if (Array.isArray(kinds) && kinds.length > 0)
    return fc.oneof(...kinds.map((one) => arbitraryOf(schemas, one, depth + 1)))
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return fc.constantFrom<unknown>(...schema.enum)
  switch (schema.type) {
    case 'string':
      return textOf(schema)
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const least = boundOf(schema.minItems, 0)
      const items = { minLength: least, maxLength: Math.max(least, Math.min(3, boundOf(schema.maxItems, 3))) }
      return fc.array(arbitraryOf(schemas, schema.items, depth + 1), items)
    }
    case 'object':
      return objectOf(schemas, schema, depth)
    default:
      return fc.constantFrom<unknown>(null, true, 1e308, 'x', '\ud800', [], {}, { a: ['\u202e'] })
  }
}

function objectOf(schemas: JsonObject, schema: JsonObject, depth: number): fc.Arbitrary<unknown> {
  const properties = memberOf(schema, 'properties')
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const members = Object.entries(properties).map(([name, one]) => [name, arbitraryOf(schemas, one, depth + 1)] as const)
  if (members.length > 0) return fc.record(Object.fromEntries(members), { requiredKeys: required })
  const [values = {}] = [schema.additionalProperties, ...Object.values(memberOf(schema, 'patternProperties'))].filter(
    isObject,
  )
  return fc.dictionary(oddText, arbitraryOf(schemas, values, depth + 1), { maxKeys: 2 })
}

function textOf({ format, pattern, minLength, maxLength }: JsonObject): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.nat({ max: 1_000 }).map((index) => `~uuid${index}~`)
  if (format === 'date-time') return fc.constantFrom(...instants)
  const [least, most] = [boundOf(minLength, 0), boundOf(maxLength, 3_000)]
  const free = fc.oneof(
    oddText,
    oddText.map((text) => `${'\u00e9'.repeat(Math.max(0, most - text.length))}${text}`),
  )
  const fits = free.map((text) => text.slice(0, most).padEnd(least, 'x'))
  if (typeof pattern !== 'string') return fits
  return fc.oneof(
    fits,
    fc.stringMatching(new RegExp(pattern, 'u')).map((text) => text.slice(0, most)),
  )
}

function numberOf({ type, minimum, maximum }: JsonObject): fc.Arbitrary<number> {
  const [least, most] = [boundOf(minimum, Number.NEGATIVE_INFINITY), boundOf(maximum, Number.POSITIVE_INFINITY)]
  const fits = [...numbers, least, most].filter(
    (one) => Number.isFinite(one) && one >= least && one <= most && (type === 'number' || Number.isInteger(one)),
  )
  return fits.length === 0 ? fc.constant(least) : fc.constantFrom(...fits)
}

const boundOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)
