import type { SpoolRecord } from '../../../engines/spool/index.ts'
import { isNestedDeeper } from '../../../ground/http/json-size.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { isObject, type JsonObject, textOf } from '../../../ground/json/object.ts'
import { type AddressPolicy, enrich } from '../event/enrich.ts'
import { type DropReason, parseEvent } from '../event/event.ts'
import { renderEventLine } from '../event/event-line.ts'
import { renderExceptionLine } from '../event/exception-line.ts'
import { parseInstant } from '../event/time.ts'
import { groupChangeOf, renderGroupChange } from '../groups/change.ts'
import { type IdentityChange, identityChangeOf, isMention } from '../identity/change.ts'
import { renderChange } from '../identity/change-lines.ts'
import type { EventTarget } from '../targets.ts'

/** Why a line is left out; the others are taken. */
export type HistoryDrop = DropReason | 'no_json' | 'too_deep' | 'no_uuid' | 'no_time'

export interface RefusedLine {
  /** From 0. */
  readonly line: number
  readonly reason: HistoryDrop
}

export interface HistoryContext {
  readonly nowMs: number
  readonly addresses: AddressPolicy
  readonly maxEventBytes: number
  readonly jsonDepth: number
  /** Whether events say who is who; else their persons were imported before them, and they change nothing of those. */
  readonly appliesIdentity: boolean
}

export interface PlannedHistory {
  readonly records: readonly SpoolRecord<EventTarget>[]
  readonly accepted: number
  readonly refused: readonly RefusedLine[]
}

/**
 * Plans events of the past, a line each as capture takes an event, with `created_at`, when it arrived where it was stored
 * before: it counts as its arrival, so that nothing seems to happen now. Each names its uuid, by which it is stored once.
 */
export function planHistory(lines: readonly string[], context: HistoryContext): PlannedHistory {
  const events: string[] = []
  const exceptions: string[] = []
  const groups: string[] = []
  const changes: IdentityChange[] = []
  const refused: RefusedLine[] = []
  lines.forEach((text, line) => {
    const read = readLine(text, context)
    if (read.kind === 'dropped') {
      refused.push({ line, reason: read.reason })
      return
    }
    const { event } = read
    const enriched = enrich(event.properties, null, {
      // It was found when the event was captured; its address is not the request's.
      place: null,
      ...context,
      userAgent: null,
      isCookieless: event.isCookieless,
    })
    const rendered = renderEventLine(event, enriched)
    if (Buffer.byteLength(rendered) > context.maxEventBytes) {
      refused.push({ line, reason: 'too_large' })
      return
    }
    events.push(rendered)
    const exception = renderExceptionLine(event)
    if (exception !== null) exceptions.push(exception)
    const group = groupChangeOf(event)
    if (group !== null) groups.push(renderGroupChange(group))
    const change = context.appliesIdentity ? identityChangeOf(event) : null
    if (change !== null) changes.push(change)
  })
  return {
    records: [
      ...recordOf('events', events),
      ...recordOf('identity', worthTelling(changes).map(renderChange)),
      ...recordOf('groups', [...new Set(groups)]),
      ...recordOf('exceptions', exceptions),
    ],
    accepted: events.length,
    refused,
  }
}

function readLine(text: string, { nowMs, jsonDepth }: HistoryContext) {
  const dropped = (reason: HistoryDrop) => ({ kind: 'dropped', reason }) as const
  if (isNestedDeeper(text, jsonDepth)) return dropped('too_deep')
  const raw = parse(text)
  if (raw === null) return dropped('no_json')
  if (!isUuid(textOf(raw.uuid) ?? '')) return dropped('no_uuid')
  const timestampMs = parseInstant(raw.timestamp)
  if (timestampMs === null) return dropped('no_time')
  return parseEvent(raw, {
    receivedAtMs: Math.min(parseInstant(raw.created_at) ?? timestampMs, nowMs),
    sentAtMs: null,
    newId: () => '',
    // It was made when the event was captured.
    cookielessId: () => textOf(raw.distinct_id) ?? '',
  })
}

function parse(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const recordOf = (target: EventTarget, lines: readonly string[]): SpoolRecord<EventTarget>[] =>
  lines.length === 0 ? [] : [{ target, rows: lines.length, lines: lines.join('\n') }]

/** An id is mentioned once. */
function worthTelling(changes: readonly IdentityChange[]): readonly IdentityChange[] {
  const named = new Set<string>()
  return changes.filter((change) => {
    const isKnown = named.has(change.distinctId)
    named.add(change.distinctId)
    return !(isMention(change) && isKnown)
  })
}
