import type { SplitRecord } from '../../../engines/spool/index.ts'
import { isUuid } from '../../../ground/ids/uuidv7.ts'
import { isObject, objectOf, textOf } from '../../../ground/json/object.ts'
import { cookielessSentinel, findDistinctId, isContradictory } from '../event/event.ts'
import type { FindPlace } from '../geo/place.ts'
import type { EventTarget } from '../targets.ts'
import { type PlannedRequest, type PlanningDeps, planRequest } from './planned.ts'
import { type CaptureRequest, type ReadBody, type ReadLimits, readBody } from './read.ts'
import { type ScannedEvents, scanEvents } from './scan-events.ts'
import { isSnapshot } from './snapshot.ts'

/** What is said about a kept body beside it, in the line before it. */
export interface KeptHead {
  readonly receivedAtMs: number
  readonly userAgent: string | null
  /** Of the query string. */
  readonly sentAt: string | null
}

/** Smaller bodies that had to be parsed are planned at once: that costs little then, and they are not read twice. */
const leastParsedBytes = 8 * 1024
/** A line repeats some properties of its event, and what its addresses imply, escaped. */
const mostGrowth = 8
const mostAdded = 4096

/** Where a request comes from, as far as that decides. */
export interface KeepingFacts {
  readonly maxEventBytes: number
  readonly findPlace: FindPlace
}

/**
 * What of a body may wait in the spool as it was sent without being parsed.
 *
 * @returns null where it has to be parsed, to be refused, planned or kept after all
 */
export function scanKept(
  plain: Buffer,
  { kind, sender }: Pick<CaptureRequest, 'kind' | 'sender'>,
  facts: KeepingFacts,
  { jsonDepth, maxBatchEvents }: ReadLimits,
): ScannedEvents | null {
  if (kind !== 'events' || facts.findPlace(sender.remoteAddress) !== null) return null
  const scanned = scanEvents(plain, jsonDepth)
  if (scanned === null || scanned.events > maxBatchEvents) return null
  return areSmall(plain, scanned.events, facts.maxEventBytes) ? scanned : null
}

/** The answer says whether any event was taken: one of average size is not too large. */
const areSmall = (plain: Buffer, events: number, maxEventBytes: number): boolean =>
  (plain.length / events) * mostGrowth + mostAdded <= maxEventBytes

/**
 * Whether a body that was parsed may wait in the spool as it was sent, and its events be planned when they are stored: all
 * of them are taken, they become the same rows however often they are planned, and nothing that is not to be kept (an
 * address, what tells a visitor without cookies apart) lies on the disk meanwhile.
 */
export function canBeKept(
  plain: Buffer,
  { envelope: { events } }: ReadBody,
  { kind, sender }: Pick<CaptureRequest, 'kind' | 'sender'>,
  { maxEventBytes, findPlace }: KeepingFacts,
): boolean {
  if (kind !== 'events' || plain.length < leastParsedBytes) return false
  if (!areSmall(plain, events.length, maxEventBytes)) return false
  return events.every(isRegular) && findPlace(sender.remoteAddress) === null
}

function isRegular(event: unknown): boolean {
  if (!isObject(event)) return false
  const properties = objectOf(event.properties)
  if (properties === null || properties.$ip !== undefined || properties.$cookieless_mode === true) return false
  // An event without a uuid would get another one each time.
  if (textOf(event.event) === null || typeof event.uuid !== 'string' || !isUuid(event.uuid)) return false
  if (isContradictory(event, properties)) return false
  const distinctId = findDistinctId(event, properties)
  return distinctId !== null && distinctId !== cookielessSentinel && !isSnapshot(event)
}

/** What becomes of a request whose body is kept. */
export type KeptRequest = Omit<PlannedRequest, 'records'> & { readonly records: readonly SplitRecord<EventTarget>[] }

/** A body as it goes into the spool: a line with its head, and the JSON that was sent behind it, of which no copy is made. */
export function keep(
  plain: Buffer,
  events: number,
  { sender, query }: Pick<CaptureRequest, 'sender' | 'query'>,
): KeptRequest {
  const head: KeptHead = {
    receivedAtMs: sender.arrivedAt.getTime(),
    userAgent: sender.userAgent,
    sentAt: query.sentAt,
  }
  const record = { target: 'bodies', rows: events, start: `${JSON.stringify(head)}\n`, rest: plain } as const
  return { records: [record], accepted: events, refused: {}, results: null }
}

const newline = 0x0a
/** It was held to the limits when it was taken. */
const noLimits = { jsonDepth: Number.MAX_SAFE_INTEGER, maxBatchEvents: Number.MAX_SAFE_INTEGER }

/** The head of a kept body, and the JSON that was sent. @throws where it is none */
export function splitKeptBody(kept: Buffer): { readonly head: KeptHead; readonly json: Buffer } {
  const end = kept.indexOf(newline)
  return { head: JSON.parse(kept.toString('utf8', 0, end)) as KeptHead, json: kept.subarray(end + 1) }
}

/** Plans the events of a kept body. @throws where it is none */
export type PlanKeptBody = (kept: Buffer) => PlannedRequest

/** Plans kept bodies: most are of one event, so what all of them need is made once. */
export function createKeptPlanner(
  maxEventBytes: number,
  known: Pick<PlanningDeps, 'isKnown' | 'isKnownType'>,
): PlanKeptBody {
  const deps = { ...known, ...ofKeptBodies }
  return (kept) => {
    const { head, json } = splitKeptBody(kept)
    const form = { kind: 'events', query: { token: null, sentAt: head.sentAt }, v1: null } as const
    const read = readBody(json, form, noLimits, notScanned)
    const sender = { arrivedAt: new Date(head.receivedAtMs), remoteAddress: '', userAgent: head.userAgent }
    // No event names an address, and none needs the secret: such bodies are not kept.
    return planRequest(read, { sender, isV1: false, maxEventBytes, addresses: 'drop', secret: '' }, deps)
  }
}

const notScanned = (): null => null
const ofKeptBodies: Omit<PlanningDeps, 'isKnown' | 'isKnownType'> = {
  recordings: { toLine: () => null },
  newId: () => {
    throw new Error('An event of a kept body has no id.')
  },
  isAt: () => false,
  findPlace: () => null,
}
