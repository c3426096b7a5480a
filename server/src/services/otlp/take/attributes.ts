import { redacted, withoutTokens } from '../../../ground/privacy/secrets.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import type { Attributes, AttributeValue } from '../wire/model.ts'

/** How much is kept of attributes, and which values never are. */
export interface AttributeLimits {
  readonly maxAttributes: number
  readonly maxAttributeBytes: number
  /** Names whose values are never kept; `*` stands for any letters. */
  readonly secretAttributes: readonly string[]
}

/** Attributes as they are kept. */
export interface KeptAttributes {
  readonly values: ReadonlyMap<string, AttributeValue>
  /** The values as JSON; empty where there are none. */
  readonly json: string
  /** How many are left out. */
  readonly dropped: number
}

/** The longest name of an attribute; one that is longer is left out. */
const longestName = 256
/** What was decided of an attribute's name, and how a member of that name begins in JSON. */
interface KnownName {
  readonly isSecret: boolean
  readonly member: string
}

/** Names are remembered with what was decided of them: programs send few, again and again. */
const rememberedNames = 10_000

/** Keeps attributes and values within bounds. */
export interface AttributeBounds {
  /** Without secrets; long texts are cut, what else is too large is left out and counted. */
  attributes(sent: Attributes): KeptAttributes
  /** A value without secrets, whatever its size. */
  value(sent: AttributeValue): AttributeValue
}

export function createAttributeBounds({
  maxAttributes,
  maxAttributeBytes,
  secretAttributes,
}: AttributeLimits): AttributeBounds {
  const expressions = secretAttributes.map(
    (pattern) => new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 'i'),
  )
  const known = new Map<string, KnownName>()
  const knownOf = (name: string): KnownName => {
    const before = known.get(name)
    if (before !== undefined) return before
    const found = { isSecret: expressions.some((each) => each.test(name)), member: `${stringifyWellFormed(name)}:` }
    if (known.size >= rememberedNames) known.clear()
    known.set(name, found)
    return found
  }
  const clean = (name: string, value: AttributeValue): AttributeValue => {
    if (knownOf(name).isSecret) return redacted
    if (typeof value === 'string') return withoutTokens(value)
    if (typeof value !== 'object' || value === null) return value
    if (isList(value)) return value.map((item) => clean('', item))
    return Object.fromEntries(Object.entries(value).map(([member, held]) => [member, clean(member, held)] as const))
  }

  return {
    attributes(sent) {
      const values = new Map<string, AttributeValue>()
      let dropped = 0
      for (const [name, held] of sent) {
        if (name === '' || name.length > longestName || values.size >= maxAttributes) {
          dropped += 1
          continue
        }
        const value = clean(name, held)
        if (typeof value === 'string') values.set(name, cutText(value, maxAttributeBytes))
        else if (typeof value === 'object' && JSON.stringify(value).length > maxAttributeBytes) dropped += 1
        else values.set(name, value)
      }
      let json = ''
      for (const [name, value] of values)
        json += `${json === '' ? '{' : ','}${knownOf(name).member}${stringifyWellFormed(value)}`
      return { values, json: json === '' ? '' : `${json}}`, dropped }
    },
    value: (sent) => clean('', sent),
  }
}

const isList = (value: object): value is readonly AttributeValue[] => Array.isArray(value)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A text of at most so many bytes of UTF-8, with no character cut in half; one that is cut ends in `…`. */
export function cutText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text
  const bytes = Buffer.from(text).subarray(0, maxBytes - ellipsisBytes)
  // What was cut in half is one U+FFFD at the end.
  return `${bytes.toString('utf8').replace(/\ufffd+$/, '')}…`
}

const ellipsisBytes = Buffer.byteLength('…')
