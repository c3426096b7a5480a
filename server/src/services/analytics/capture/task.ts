import type { TaskOutput } from '../../../engines/threads/index.ts'
import { uuidv7 } from '../../../ground/ids/uuidv7.ts'
import { analyticsError } from '../errors.ts'
import type { AddressPolicy } from '../event/enrich.ts'
import { noPlaces, readPlaces } from '../geo/place.ts'
import type { RecordingsPort } from '../replay-port.ts'
import { type EncodedBody, unpackBody } from './decode.ts'
import { canBeKept, type KeptRequest, keep, scanKept } from './kept-body.ts'
import { type MovedRecord, memoryOf, moveRecords } from './moved-record.ts'
import { needsSecret, type PlannedRequest, planRequest } from './planned.ts'
import { type CaptureRequest, type ReadLimits, readBody } from './read.ts'

/** A request whose body is large, as it moves to a thread. */
export interface CaptureTask {
  readonly request: Omit<CaptureRequest, 'encoded'>
  readonly encoded: Omit<EncodedBody, 'body'>
  readonly body: ArrayBuffer
  readonly limits: ReadLimits & { readonly limitBytes: number; readonly maxEventBytes: number }
  readonly tokens: readonly string[]
  readonly addresses: AddressPolicy
  /** The database of places, shared with all threads; null without one. */
  readonly places: SharedArrayBuffer | null
  /** The day's secret; null where it could not be read. */
  readonly secret: string | null
  /** The module that keeps recordings: it exports `recordings`. */
  readonly recordingsModule: string
}

/** What comes back: what goes into the spool, rendered. */
export interface CaptureTaskValue extends Omit<PlannedRequest, 'records'> {
  readonly records: readonly MovedRecord[]
}

/** Unpacks, reads and plans a request in a thread. @throws errors of the catalogue */
export async function run(task: CaptureTask): Promise<TaskOutput> {
  const planned = await plan(task)
  const records = moveRecords(planned.records)
  const value: CaptureTaskValue = { ...planned, records }
  return { value, transfer: memoryOf(records) }
}

async function plan(given: CaptureTask): Promise<PlannedRequest | KeptRequest> {
  const { request, encoded, body, limits, tokens, secret, ...task } = given
  const { recordings } = (await import(task.recordingsModule)) as { readonly recordings: RecordingsPort }
  const plain = await unpackBody({ ...encoded, body: Buffer.from(body) }, limits.limitBytes)
  const findPlace = task.places === null ? noPlaces : readPlaces(task.places)
  const facts = { maxEventBytes: limits.maxEventBytes, findPlace }
  const scanned = scanKept(plain, request, facts, limits)
  if (scanned !== null && tokens.includes(scanned.token)) return keep(plain, scanned.events, request)
  const read = readBody(plain, request, limits, recordings.scan)
  const { token } = read.envelope
  if (token === null || !tokens.includes(token)) throw analyticsError('CLEW_INGEST_TOKEN')
  if (secret === null && needsSecret(read.envelope)) throw new Error('The secret of the day could not be read.')
  if (canBeKept(plain, read, request, facts)) return keep(plain, read.envelope.events.length, request)
  const planning = {
    sender: request.sender,
    isV1: request.kind === 'v1',
    maxEventBytes: limits.maxEventBytes,
    addresses: task.addresses,
    secret: secret ?? '',
  }
  // Which ids and types are known is known elsewhere; naming them once more changes nothing.
  const known = { isKnown: () => false, isAt: () => false, isKnownType: () => false }
  return planRequest(read, planning, { recordings, newId: uuidv7, findPlace, ...known })
}
