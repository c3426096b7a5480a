import { isUtf8 } from 'node:buffer'
import { measureJson } from '../../../../ground/http/json-size.ts'
import { isObject } from '../../../../ground/json/object.ts'
import { restError } from '../../errors.ts'
import { type MediaType, mediaTypeName } from '../headers/media-type.ts'
import { splitQueryString } from '../query/query-string.ts'
import type { Text } from '../query/template-parameter.ts'
import { parseCsv } from './csv.ts'

/** A request's body. JSON stays the text it was: PostgreSQL reads it, not we. */
export type Payload =
  | {
      readonly kind: 'json'
      readonly text: Text
      /** Whether one object, rather than an array of them, was sent. */
      readonly isObject: boolean
      /** The keys of its objects, or null when `columns` names them. */
      readonly keys: readonly string[] | null
    }
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'raw'; readonly bytes: Buffer }

/** The body as text. Bytes that are not UTF-8 would be replaced by other characters without an error. */
function textOf(body: Buffer, message: string): string {
  if (!isUtf8(body)) throw restError('PGRST102', { message })
  return body.toString('utf8')
}

const noJson = 'Empty or invalid json'
const noUtf8 = 'The body is not UTF-8'

// Parsed they take some 300 MB, whatever their form.
const mostValues = 2_000_000
const mostFields = 10_000
/** More than a relation's columns (1,600) or a function's arguments (100): one of so many is unknown in any case. */
const mostKeys = 2_000
/** Longer than any name in PostgreSQL (63 bytes). */
const longestKey = 200

function refuseCostly(text: string, depth: number): void {
  const size = measureJson(text, { depth, values: mostValues })
  if (size === 'deep') throw restError('PGRST102', { details: `Arrays and objects may nest ${depth} levels deep.` })
  if (size === 'many') throw restError('CLEW_REST_BODY_TOO_LARGE', { details: `More than ${mostValues} values.` })
}

/** As many keys as are needed to find them all, or one that is unknown. */
const keptKeys = (keys: readonly string[]): readonly string[] =>
  keys.slice(0, mostKeys).map((key) => (key.length > longestKey ? key.slice(0, longestKey) : key))

const startsObject = (text: string): boolean => /^[ \t\r\n]*\{/.test(text)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw restError('PGRST102', { message: noJson, cause })
  }
}

/** The keys that all objects of an array share; they must (rest §7). */
function sharedKeys(values: readonly unknown[]): readonly string[] {
  const mismatch = (): Error => restError('PGRST102', { message: 'All object keys must match' })
  const [first] = values
  if (!isObject(first)) throw mismatch()
  const keys = Object.keys(first)
  for (const value of values) {
    if (!isObject(value)) throw mismatch()
    const own = Object.keys(value)
    if (own.length !== keys.length || !keys.every((key) => Object.hasOwn(value, key))) throw mismatch()
  }
  return keys
}

function jsonPayload(text: string): Payload {
  const value = parseJson(text)
  if (isObject(value)) return { kind: 'json', text, isObject: true, keys: keptKeys(Object.keys(value)) }
  if (Array.isArray(value) && value.length > 0)
    return { kind: 'json', text, isObject: false, keys: keptKeys(sharedKeys(value)) }
  // Anything else is an empty set.
  return { kind: 'json', text: '[]', isObject: false, keys: [] }
}

const formFields = (text: string): readonly (readonly [string, string])[] =>
  splitQueryString(text).map(({ name, value }) => [name, value ?? ''] as const)

/** How a body is to be read. */
export interface BodyForm {
  readonly type: MediaType
  /** Whether `columns` names what is taken from it: then JSON is not looked into. */
  readonly hasColumns: boolean
  /** Whether it holds a function's arguments. */
  readonly isCall: boolean
  /** How deep its arrays and objects may nest. */
  readonly jsonDepth: number
}

/**
 * Reads a body by its `Content-Type`.
 *
 * @throws CLEW_REST_BODY_TOO_LARGE, PGRST102
 */
export function parseBody(body: Buffer, { type, hasColumns, isCall, jsonDepth }: BodyForm): Payload {
  switch (type.kind) {
    case 'json': {
      const text = textOf(body, noJson)
      refuseCostly(text, jsonDepth)
      if (hasColumns) return { kind: 'json', text, isObject: startsObject(text), keys: null }
      return jsonPayload(isCall && text === '' ? '{}' : text)
    }
    case 'csv': {
      const { json, keys } = parseCsv(textOf(body, noUtf8))
      return { kind: 'json', text: json, isObject: false, keys: keptKeys(keys) }
    }
    case 'form': {
      const fields = formFields(textOf(body, noUtf8))
      if (fields.length > mostFields)
        throw restError('CLEW_REST_BODY_TOO_LARGE', { details: `More than ${mostFields} fields.` })
      if (isCall) return { kind: 'form', fields }
      const object = Object.fromEntries(fields)
      return { kind: 'json', text: JSON.stringify(object), isObject: true, keys: keptKeys(Object.keys(object)) }
    }
    case 'text':
    case 'xml':
      if (isCall) return { kind: 'raw', bytes: Buffer.from(textOf(body, noUtf8)) }
      break
    case 'octets':
      if (isCall) return { kind: 'raw', bytes: body }
  }
  throw restError('PGRST102', { message: `Content-Type not acceptable: ${mediaTypeName(type)}` })
}
