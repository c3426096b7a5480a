import { isObject, type JsonObject, objectOf } from '../../../ground/json/object.ts'
import { type CapturedEvent, cleanText } from '../event/event.ts'

/** What an event says about groups, as it waits in the spool. */
export type GroupChange =
  /** `$groupidentify`: properties of one group. */
  | {
      readonly kind: 'properties'
      /** The event's: a change is applied once however often it is sent. */
      readonly uuid: string
      /** Who said so. */
      readonly distinctId: string
      readonly type: string
      readonly key: string
      readonly set: JsonObject
      /** When, on our clock, in milliseconds since 1970. */
      readonly atMs: number
    }
  /** `$groups` of any event: these types are in use. */
  | {
      readonly kind: 'types'
      readonly distinctId: string
      readonly types: readonly string[]
      readonly atMs: number
    }

const longestType = 400
const longestKey = 400

/** Keys may be numbers. */
const nameOf = (value: unknown, longest: number): string =>
  typeof value === 'string' || typeof value === 'number' ? cleanText(String(value), longest).trim() : ''

/** Groups of one event beyond these are left out. */
const mostGroups = 10

/** The groups that an event names, by their types and keys; of `$groupidentify` that which it describes. */
export function groupsOf(
  event: string,
  { $groups, $group_type, $group_key }: JsonObject,
): readonly (readonly [type: string, key: string])[] {
  const named = isObject($groups) ? Object.entries($groups).slice(0, mostGroups) : []
  const described = event === '$groupidentify' ? [[$group_type, $group_key] as const] : []
  return [...named, ...described].flatMap(([type, key]) => {
    const names = [nameOf(type, longestType), nameOf(key, longestKey)] as const
    return names.includes('') ? [] : [names]
  })
}

/** What an event says about groups; null where it names none. */
export function groupChangeOf({
  event,
  uuid,
  distinctId,
  properties,
  timestampMs: atMs,
}: CapturedEvent): GroupChange | null {
  if (event !== '$groupidentify') {
    const { $groups } = properties
    if (!isObject($groups)) return null
    const types = Object.keys($groups).map((type) => nameOf(type, longestType))
    const named = types.filter((type) => type !== '')
    return named.length === 0 ? null : { kind: 'types', distinctId, types: named.slice(0, mostTypes), atMs }
  }
  const type = nameOf(properties.$group_type, longestType)
  const key = nameOf(properties.$group_key, longestKey)
  if (type === '' || key === '') return null
  return { kind: 'properties', uuid, distinctId, type, key, set: objectOf(properties.$group_set) ?? {}, atMs }
}

/** Types have the numbers 0 to 4; further ones are not kept (analytics §3). */
export const mostTypes = 5

/** A change as a line of the spool. */
export const renderGroupChange = (change: GroupChange): string => JSON.stringify(change)

/** Reads blocks of such lines back. */
export const parseGroupChanges = (blocks: readonly Buffer[]): readonly GroupChange[] =>
  blocks.flatMap((block) =>
    block
      .toString('utf8')
      .split('\n')
      .map((line) => JSON.parse(line) as GroupChange),
  )
