import Type, { type TSchema } from 'typebox'
import { Check } from 'typebox/schema'
import { isObject } from '../json/object.ts'
import type { Setting } from './setting.ts'

/** A keyword that TypeBox's types do not show: an option of its own, or one of `setting.ts`. */
const keyword = (schema: TSchema, name: 'minimum' | 'maximum' | 'allowed' | 'withoutSlash' | 'pairs'): unknown =>
  (schema as Readonly<Record<string, unknown>>)[name]

/** What is allowed, in words, for the message about a wrong value and the reference page. */
export function describeAllowed(schema: TSchema): string {
  const words = keyword(schema, 'allowed')
  if (typeof words === 'string') return words
  if (Type.IsUnion(schema)) return `${describeAllowed(schema.anyOf[0] ?? Type.Null())}, or nothing`
  if (Type.IsInteger(schema))
    return `a whole number from ${keyword(schema, 'minimum')} to ${keyword(schema, 'maximum')}`
  if (Type.IsNumber(schema)) return `a number from ${keyword(schema, 'minimum')} to ${keyword(schema, 'maximum')}`
  if (Type.IsBoolean(schema)) return 'true or false'
  if (Type.IsEnum(schema)) return `one of ${schema.enum.join(', ')}`
  if (Type.IsArray(schema)) return `a list of ${describeItems(schema.items)}`
  return Type.IsRecord(schema) ? 'names with texts' : 'a text'
}

const describeItems = (items: TSchema): unknown =>
  Type.IsEnum(items) ? items.enum.join(', ') : (keyword(items, 'allowed') ?? 'texts')

/** A setting's value of what a source has for it: TOML's value, or a text; undefined when it is not allowed. */
export function parseValue<Value>({ schema }: Pick<Setting<Value>, 'schema'>, raw: unknown): Value | undefined {
  const value = typeof raw === 'string' ? ofText(schema, raw) : ofTable(schema, raw)
  // The schema is the one that `Value` was derived from.
  return Check(schema, value) ? (value as Value) : undefined
}

function ofText(schema: TSchema, raw: string): unknown {
  if (Type.IsUnion(schema)) return raw === '' ? null : ofText(schema.anyOf[0] ?? Type.Null(), raw)
  if (Type.IsInteger(schema)) return /^-?\d+$/.test(raw.trim()) ? Number(raw) : raw
  if (Type.IsNumber(schema)) return /^-?\d+(?:\.\d+)?$/.test(raw.trim()) ? Number(raw) : raw
  if (Type.IsBoolean(schema)) return booleans.get(raw)
  if (Type.IsArray(schema)) return ofList(schema, raw)
  if (Type.IsRecord(schema)) return parseJson(raw)
  return keyword(schema, 'withoutSlash') === true ? raw.replace(/\/+$/, '') : raw
}

/** `4152127777 = "123456"` of a table is `4152127777=123456` of a list; a number (`sms_sent = 30`) may stand for a text. */
function ofTable(schema: TSchema, raw: unknown): unknown {
  if (typeof raw === 'number') return isText(schema) ? String(raw) : raw
  const isTable = keyword(schema, 'pairs') === true && isObject(raw)
  return isTable ? Object.entries(raw).map(([name, value]) => `${name}=${value}`) : raw
}

const isText = (schema: TSchema): boolean =>
  Type.IsUnion(schema) ? isText(schema.anyOf[0] ?? Type.Null()) : Type.IsString(schema)

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** A list or a table in JSON, whose items may have commas, or items between commas. */
const ofList = (schema: TSchema, text: string): unknown =>
  (/^\s*[[{]/.test(text) ? ofTable(schema, parseJson(text)) : undefined) ?? splitAtCommas(text)

const splitAtCommas = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
