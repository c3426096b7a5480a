import type { Spool } from '../../../engines/spool/index.ts'
import { analyticsError } from '../errors.ts'
import type { RecordingsPort } from '../replay-port.ts'
import type { AnalyticsSettings } from '../settings.ts'
import type { EventTarget } from '../targets.ts'
import { cookielessId, type DailySecret } from './cookieless.ts'
import { type DecodedBody, decodeBody, type EncodedBody } from './decode.ts'
import { type Envelope, type EnvelopeQuery, parseEnvelope } from './envelope.ts'
import { cookielessSentinel, type EventRefusal, findDistinctId } from './event.ts'
import { isObject, objectOf, textOf } from './json.ts'
import { type CaptureOutcome, type CapturePlan, planCapture } from './plan.ts'
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
  readonly spool: Pick<Spool<EventTarget>, 'append'>
  readonly isToken: (token: string) => boolean
  readonly isKnown: (distinctId: string) => boolean
  readonly dailySecret: DailySecret
  readonly toSnapshotLine: RecordingsPort['toLine']
  readonly newId: () => string
  readonly settings: AnalyticsSettings
  /** How deep the JSON of a body may nest. */
  readonly jsonDepth: number
}

/** Takes requests: when a call resolves, its events are on the disk. */
export interface Capture {
  /** @throws every error of the catalogue's CLEW_INGEST group */
  take(request: CaptureRequest): Promise<CaptureOutcome>
  /** The same for events that are parsed already, and differ from what was sent. */
  keep(envelope: Envelope, sender: Sender): Promise<CaptureOutcome>
  counts(): CaptureCounts
}

/**
 * Decode, read, plan; then one write. Nothing that is large waits for the disk with it: what was parsed would be copied
 * by every collection of garbage meanwhile, so the steps are functions that end, not one that waits.
 */
export function createCapture(deps: CaptureDeps): Capture {
  const { settings, jsonDepth } = deps
  let accepted = 0
  const refused: Record<string, number> = {}

  const keep = (envelope: Envelope, sender: Sender, text: string | null): Promise<CaptureOutcome> => {
    if (envelope.token === null || !deps.isToken(envelope.token)) throw analyticsError('CLEW_INGEST_TOKEN')
    if (!envelope.events.some(isCookieless)) return store(plan(envelope, sender, text, ''))
    return deps.dailySecret(sender.arrivedAt).then((secret) => store(plan(envelope, sender, text, secret)))
  }

  const plan = (envelope: Envelope, sender: Sender, text: string | null, secret: string): CapturePlan =>
    planCapture(envelope, text === null ? [] : findProperties(text, envelope.events.length), {
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

  const store = ({ records, outcome }: CapturePlan): Promise<CaptureOutcome> => {
    for (const { reason } of outcome.refused) refused[reason] = (refused[reason] ?? 0) + 1
    return outcome.accepted === 0 ? Promise.resolve(outcome) : answer(outcome, deps.spool.append(records))
  }

  const answer = async (outcome: CaptureOutcome, appending: Promise<boolean>): Promise<CaptureOutcome> => {
    const headers = { 'retry-after': String(settings.retryAfterSeconds) }
    const hasRoom = await appending.catch((cause: unknown) => {
      throw analyticsError('CLEW_INGEST_UNWRITABLE', { headers, cause })
    })
    if (!hasRoom) throw analyticsError('CLEW_INGEST_FULL', { headers })
    accepted += outcome.accepted
    return outcome
  }

  const keepDecoded = ({ value, text }: DecodedBody, request: CaptureRequest): Promise<CaptureOutcome> =>
    keep(parseEnvelope(value, request.query), request.sender, request.kind === 'events' ? text : null)

  return {
    keep: (envelope, sender) => keep(envelope, sender, null),
    async take(request) {
      const limitBytes = request.kind === 'recordings' ? settings.maxRecordingBytes : settings.maxBatchBytes
      const outcome = await decodeBody(request.encoded, { limitBytes, jsonDepth }).then((body) =>
        keepDecoded(body, request),
      )
      if (outcome.accepted === 0) throw refusalOf(outcome.refused.map(({ reason }) => reason))
      return outcome
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
