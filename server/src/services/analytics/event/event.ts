import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { isObject, type JsonObject, objectOf, textOf } from '../../../ground/json/object.ts'
import { clientTime, correctTime, parseInstant } from './time.ts'

/** An event as it is kept: names and times settled, properties as sent. */
export interface CapturedEvent {
  readonly uuid: string
  readonly event: string
  readonly distinctId: string
  /** Empty when the event belongs to no session. */
  readonly sessionId: string
  readonly windowId: string
  /** On our clock, by the contract's correction. */
  readonly timestampMs: number
  /** On the client's clock. */
  readonly clientTimeMs: number
  readonly sentAtMs: number | null
  readonly receivedAtMs: number
  readonly properties: JsonObject
  readonly set: JsonObject | null
  readonly setOnce: JsonObject | null
  readonly unset: readonly string[]
  /** False: the client asked that no person be made or changed. */
  readonly personProfile: boolean
  /** Of a visitor who asked for no cookies. */
  readonly isCookieless: boolean
}

/** Why an event was left out; the rest of its batch is kept. */
export type DropReason =
  | 'not_an_object'
  | 'no_event_name'
  | 'no_distinct_id'
  | 'contradictory'
  | 'too_large'
  | 'bad_recording'

export type ParsedEvent =
  | { readonly kind: 'event'; readonly event: CapturedEvent }
  | { readonly kind: 'dropped'; readonly reason: DropReason }

export interface EventContext {
  readonly receivedAtMs: number
  readonly sentAtMs: number | null
  readonly newId: () => string
  /** The id that stands for a visitor who asked for no cookies. */
  readonly cookielessId: (properties: JsonObject) => string
}

export const longestDistinctId = 200
const longestId = 200
/** posthog-js sends this in place of an id in cookieless mode. */
export const cookielessSentinel = '$posthog_cookieless'

/** A text that both engines keep as it is: without NUL, without halves of surrogate pairs, not too long. */
export const cleanText = (text: string, longest: number): string =>
  // Nearly every text is clean, and asking is much cheaper than cleaning.
  text.length <= longest && !suspect.test(text)
    ? text
    : text
        .replaceAll('\0', '')
        .slice(0, longest)
        .replaceAll(/\p{Surrogate}/gu, '\ufffd')

const suspect = /[\0\ud800-\udfff]/

/**
 * The id of who did it: `distinct_id` of the event (or `$distinct_id`), then of its properties; what is no text is
 * made one, NUL is taken out, and 200 characters are kept.
 */
export function findDistinctId(event: JsonObject, properties: JsonObject): string | null {
  for (const candidate of [event.distinct_id, event.$distinct_id, properties.distinct_id, properties.$distinct_id]) {
    if (candidate === undefined || candidate === null) continue
    const text = cleanText(
      typeof candidate === 'string' ? candidate : JSON.stringify(candidate),
      longestDistinctId,
    ).trim()
    if (text !== '') return text
  }
  return null
}

const aboutPersons: ReadonlySet<unknown> = new Set([
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$groupidentify',
])

/** Whether an event is about a person or a group and asks that none be made or changed (analytics §4). */
export const isContradictory = (event: JsonObject, properties: JsonObject): boolean =>
  properties.$process_person_profile === false && aboutPersons.has(event.event)

/** Reads one event of a batch. */
export function parseEvent(raw: unknown, context: EventContext): ParsedEvent {
  if (!isObject(raw)) return { kind: 'dropped', reason: 'not_an_object' }
  const name = textOf(raw.event)
  if (name === null) return { kind: 'dropped', reason: 'no_event_name' }
  const properties = objectOf(raw.properties) ?? {}
  const sentId = findDistinctId(raw, properties)
  if (sentId === null) return { kind: 'dropped', reason: 'no_distinct_id' }
  if (isContradictory(raw, properties)) return { kind: 'dropped', reason: 'contradictory' }
  const isCookieless = properties.$cookieless_mode === true || sentId === cookielessSentinel
  const distinctId = isCookieless ? context.cookielessId(properties) : sentId
  const uuid = uuidOf(raw) ?? context.newId()
  const facts = {
    nowMs: context.receivedAtMs,
    timestampMs: parseInstant(raw.timestamp),
    sentAtMs: context.sentAtMs,
    offsetMs: typeof raw.offset === 'number' && Number.isFinite(raw.offset) ? raw.offset : null,
    ignoreSentAt: properties.$ignore_sent_at === true,
  }
  return {
    kind: 'event',
    event: {
      uuid,
      event: cleanText(name, longestId),
      distinctId,
      sessionId: cleanText(textOf(properties.$session_id) ?? '', longestId),
      windowId: cleanText(textOf(properties.$window_id) ?? '', longestId),
      timestampMs: correctTime(facts),
      clientTimeMs: clientTime(facts, uuid),
      sentAtMs: context.sentAtMs,
      receivedAtMs: context.receivedAtMs,
      properties,
      set: joined(properties.$set, raw.$set),
      setOnce: joined(properties.$set_once, raw.$set_once),
      unset: [...namesOf(properties.$unset), ...namesOf(raw.$unset)],
      personProfile: properties.$process_person_profile !== false && !isCookieless,
      isCookieless,
    },
  }
}

/**
 * What an event says of a person in its properties, and beside them, which wins: posthog-js adds `$set_once` with its own
 * `$initial_*` beside the properties that an application gave to `setPersonProperties`.
 */
function joined(inProperties: unknown, beside: unknown): JsonObject | null {
  const [own, other] = [objectOf(inProperties), objectOf(beside)]
  return own === null || other === null ? (other ?? own) : { ...own, ...other }
}

function uuidOf(event: JsonObject): string | null {
  const uuid = textOf(event.uuid)
  return uuid !== null && isUuid(uuid) ? uuid.toLowerCase() : null
}

const namesOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
