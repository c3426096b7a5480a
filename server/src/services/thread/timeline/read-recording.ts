import { LRUCache } from 'lru-cache'
import { type Threads, taskModule } from '../../../engines/threads/index.ts'
import type { RecordingsPort } from '../ports.ts'
import type { NodeNames } from './node-names.ts'
import { createRecordingPosition, type RecordingPosition } from './recording-position.ts'
import { type RecordingPass, type RecordingTask, run } from './recording-task.ts'
import type { Recorded } from './rrweb.ts'

export interface ReadRecordingDeps {
  /** One thread: what was read so far stays in it between two blocks. */
  readonly thread: Pick<Threads, 'run'>
  readonly messages: RecordingsPort['messages']
}

/** Reads recordings of any length; large ones beside the event loop, and never whole. */
export interface ReadRecording {
  /** One that was read a moment ago, as that of a session that is followed, is read on from there. */
  moments(sessionId: string, options: { readonly idleGapMs: number; readonly limit: number }): Promise<Recorded>
  /**
   * @param options `budgetBytes` of unpacked pages are looked at; `moments` is how many there are to name: while there are
   *   no more, the names are those of a moment ago
   */
  names(sessionId: string, options: { readonly budgetBytes: number; readonly moments: number }): Promise<NodeNames>
}

const task = taskModule('./recording-task', import.meta.url)

/** A recording that is no longer, in characters of JSON, is read on the event loop: some 5 ms. */
const inlineLength = 256 * 1024
/** What is sent to the thread at once; the message that crosses the limit still belongs to it. */
const blockLength = 1024 * 1024
/**
 * So many sessions are read on from where they stood, for so long: shorter than an idle thread lives, and what was stored
 * later than a position looks back is found then.
 */
const keptReadings = 16
const keptMs = 30_000

/** A reading, and where it has come to. */
interface Reading {
  readonly name: string
  readonly sessionId: string
  readonly pass: RecordingPass
  readonly position: RecordingPosition
  readonly isKept: boolean
  /** Null before its first messages. */
  place: 'event loop' | 'thread' | null
}

/** Reads messages where the reading stands: on the event loop, or in the thread. */
function createReader({ thread, messages }: ReadRecordingDeps) {
  const perform = (reading: Reading, input: RecordingTask, sizeBytes: number): Promise<unknown> =>
    reading.place === 'thread'
      ? thread.run({ module: task, input, transfer: [], sizeBytes })
      : Promise.resolve(run(input).value)
  const forget = (reading: Reading): void => {
    perform(reading, { kind: 'forget', reading: reading.name }, 0).catch(() => undefined)
  }
  /** Reads what there is, or what is new; null where all must be read anew. */
  async function read(reading: Reading): Promise<unknown> {
    const { name, sessionId, pass, position, isKept } = reading
    const isGrowing = reading.place !== null
    let block: string[] = []
    let length = 0
    const send = (isLast: boolean): Promise<unknown> => {
      const isFirst = reading.place === null
      if (isFirst) reading.place = isLast && length <= inlineLength ? 'event loop' : 'thread'
      const input = { kind: 'read', reading: name, pass, messages: block, isFirst, isLast, isKept } as const
      const sizeBytes = length
      block = []
      length = 0
      return perform(reading, input, sizeBytes)
    }
    for await (const json of messages(sessionId, { offsetMs: 0, news: position.news() })) {
      position.passed(json)
      block.push(json)
      length += json.length
      if (isGrowing && reading.place === 'event loop' && length > inlineLength) return null
      if (length >= blockLength) await send(false)
    }
    return send(true)
  }

  return { read, forget }
}

export function createReadRecording(deps: ReadRecordingDeps): ReadRecording {
  const { read, forget } = createReader(deps)
  let readings = 0
  const begin = (sessionId: string, pass: RecordingPass, isKept: boolean): Reading => {
    readings += 1
    return { name: String(readings), sessionId, pass, isKept, position: createRecordingPosition(), place: null }
  }
  const kept = new LRUCache<string, Reading>({
    max: keptReadings,
    ttl: keptMs,
    ttlAutopurge: true,
    dispose: forget,
  })
  const inTurn = createTurns()
  const named = new LRUCache<string, { readonly moments: number; readonly names: NodeNames }>({
    max: keptReadings,
    ttl: keptMs,
    ttlAutopurge: true,
  })

  async function readWhole(reading: Reading): Promise<unknown> {
    try {
      return await read(reading)
    } catch (error) {
      // What the thread has of it is forgotten.
      if (reading.place !== null) forget(reading)
      throw error
    }
  }

  async function moments(key: string, sessionId: string, pass: RecordingPass): Promise<unknown> {
    const before = kept.get(key)
    if (before?.position.news() !== undefined) {
      // A thread may have ended meanwhile, and with it what it knew.
      const grown = await read(before).catch(() => null)
      if (grown !== null) return grown
    }
    kept.delete(key)
    const reading = begin(sessionId, pass, true)
    const found = await readWhole(reading)
    kept.set(key, reading)
    return found
  }

  return {
    // The task's value is the pass's.
    moments: (sessionId, options) => {
      const key = `${options.idleGapMs} ${options.limit} ${sessionId}`
      return inTurn(key, () => moments(key, sessionId, { kind: 'moments', ...options })) as Promise<Recorded>
    },
    async names(sessionId, { budgetBytes, moments: count }) {
      const before = named.get(sessionId)
      if (before?.moments === count) return before.names
      const names = (await readWhole(begin(sessionId, { kind: 'names', budgetBytes }, false))) as NodeNames
      named.set(sessionId, { moments: count, names })
      return names
    },
  }
}

/** Runs of one key go one after another: a reading has one place. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return <T>(key: string, body: () => Promise<T>): Promise<T> => {
    const running = (last.get(key) ?? Promise.resolve()).then(body, body)
    last.set(key, running)
    const done = (): void => {
      if (last.get(key) === running) last.delete(key)
    }
    running.then(done, done)
    return running
  }
}
