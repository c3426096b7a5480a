import { movable, TaskEnded, TasksFull, type Threads, taskModule } from '../../../engines/threads/index.ts'
import { momentLineStart } from '../../../ground/model/recording.ts'
import { atOnce, type Consent, mayBeStored } from '../../../ground/privacy/consent.ts'
import { type Masks, noMasks } from '../../../ground/privacy/masks.ts'
import { replayError } from '../errors.ts'
import type { Replay } from '../replay.ts'
import type { ReplaySettings } from '../settings.ts'
import { readHead } from './head.ts'
import { unpackLines } from './lines.ts'
import type { ReadMessage, ReadTask } from './read-task.ts'

export interface ImportFileDeps {
  readonly replay: Pick<Replay, 'store' | 'storedIds' | 'rewrite'>
  readonly consent: Consent
  /** What is stored masked; nothing where not given. */
  readonly masks?: Masks
  readonly threads: Pick<Threads, 'run'>
  readonly settings: Pick<ReplaySettings, 'retentionDays' | 'maxRecordingFileMib'>
  readonly jsonDepth: number
  readonly now: () => Date
}

/** What became of a file. */
export interface ImportedRecording {
  readonly sessionId: string
  /** Messages in the file. */
  readonly messages: number
  readonly stored: number
  /** Those that were there before, which stay as they are. */
  readonly already: number
  /** Those that arrived longer ago than recordings are kept. */
  readonly expired: number
  /** Those of visitors whose data may not be stored. */
  readonly withheld: number
}

const mib = 1024 ** 2
const dayMs = 24 * 3_600_000
/** A message holds 25 MiB at most when it is captured. */
const lineBytes = 32 * mib
const batchBytes = 4 * mib
const batchLines = 200
const task = taskModule('./read-task', import.meta.url)
const endLine = Buffer.from('{"end":')

/**
 * Stores the messages of a file, under their ids: a second time nothing changes. Messages before a damage are stored.
 *
 * @throws CLEW_REPLAY_FILE_FORM, …_VERSION, …_DAMAGED, …_TOO_LARGE, …_BUSY
 */
export async function importFile(packed: AsyncIterable<Buffer>, deps: ImportFileDeps): Promise<ImportedRecording> {
  const lines = unpackLines(packed, { totalBytes: deps.settings.maxRecordingFileMib * mib, lineBytes })
  const first = await lines.next()
  if (first.done) throw replayError('CLEW_REPLAY_FILE_DAMAGED')
  const { sessionId } = readHead(first.value)
  let done: ImportedRecording = { sessionId, messages: 0, stored: 0, already: 0, expired: 0, withheld: 0 }
  let batch: Buffer[] = []
  let bytes = 0
  let isWhole = false
  const flush = async () => {
    done = sum(done, await storeBatch(batch, sessionId, deps))
    batch = []
    bytes = 0
  }
  for await (const line of lines) {
    isWhole = line.subarray(0, endLine.length).equals(endLine)
    if (isWhole || isMoment(line)) continue
    batch.push(line)
    bytes += line.length
    if (bytes >= batchBytes || batch.length === batchLines) await flush()
  }
  await flush()
  if (!isWhole) throw replayError('CLEW_REPLAY_FILE_DAMAGED')
  return done
}

/** The timeline is another instance's: its requests and rows are not here. */
const isMoment = (line: Buffer): boolean => line.toString('latin1', 0, momentLineStart.length) === momentLineStart

type Counts = Omit<ImportedRecording, 'sessionId'>

async function storeBatch(lines: readonly Buffer[], sessionId: string, deps: ImportFileDeps): Promise<Counts> {
  const { replay, consent, masks = noMasks, settings, now } = deps
  if (lines.length === 0) return { messages: 0, stored: 0, already: 0, expired: 0, withheld: 0 }
  const read = await readBeside(lines, sessionId, deps)
  const keptSinceMs = now().getTime() - settings.retentionDays * dayMs
  const lasting = read.filter(({ receivedMs }) => receivedMs >= keptSinceMs)
  const known = await replay.storedIds(
    sessionId,
    lasting.map(({ uuid }) => uuid),
  )
  const fresh = lasting.filter(({ uuid }) => !known.has(uuid))
  const since = await consent.since([...new Set(fresh.map(({ distinctId }) => distinctId))])
  const kept = fresh.filter(({ distinctId, receivedMs }) =>
    mayBeStored(since.get(distinctId), () => atOnce(receivedMs)),
  )
  if (kept.length > 0) {
    const mask = replay.rewrite(await masks.current())
    const masked = kept.map(({ line }) =>
      mask === null ? Buffer.from(line) : Buffer.from(mask(Buffer.from(line).toString())),
    )
    await replay.store(masked)
  }
  return {
    messages: read.length,
    stored: kept.length,
    already: lasting.length - fresh.length,
    expired: read.length - lasting.length,
    withheld: fresh.length - kept.length,
  }
}

async function readBeside(
  lines: readonly Buffer[],
  sessionId: string,
  { threads, jsonDepth }: ImportFileDeps,
): Promise<readonly ReadMessage[]> {
  const moved = lines.map(movable)
  const sizeBytes = moved.reduce((size, { byteLength }) => size + byteLength, 0)
  const input: ReadTask = { sessionId, jsonDepth, lines: moved }
  return threads
    .run<readonly ReadMessage[]>({ module: task, input, transfer: moved, sizeBytes })
    .catch((cause: unknown) => {
      throw cause instanceof TasksFull || cause instanceof TaskEnded
        ? replayError('CLEW_REPLAY_FILE_BUSY', { cause })
        : cause
    })
}

const sum = (done: ImportedRecording, more: Counts): ImportedRecording => ({
  sessionId: done.sessionId,
  messages: done.messages + more.messages,
  stored: done.stored + more.stored,
  already: done.already + more.already,
  expired: done.expired + more.expired,
  withheld: done.withheld + more.withheld,
})
