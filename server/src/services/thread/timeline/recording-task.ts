import type { TaskOutput } from '../../../engines/threads/index.ts'
import { isObject } from '../../../ground/json/object.ts'
import type { RecordedMessage } from '../../../ground/model/recording.ts'
import { createNodeNameReader, type NodeNames } from './node-names.ts'
import { createRecordingReader, type Recorded } from './rrweb.ts'

/** What is read out of a recording. */
export type RecordingPass =
  | { readonly kind: 'moments'; readonly idleGapMs: number; readonly limit: number }
  | { readonly kind: 'names'; readonly budgetBytes: number }

/** Some messages of a recording, on their way to what reads it. */
export interface ReadMessages {
  readonly kind: 'read'
  /** Tells recordings that are read at once from one another. */
  readonly reading: string
  readonly pass: RecordingPass
  /** JSON of a `RecordedMessage` each. */
  readonly messages: readonly string[]
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Whether more may be read behind the last of them. */
  readonly isKept: boolean
}

/** Messages to read, or a reading behind which nothing more is read. */
export type RecordingTask = ReadMessages | { readonly kind: 'forget'; readonly reading: string }

/** Reads one recording, message by message. */
interface PassReader {
  read(message: RecordedMessage, length: number): void
  result(): Recorded | NodeNames
}

/** A reading of which more is to come. */
interface Reading {
  readonly reader: PassReader
  /** When the last message of each window began: in this order they are read. */
  readonly begun: Map<string, number>
  /** Whether all was read that there was at some time. */
  isWhole: boolean
}

/** Of this thread alone, which is why their pool has no other. */
const readings = new Map<string, Reading>()

function createPassReader(pass: RecordingPass): PassReader {
  if (pass.kind === 'moments') {
    const reader = createRecordingReader(pass)
    return { read: reader.read, result: reader.recorded }
  }
  const reader = createNodeNameReader(pass.budgetBytes)
  return { read: reader.read, result: reader.names }
}

/**
 * Reads some messages in a thread; the value is what was read out of all of them after the last, else null. It is null there
 * as well where a message belongs before what was read: the recording is to be read anew.
 */
export function run(task: RecordingTask): TaskOutput {
  const { reading: name } = task
  const known = readings.get(name)
  readings.delete(name)
  if (task.kind === 'forget') return { value: null, transfer: [] }
  const { pass, messages, isFirst, isLast, isKept } = task
  const reading: Reading | undefined = isFirst
    ? { reader: createPassReader(pass), begun: new Map(), isWhole: false }
    : known
  if (reading === undefined) throw new Error('The thread that read this recording has ended.')
  for (const json of messages) {
    const message = JSON.parse(json) as RecordedMessage
    if (!isNext(reading, message) && reading.isWhole) return { value: null, transfer: [] }
    reading.reader.read(message, json.length)
  }
  reading.isWhole = isLast
  if (isKept || !isLast) readings.set(name, reading)
  return { value: isLast ? reading.reader.result() : null, transfer: [] }
}

/** Whether a message begins behind those of its window that were read. */
function isNext({ begun }: Reading, { windowId, events }: RecordedMessage): boolean {
  const before = begun.get(windowId) ?? Number.NEGATIVE_INFINITY
  const first = events.reduce<number>(
    (earliest, event) =>
      isObject(event) && typeof event.timestamp === 'number' ? Math.min(earliest, event.timestamp) : earliest,
    Number.POSITIVE_INFINITY,
  )
  if (first !== Number.POSITIVE_INFINITY) begun.set(windowId, Math.max(first, before))
  return first >= before
}
