import { analyticsError } from '../errors.ts'
import type { RecordingsPort } from '../replay-port.ts'
import type { AnalyticsSettings } from '../settings.ts'
import type { Spool } from '../spool/spool.ts'
import { cookielessId, type DailySecret } from './cookieless.ts'
import { decodeBody, type EncodedBody } from './decode.ts'
import { type Envelope, type EnvelopeQuery, parseEnvelope } from './envelope.ts'
import { cookielessSentinel, type EventRefusal, findDistinctId } from './event.ts'
import { isObject, objectOf, textOf } from './json.ts'
import { type CapturePlan, planCapture } from './plan.ts'
import { findProperties } from './verbatim.ts'

/** Where a capture request came from. */
export interface Sender {
  readonly arrivedAt: Date
  readonly remoteAddress: string
  readonly userAgent: string | null
}

export interface CaptureRequest {
  /** Recordings have a limit of their own. */
  readonly kind: 'events' | 'recordings'
  readonly encoded: EncodedBody
  readonly query: EnvelopeQuery
  readonly sender: Sender
}

/** How many events were taken, and left out by reason, since the start. */
export interface CaptureCounts {
  readonly accepted: number
  readonly refused: Readonly<Record<string, number>>
}

export interface CaptureDeps {
  readonly spool: Pick<Spool, 'append'>
  readonly isToken: (token: string) => boolean
  readonly isKnown: (distinctId: string) => boolean
  readonly dailySecret: DailySecret
  readonly toSnapshotLine: RecordingsPort['toLine']
  readonly newId: () => string
  readonly settings: AnalyticsSettings
}

/** Takes requests: when a call resolves, its events are on the disk. */
export interface Capture {
  /** @throws every error of the catalogue's CLEW_INGEST group */
  take(request: CaptureRequest): Promise<CapturePlan>
  /** The same for events that are parsed already, and differ from what was sent. */
  keep(envelope: Envelope, sender: Sender): Promise<CapturePlan>
  counts(): CaptureCounts
}

/** Decode, read, plan; then one write. */
export function createCapture(deps: CaptureDeps): Capture {
  const { settings } = deps
  let accepted = 0
  const refused: Record<string, number> = {}

  const keep = async (envelope: Envelope, sender: Sender, text: string | null): Promise<CapturePlan> => {
    if (envelope.token === null || !deps.isToken(envelope.token)) throw analyticsError('CLEW_INGEST_TOKEN')
    const secret = envelope.events.some(isCookieless) ? await deps.dailySecret(sender.arrivedAt) : ''
    const verbatim = text === null ? [] : findProperties(text, envelope.events.length)
    const plan = planCapture(envelope, verbatim, {
      receivedAtMs: sender.arrivedAt.getTime(),
      userAgent: sender.userAgent,
      maxEventBytes: settings.maxEventBytes,
      newId: deps.newId,
      toSnapshotLine: deps.toSnapshotLine,
      isKnown: deps.isKnown,
      cookielessId: (properties) =>
        cookielessId(secret, {
          remoteAddress: sender.remoteAddress,
          userAgent: textOf(properties.$raw_user_agent) ?? sender.userAgent ?? '',
          host: textOf(properties.$host) ?? '',
        }),
    })
    for (const { reason } of plan.refused) refused[reason] = (refused[reason] ?? 0) + 1
    if (plan.accepted > 0) {
      if (!(await append(plan))) {
        throw analyticsError('CLEW_INGEST_FULL', { headers: { 'retry-after': String(settings.retryAfterSeconds) } })
      }
      accepted += plan.accepted
    }
    return plan
  }

  const append = async (plan: CapturePlan): Promise<boolean> => {
    try {
      return await deps.spool.append(plan.records)
    } catch (cause) {
      throw analyticsError('CLEW_INGEST_UNWRITABLE', {
        headers: { 'retry-after': String(settings.retryAfterSeconds) },
        cause,
      })
    }
  }

  return {
    keep: (envelope, sender) => keep(envelope, sender, null),
    async take({ kind, encoded, query, sender }) {
      const limit = kind === 'recordings' ? settings.maxRecordingBytes : settings.maxBatchBytes
      const { value, text } = await decodeBody(encoded, limit)
      const plan = await keep(parseEnvelope(value, query), sender, kind === 'events' ? text : null)
      if (plan.accepted === 0) throw refusalOf(plan.refused.map(({ reason }) => reason))
      return plan
    },
    counts: () => ({ accepted, refused: { ...refused } }),
  }
}

/** The answer when nothing of a request could be taken. */
function refusalOf(reasons: readonly EventRefusal[]): Error {
  if (reasons.includes('too_large')) return analyticsError('CLEW_INGEST_TOO_LARGE')
  return analyticsError('CLEW_INGEST_BAD_EVENT', { details: [...new Set(reasons)].join(', ') })
}

function isCookieless(event: unknown): boolean {
  if (!isObject(event)) return false
  const properties = objectOf(event.properties) ?? {}
  return properties.$cookieless_mode === true || findDistinctId(event, properties) === cookielessSentinel
}
