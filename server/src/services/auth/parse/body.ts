import { measureJson } from '../../../ground/http/json-size.ts'
import { isObject } from '../../../ground/json/object.ts'
import type { Body } from '../model/call.ts'
import { authError } from '../model/errors.ts'

const maxDepth = 64
/** The number that is parsed and looked through in some 20 ms; users and their metadata have some dozens. */
const maxValues = 10_000

/**
 * Reads a body.
 *
 * @throws bad_json when it is empty, no JSON, no object, nested deeper than 64, holds more than 10,000 values, or what
 *         PostgreSQL cannot store: U+0000, or half of a surrogate pair
 */
export function parseBody(text: string): Body {
  const value = parseJson(text)
  if (!isObject(value)) throw authError('bad_json')
  checkTree(value)
  return value
}

/** Reads a body that may be missing. */
export const parseOptionalBody = (text: string): Body => (text.trim() === '' ? {} : parseBody(text))

/** A text field; missing and null are the empty text, as the protocol's own server reads them. */
export function readText(body: Body, field: string): string {
  const value = own(body, field)
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw authError('bad_json', { message: `${field} must be a string` })
  return value
}

const maxNameLength = 255

/** A text field that is a name: what the tables and their indexes have room for. */
export function readName(body: Body, field: string): string {
  const text = readText(body, field)
  if (text.length > maxNameLength)
    throw authError('validation_failed', { message: `${field} cannot be longer than ${maxNameLength} characters` })
  return text
}

/** A true or false field. */
export function readFlag(body: Body, field: string, whenMissing: boolean): boolean {
  const value = own(body, field)
  if (value === undefined || value === null) return whenMissing
  if (typeof value !== 'boolean') throw authError('bad_json', { message: `${field} must be a boolean` })
  return value
}

/** An object field; null when missing. */
export function readObject(body: Body, field: string): Body | null {
  const value = own(body, field)
  if (value === undefined || value === null) return null
  if (!isObject(value)) throw authError('bad_json', { message: `${field} must be an object` })
  return value
}

/** A field that is a list of texts; null when missing. */
export function readTexts(body: Body, field: string): readonly string[] | null {
  const value = own(body, field)
  if (value === undefined || value === null) return null
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw authError('bad_json', { message: `${field} must be a list of strings` })
  return value
}

const own = (body: Body, field: string): unknown => (Object.hasOwn(body, field) ? body[field] : undefined)

function parseJson(text: string): unknown {
  const size = measureJson(text, { depth: maxDepth, values: maxValues })
  if (size === 'deep') throw authError('bad_json', { message: 'The body is nested too deeply' })
  if (size === 'many') throw authError('bad_json', { message: 'The body holds too many values' })
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw authError('bad_json', { cause })
  }
}

function checkTree(value: unknown): void {
  if (typeof value === 'string') checkText(value)
  else if (typeof value === 'object' && value !== null) {
    if (!Array.isArray(value)) Object.keys(value).forEach(checkText)
    for (const child of Object.values(value)) checkTree(child)
  }
}

function checkText(text: string): void {
  if (!isStorable(text))
    throw authError('bad_json', { message: 'The body must not contain U+0000 or half a character' })
}

/** Whether PostgreSQL can store a text: with a `u` flag, \p{Cs} is half of a surrogate pair only. */
export const isStorable = (text: string): boolean => !/[\0\p{Cs}]/u.test(text)
