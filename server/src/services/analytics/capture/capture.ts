import type { RenderedRecord, Spool } from '../../../engines/spool/index.ts'
import { movable, TaskEnded, TasksFull, type Threads, taskModule } from '../../../engines/threads/index.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { analyticsError } from '../errors.ts'
import type { Places } from '../geo/database.ts'
import type { RecordingsPort } from '../replay-port.ts'
import type { AnalyticsSettings } from '../settings.ts'
import type { EventTarget } from '../targets.ts'
import type { DailySecret } from './cookieless.ts'
import type { CaptureCounts } from './counts.ts'
import { plainBody, unpackBody } from './decode.ts'
import { canBeKept, type KeptRequest, keep, scanKept } from './kept-body.ts'
import { receiveRecords } from './moved-record.ts'
import { needsSecret, type PlannedRequest, planRequest } from './planned.ts'
import { type CaptureRequest, readBody } from './read.ts'
import type { CaptureTask, CaptureTaskValue } from './task.ts'

export interface CaptureDeps {
  readonly spool: Pick<Spool<EventTarget>, 'append'>
  readonly threads: Pick<Threads, 'run'>
  /** Those that are accepted now: the list changes in its place. */
  readonly tokens: readonly string[]
  readonly isKnown: (distinctId: string) => boolean
  readonly isAt: (distinctId: string, place: string) => boolean
  readonly isKnownType: (type: string) => boolean
  readonly places: Pick<Places, 'find' | 'bytes'>
  readonly dailySecret: DailySecret
  readonly recordings: Pick<RecordingsPort, 'scan' | 'toLine' | 'module'>
  readonly newId: () => string
  readonly counts: CaptureCounts
  readonly settings: AnalyticsSettings
  /** How deep the JSON of a body may nest. */
  readonly jsonDepth: number
}

/** A planned request, its records rendered where that was done in a thread. */
type Storable = Omit<PlannedRequest, 'records'> & {
  readonly records: PlannedRequest['records'] | KeptRequest['records'] | readonly RenderedRecord<EventTarget>[]
}

/** What a request is answered with. */
export interface Taken {
  /** Capture V1's answer for each event, as JSON; null for the other forms. */
  readonly results: string | null
}

/** Takes requests: when a call resolves, its events are on the disk. */
export interface Capture {
  /** @throws every error of the catalogue's CLEW_INGEST group */
  take(request: CaptureRequest): Promise<Taken>
}

/**
 * How large a body may be, packed and unpacked, to be read on the event loop: some 10 ms at worst, whatever it holds.
 * Events cost more than recordings, which are not parsed.
 */
const inlineBytes = { events: 64 * 1024, engage: 64 * 1024, recordings: 128 * 1024, v1: 64 * 1024 } as const
/** lz64 is unpacked bit by bit. */
const inlinePackedBytes = 16 * 1024

const task = taskModule('./task', import.meta.url)

/**
 * Unpack, read, plan; then one write. Large bodies are read in a thread. Nothing that is large waits for the disk with
 * it: what was parsed would be copied by every collection of garbage meanwhile, so the steps are functions that end,
 * not one that waits.
 */
