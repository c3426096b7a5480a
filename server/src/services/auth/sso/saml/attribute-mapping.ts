import { isObject } from '../../../../ground/json/object.ts'
import type { Body } from '../../model/call.ts'
import { authError } from '../../model/errors.ts'
import type { AssertionAttribute } from './assertion.ts'

/** How one claim is made from a provider's attributes: the first of the names that has a value. */
export interface AttributeRule {
  readonly name?: string
  readonly names?: readonly string[]
  readonly default?: unknown
  readonly array?: boolean
}

/** Claims by name, and how each is made. */
export interface AttributeMapping {
  readonly keys?: Readonly<Record<string, AttributeRule>>
}

/**
 * Reads `attribute_mapping` of a provider.
 *
 * @throws bad_json when it is something else
 */
export function parseMapping(value: Body | null): AttributeMapping {
  const keys = value?.keys
  if (keys === undefined || keys === null) return {}
  if (!isObject(keys)) throw wrong('keys')
  return { keys: Object.fromEntries(Object.entries(keys).map(([key, rule]) => [key, parseRule(key, rule)])) }
}

function parseRule(key: string, rule: unknown): AttributeRule {
  if (!isObject(rule)) throw wrong(key)
  const { name, names, array } = rule
  if (name !== undefined && typeof name !== 'string') throw wrong(`${key}.name`)
  if (names !== undefined && !isTexts(names)) throw wrong(`${key}.names`)
  if (array !== undefined && typeof array !== 'boolean') throw wrong(`${key}.array`)
  return {
    ...(name === undefined ? {} : { name }),
    ...(names === undefined ? {} : { names }),
    ...(rule.default === undefined ? {} : { default: rule.default }),
    ...(array === undefined ? {} : { array }),
  }
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const wrong = (what: string): Error =>
  authError('bad_json', { message: `attribute_mapping: ${what} is not what it should be` })

/** The values of an attribute by its name or friendly name, in any case; empty ones are none. */
export const valuesOf = (attributes: readonly AssertionAttribute[], name: string): readonly string[] => {
  const wanted = name.toLowerCase()
  return attributes
    .filter((attribute) => attribute.name.toLowerCase() === wanted || attribute.friendlyName?.toLowerCase() === wanted)
    .flatMap((attribute) => attribute.values)
    .filter((value) => value !== '')
}

/** The claims of a provider's attributes. */
export function mapAttributes(
  { keys = {} }: AttributeMapping,
  attributes: readonly AssertionAttribute[],
): ReadonlyMap<string, unknown> {
  const claims = Object.entries(keys).map(([key, rule]): readonly [string, unknown] => {
    const names = [...(rule.name === undefined ? [] : [rule.name]), ...(rule.names ?? [])]
    const values = names.map((name) => valuesOf(attributes, name)).find((found) => found.length > 0)
    if (values === undefined) return [key, rule.default]
    return [key, rule.array === true ? values : values[0]]
  })
  return new Map(claims.filter(([, value]) => value !== undefined && value !== null))
}
