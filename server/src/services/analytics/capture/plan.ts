import type { SpoolRecord } from '../../../engines/spool/index.ts'
import type { JsonObject } from '../../../ground/json/object.ts'
import type { ScannedEvents } from '../../../ground/model/recording.ts'
import { type ConsentChange, consentChangeOf, renderConsentChange } from '../consent/change.ts'
import { type AddressPolicy, enrich, findPlaceOf } from '../event/enrich.ts'
import { type DropReason, parseEvent } from '../event/event.ts'
import { renderEventLine } from '../event/event-line.ts'
import { renderExceptionLine } from '../event/exception-line.ts'
import type { FindPlace } from '../geo/place.ts'
import { type GroupChange, groupChangeOf, renderGroupChange } from '../groups/change.ts'
import { type IdentityChange, identityChangeOf, isMention } from '../identity/change.ts'
import { renderChange } from '../identity/change-lines.ts'
import { createPlacing } from '../identity/placing.ts'
import type { RecordingsPort } from '../replay-port.ts'
import type { EventTarget } from '../targets.ts'
import type { Envelope } from './envelope.ts'
import { isSnapshot, parseSnapshot } from './snapshot.ts'

/** The text of an event's properties, the recorded events of a recording, or nothing. */
export type RawJson = string | ScannedEvents | null

/** An event of the request that was left out, by its place in the batch. */
export interface DroppedEvent {
  readonly index: number
  readonly reason: DropReason
}

/** What became of a request's events. */
export interface CaptureOutcome {
  readonly accepted: number
  readonly refused: readonly DroppedEvent[]
}

/** What of a request goes into the spool. */
export interface CapturePlan {
  readonly records: readonly SpoolRecord<EventTarget>[]
  readonly outcome: CaptureOutcome
}

export interface PlanContext {
  readonly receivedAtMs: number
  readonly userAgent: string | null
  readonly remoteAddress: string
  readonly findPlace: FindPlace
  /** What is kept of addresses that events name. */
  readonly addresses: AddressPolicy
  readonly maxEventBytes: number
  readonly newId: () => string
  readonly cookielessId: (properties: JsonObject) => string
  readonly toSnapshotLine: RecordingsPort['toLine']
  /** Ids that need not be mentioned again. */
  readonly isKnown: (distinctId: string) => boolean
  /** Persons whose place need not be told again. */
  readonly isAt: (distinctId: string, place: string) => boolean
  /** Types of groups that need not be named again. */
  readonly isKnownType: (type: string) => boolean
}

/**
 * Reads every event of a request and renders its rows; one bad event does not harm the others.
 *
 * @param rawJson what of each event may be kept as it was sent: the text of its properties, or its recorded events
 */
export function planCapture(envelope: Envelope, rawJson: readonly RawJson[], context: PlanContext): CapturePlan {
  const events: string[] = []
  const exceptions: string[] = []
  const snapshots: Buffer[] = []
  const changes: IdentityChange[] = []
  const groups: GroupChange[] = []
  const decisions: ConsentChange[] = []
  const refused: DroppedEvent[] = []
  const placePerson = createPlacing(context.isAt)
  const { receivedAtMs, userAgent, addresses, newId, cookielessId } = context
  const eventContext = { receivedAtMs, sentAtMs: envelope.sentAtMs, newId, cookielessId }

  envelope.events.forEach((raw, index) => {
    if (isSnapshot(raw)) {
      const message = parseSnapshot(raw, scannedOf(rawJson[index]), envelope.sentAtMs, context.newId)
      const line = message === null ? null : context.toSnapshotLine(message, context)
      if (line === null) refused.push({ index, reason: 'bad_recording' })
      else snapshots.push(line)
      return
    }
    const parsed = parseEvent(raw, eventContext)
    if (parsed.kind === 'dropped') {
      refused.push({ index, reason: parsed.reason })
      return
    }
    const { isCookieless, properties } = parsed.event
    const place = findPlaceOf(parsed.event, context.remoteAddress, context.findPlace)
    const enriched = enrich(properties, textOf(rawJson[index]), { userAgent, addresses, place, isCookieless })
    const line = renderEventLine(parsed.event, enriched)
    if (isLongerThan(line, context.maxEventBytes)) {
      refused.push({ index, reason: 'too_large' })
      return
    }
    events.push(line)
    const exception = renderExceptionLine(parsed.event)
    if (exception !== null) exceptions.push(exception)
    const change = identityChangeOf(parsed.event)
    if (change !== null) changes.push(place === null ? change : placePerson(change, place))
    const group = groupChangeOf(parsed.event)
    if (group !== null) groups.push(group)
    const decision = consentChangeOf(parsed.event)
    if (decision !== null) decisions.push(decision)
  })

  return {
    records: [
      ...recordOf('events', events),
      ...recordOf('snapshots', snapshots),
      ...recordOf('identity', worthTelling(changes, context.isKnown).map(renderChange)),
      ...recordOf('consent', decisions.map(renderConsentChange)),
      ...recordOf('groups', worthTellingOfGroups(groups, context.isKnownType).map(renderGroupChange)),
      ...recordOf('exceptions', exceptions),
    ],
    outcome: { accepted: events.length + snapshots.length, refused },
  }
}

const textOf = (rawJson: RawJson | undefined): string | null => (typeof rawJson === 'string' ? rawJson : null)

const scannedOf = (rawJson: RawJson | undefined): ScannedEvents | null => (typeof rawJson === 'object' ? rawJson : null)

// UTF-8 takes at most three bytes for each of JavaScript's characters: most lines need not be counted.
const isLongerThan = (line: string, bytes: number): boolean =>
  line.length > bytes || (line.length * 3 > bytes && Buffer.byteLength(line) > bytes)

function recordOf(target: EventTarget, lines: readonly (string | Buffer)[]): SpoolRecord<EventTarget>[] {
  return lines.length === 0 ? [] : [{ target, rows: lines.length, lines: joined(lines) }]
}

const newline = Buffer.from('\n')

/** Lines with a newline between them; of one that is bytes already no copy is made. */
function joined(lines: readonly (string | Buffer)[]): string | Buffer {
  const [first, ...more] = lines
  if (!Buffer.isBuffer(first)) return lines.join('\n')
  if (more.length === 0) return first
  return Buffer.concat([first, ...more.flatMap((line) => [newline, Buffer.from(line)])])
}

/** Changes without the bare mentions of ids that are known, or are named by another change of the request. */
function worthTelling(
  changes: readonly IdentityChange[],
  isKnown: (distinctId: string) => boolean,
): readonly IdentityChange[] {
  const named = new Set<string>()
  return changes.filter((change) => {
    if (isMention(change) && (named.has(change.distinctId) || isKnown(change.distinctId))) return false
    named.add(change.distinctId)
    return true
  })
}

/** Changes without the types that are known, or are named by another change of the request. */
function worthTellingOfGroups(
  changes: readonly GroupChange[],
  isKnownType: (type: string) => boolean,
): readonly GroupChange[] {
  const named = new Set<string>()
  return changes.filter((change) => {
    if (change.kind === 'properties') return true
    const isNew = change.types.some((type) => !named.has(type) && !isKnownType(type))
    for (const type of change.types) named.add(type)
    return isNew
  })
}
