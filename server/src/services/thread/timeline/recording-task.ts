import type { TaskOutput } from '../../../engines/threads/index.ts'
import type { RecordedMessage } from '../../../ground/model/recording.ts'
import { createNodeNameReader, type NodeNames } from './node-names.ts'
import { createRecordingReader, type Recorded } from './rrweb.ts'

/** What is read out of a recording. */
export type RecordingPass =
  | { readonly kind: 'moments'; readonly idleGapMs: number; readonly limit: number }
  | { readonly kind: 'names'; readonly budgetBytes: number }

/** Some messages of a recording, on their way to the thread that reads it. */
export interface RecordingTask {
  /** Tells recordings that are read at once from one another. */
  readonly reading: string
  readonly pass: RecordingPass
  /** JSON of a `RecordedMessage` each. */
  readonly messages: readonly string[]
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** Reads one recording, message by message. */
interface PassReader {
  read(message: RecordedMessage): void
  result(): Recorded | NodeNames
}

/** Recordings of which more is to come; of this thread alone, which is why their pool has no other. */
const readings = new Map<string, PassReader>()

function createPassReader(pass: RecordingPass): PassReader {
  if (pass.kind === 'moments') {
    const reader = createRecordingReader(pass)
    return { read: reader.read, result: reader.recorded }
  }
  const reader = createNodeNameReader(pass.budgetBytes)
  return { read: reader.read, result: reader.names }
}

/** Reads some messages in a thread; the value is what was read out of all of them after the last, else null. */
export function run({ reading, pass, messages, isFirst, isLast }: RecordingTask): TaskOutput {
  const reader = isFirst ? createPassReader(pass) : readings.get(reading)
  if (reader === undefined) throw new Error('The thread that read this recording has ended.')
  for (const json of messages) reader.read(JSON.parse(json) as RecordedMessage)
  if (isLast) readings.delete(reading)
  else readings.set(reading, reader)
  return { value: isLast ? reader.result() : null, transfer: [] }
}
