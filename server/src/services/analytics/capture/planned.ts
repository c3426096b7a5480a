import type { SpoolRecord } from '../../../engines/spool/index.ts'
import { isObject, objectOf, textOf } from '../../../ground/json/object.ts'
import type { AddressPolicy } from '../event/enrich.ts'
import { cookielessSentinel, findDistinctId } from '../event/event.ts'
import type { FindPlace } from '../geo/place.ts'
import type { RecordingsPort } from '../replay-port.ts'
import type { EventTarget } from '../targets.ts'
import { cookielessId } from './cookieless.ts'
import type { Envelope } from './envelope.ts'
import { planCapture } from './plan.ts'
import type { ReadBody, Sender } from './read.ts'
import { renderV1Results } from './v1.ts'

/** What becomes of a request: what goes into the spool, and what is answered. */
export interface PlannedRequest {
  readonly records: readonly SpoolRecord<EventTarget>[]
  readonly accepted: number
  /** Events that are left out, by their reason. */
  readonly refused: Readonly<Record<string, number>>
  /** Capture V1's answer for each event, as JSON; null for the other forms. */
  readonly results: string | null
}

export interface PlanningDeps {
  readonly recordings: Pick<RecordingsPort, 'toLine'>
  readonly newId: () => string
  /** Ids that need not be mentioned again. */
  readonly isKnown: (distinctId: string) => boolean
  /** Persons whose place need not be told again, by the place's key. */
  readonly isAt: (distinctId: string, place: string) => boolean
  /** Types of groups that need not be named again. */
  readonly isKnownType: (type: string) => boolean
  readonly findPlace: FindPlace
}

export interface PlanningFacts {
  readonly sender: Sender
  readonly isV1: boolean
  readonly maxEventBytes: number
  /** What is kept of addresses that events name. */
  readonly addresses: AddressPolicy
  /** The day's secret; empty where no event needs it. */
  readonly secret: string
}

/** Plans a request that was read. */
export function planRequest(
  { envelope, rawJson }: ReadBody,
  { sender, isV1, maxEventBytes, addresses, secret }: PlanningFacts,
  { recordings, newId, isKnown, isAt, isKnownType, findPlace }: PlanningDeps,
): PlannedRequest {
  const { records, outcome } = planCapture(envelope, rawJson(), {
    receivedAtMs: sender.arrivedAt.getTime(),
    userAgent: sender.userAgent,
    remoteAddress: sender.remoteAddress,
    addresses,
    maxEventBytes,
    newId,
    toSnapshotLine: recordings.toLine,
    isKnown,
    isAt,
    isKnownType,
    findPlace,
    cookielessId: (properties) =>
      cookielessId(secret, {
        remoteAddress: sender.remoteAddress,
        userAgent: textOf(properties.$raw_user_agent) ?? sender.userAgent ?? '',
        host: textOf(properties.$host) ?? '',
      }),
  })
  const refused: Record<string, number> = {}
  for (const { reason } of outcome.refused) refused[reason] = (refused[reason] ?? 0) + 1
  const results = isV1 ? JSON.stringify({ results: renderV1Results(envelope, outcome) }) : null
  return { records, accepted: outcome.accepted, refused, results }
}

/** Whether any event is of a visitor who asked for no cookies: then the day's secret is needed. */
export const needsSecret = (envelope: Envelope): boolean => envelope.events.some(isCookieless)

function isCookieless(event: unknown): boolean {
  if (!isObject(event)) return false
  const properties = objectOf(event.properties) ?? {}
  return properties.$cookieless_mode === true || findDistinctId(event, properties) === cookielessSentinel
}