export function createCapture(deps: CaptureDeps): Capture {
  const { settings, jsonDepth, tokens, recordings, newId, isKnown, isAt, isKnownType, places, counts } = deps
  const retryLater = { 'retry-after': String(settings.retryAfterSeconds) }
  const { maxEventBytes, maxBatchEvents } = settings
  const limits = { jsonDepth, maxBatchEvents, maxEventBytes }
  const keeping = { maxEventBytes, findPlace: places.find }

  const limitOf = (kind: CaptureRequest['kind']): number =>
    kind === 'recordings' ? settings.maxRecordingBodyBytes : settings.maxBodyBytes

  const keepHere = (plain: Buffer, request: CaptureRequest): Promise<Taken> | null => {
    const scanned = scanKept(plain, request, keeping, limits)
    // One of a strange token is parsed, and refused then.
    if (scanned === null || !tokens.includes(scanned.token)) return null
    return store(keep(plain, scanned.events, request), request.kind)
  }

  const readHere = (plain: Buffer, request: CaptureRequest): Promise<Taken> =>
    keepHere(plain, request) ?? parseHere(plain, request)

  const parseHere = (plain: Buffer, request: CaptureRequest): Promise<Taken> => {
    const read = readBody(plain, request, limits, recordings.scan)
    const { token } = read.envelope
    if (token === null || !tokens.includes(token)) throw analyticsError('CLEW_INGEST_TOKEN')
    const { sender, kind } = request
    if (canBeKept(plain, read, request, keeping)) return store(keep(plain, read.envelope.events.length, request), kind)
    const plan = (secret: string): PlannedRequest =>
      planRequest(
        read,
        { sender, isV1: kind === 'v1', maxEventBytes, addresses: settings.addresses, secret },
        { recordings, newId, isKnown, isAt, isKnownType, findPlace: places.find },
      )
    if (!needsSecret(read.envelope)) return store(plan(''), kind)
    return deps.dailySecret(sender.arrivedAt).then((secret) => store(plan(secret), kind))
  }

  const readApart = async (request: CaptureRequest): Promise<Taken> => {
    // Most bodies need none; one that does fails there.
    const secret = await deps.dailySecret(request.sender.arrivedAt).catch(() => null)
    const input = taskOf(deps, { ...limits, limitBytes: limitOf(request.kind) }, secret, request)
    const { body } = input
    return deps.threads
      .run<CaptureTaskValue>({ module: task, input, transfer: [body], sizeBytes: body.byteLength })
      .catch((cause: unknown) => {
        throw taskError(cause, retryLater)
      })
      .then((value) => store({ ...value, records: receiveRecords(value.records) }, request.kind))
  }

  const store = ({ records, ...planned }: Storable, kind: CaptureRequest['kind']): Promise<Taken> => {
    counts.leaveOut(planned.refused)
    if (planned.accepted > 0)
      return whenAppended(deps.spool.append(records), retryLater, () => {
        counts.accept(planned.accepted)
        return { results: planned.results }
      })
    if (kind !== 'v1') throw droppedError(Object.keys(planned.refused))
    return Promise.resolve({ results: planned.results })
  }

  return {
    take(request) {
      const plain = plainBody(request.encoded)
      // What needs no unpacking is appended within this turn, however large it is: to be read in place 2 MB take one
      // millisecond, nine at worst, and the threads may be planning what came before.
      if (plain !== null && plain.length <= inlineBytes[request.kind]) return attempt(() => readHere(plain, request))
      const kept = plain === null ? null : keepHere(plain, request)
      if (kept !== null) return kept
      return unpackSmall(request, limitOf(request.kind)).then((unpacked) =>
        unpacked === null ? readApart(request) : readHere(unpacked, request),
      )
    },
  }
}

/** What moves to the thread that reads a body. */
function taskOf(
  { settings, tokens, places, recordings }: CaptureDeps,
  limits: CaptureTask['limits'],
  secret: string | null,
  { encoded: { body, ...encoded }, ...request }: CaptureRequest,
): CaptureTask {
  return {
    ...{ request, encoded, body: movable(body), limits, tokens: [...tokens], addresses: settings.addresses },
    ...{ places: places.bytes(), secret, recordingsModule: recordings.module },
  }
}

/** What is answered when all is on the disk. @throws CLEW_INGEST_FULL, CLEW_INGEST_UNWRITABLE */
const whenAppended = (
  appending: Promise<boolean>,
  headers: Readonly<Record<string, string>>,
  answer: () => Taken,
): Promise<Taken> =>
  appending.then(
    (hasRoom) => {
      if (!hasRoom) throw analyticsError('CLEW_INGEST_FULL', { headers })
      return answer()
    },
    (cause: unknown) => {
      throw analyticsError('CLEW_INGEST_UNWRITABLE', { headers, cause })
    },
  )

/** Calls a function; what it throws is the rejection. */
function attempt<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return call()
  } catch (error) {
    return Promise.reject(error)
  }
}

/** The body where it is small enough to be read on the event loop; else null. */
async function unpackSmall({ kind, encoded }: CaptureRequest, limitBytes: number): Promise<Buffer | null> {
  const largest = inlineBytes[kind]
  const isLz64 = encoded.compression?.startsWith('lz') === true
  if (encoded.body.length > (isLz64 ? inlinePackedBytes : largest)) return null
  return unpackBody(encoded, Math.min(largest, limitBytes)).catch((error: unknown) => {
    if (limitBytes > largest && error instanceof ServiceError && error.code === 'CLEW_INGEST_TOO_LARGE') return null
    throw error
  })
}

/** The answer when a thread could not read a body. */
function taskError(cause: unknown, headers: Readonly<Record<string, string>>): unknown {
  if (cause instanceof TaskEnded && cause.isOutOfMemory) return analyticsError('CLEW_INGEST_TOO_LARGE', { cause })
  if (cause instanceof TasksFull || cause instanceof TaskEnded)
    return analyticsError('CLEW_INGEST_BUSY', { headers, cause })
  return cause
}

/** The answer when nothing of a request could be taken. */
function droppedError(reasons: readonly string[]): Error {
  if (reasons.includes('too_large')) return analyticsError('CLEW_INGEST_TOO_LARGE')
  return analyticsError('CLEW_INGEST_BAD_EVENT', { details: reasons.join(', ') })
}
