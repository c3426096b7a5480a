import type { JsonObject } from '../../../ground/json/object.ts'
import { textOf } from '../../../ground/json/object.ts'
import { type CapturedEvent, cleanText, longestDistinctId } from '../event/event.ts'

/** What one event says about persons, as it waits in the spool. */
export interface IdentityChange {
  /** The event's: a change is applied once however often it is sent. */
  readonly uuid: string
  readonly distinctId: string
  /** The other id of an `$identify`, `$create_alias` or `$merge_dangerously`. */
  readonly otherId: string | null
  /** Merge even into an identified person's place. */
  readonly dangerous: boolean
  readonly set: JsonObject | null
  readonly setOnce: JsonObject | null
  readonly unset: readonly string[]
  /** The key of the place that it sets, so that it is told once (`geo/place.ts`). */
  readonly place?: string
  /** When, on our clock, in milliseconds since 1970. */
  readonly atMs: number
  /** When it arrived, if not at once. */
  readonly receivedAtMs?: number
}

const mergeField: Readonly<Record<string, string>> = {
  $identify: '$anon_distinct_id',
  $create_alias: 'alias',
  $merge_dangerously: 'alias',
}

/**
 * What an event changes about persons; null when it changes nothing, because it asked for no person, or because it is
 * about a group.
 */
export function identityChangeOf(event: CapturedEvent): IdentityChange | null {
  if (!event.personProfile || event.event === '$groupidentify') return null
  const field = mergeField[event.event]
  return {
    uuid: event.uuid,
    distinctId: event.distinctId,
    otherId: field === undefined ? null : cleanText(textOf(event.properties[field]) ?? '', longestDistinctId) || null,
    dangerous: event.event === '$merge_dangerously',
    set: event.set,
    setOnce: event.setOnce,
    unset: event.unset,
    atMs: event.timestampMs,
    receivedAtMs: event.receivedAtMs,
  }
}

/** Whether it does no more than say that this id exists: enough once a request, and once an id. */
export const isMention = (change: IdentityChange): boolean =>
  change.otherId === null && change.set === null && change.setOnce === null && change.unset.length === 0
