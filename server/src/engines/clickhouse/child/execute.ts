import { randomUUID } from 'node:crypto'
import type { RawInsertFormat, StreamChunk } from 'chdb'
import type { Lane, Lanes } from './lanes.ts'
import { type EngineRequest, parseRawInsert, renderPreparation } from './request.ts'

interface Counts {
  readonly readRows?: number
  readonly readBytes?: number
  readonly writtenRows?: number
  readonly writtenBytes?: number
  readonly elapsedSeconds?: number
}

interface Common {
  readonly queryId: string
  readonly summary: Counts
  readonly compressed: boolean
}

/** Chunks of rows; `return` stops the statement and frees its lane. */
export interface RowChunks extends AsyncIterable<Uint8Array> {
  next(): Promise<IteratorResult<Uint8Array>>
  return(): Promise<IteratorResult<Uint8Array>>
}

/** A statement's outcome: all of it, or rows as the engine finds them. */
export type Execution =
  | (Common & { readonly kind: 'whole'; readonly bytes: Uint8Array })
  | (Common & { readonly kind: 'streamed'; readonly chunks: RowChunks })

export interface Executor {
  /** Runs a request; when `signal` aborts, the engine is told to stop and the lane is freed once it has. */
  run(request: EngineRequest, signal: AbortSignal): Promise<Execution>
  /** Refuses new work, asks reads to stop, waits for what runs. */
  drain(): Promise<void>
}

/** A refusal of the HTTP interface itself, with its own status. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'Refused'
    this.status = status
  }
}

const killById = /^\s*kill\s+query\s+where\s+query_id\s*=\s*'([^']+)'/i

/** Runs requests on the lanes. Every statement carries its id in a comment, by which a later one can stop it. */
export function createExecutor(lanes: Lanes): Executor {
  const running = new Map<string, { readonly mark: string; readonly lane: EngineRequest['lane'] }>()
  let draining = false

  const stop = async (mark: string): Promise<void> => {
    const lane = await lanes.acquire('control', new AbortController().signal)
    try {
      // The mark stands at a query's start only; this statement begins otherwise.
      await lane.session.queryAsync(`KILL QUERY WHERE startsWith(query, '/*${mark}*/') ASYNC`)
    } finally {
      lane.release()
    }
  }

  /** Holds `lane` until `work` has really ended, and stops it when the client leaves. */
  const guard = (lane: Lane, mark: string, request: EngineRequest, queryId: string, signal: AbortSignal) => {
    running.set(queryId, { mark, lane: request.lane })
    const leave = (): void => {
      stop(mark).catch(() => undefined)
    }
    signal.addEventListener('abort', leave, { once: true })
    let freed = false
    return () => {
      if (freed) return
      freed = true
      signal.removeEventListener('abort', leave)
      running.delete(queryId)
      lane.release()
    }
  }

  return {
    async run(request, signal) {
      if (draining) throw new Refused(503, 'Code: 236. DB::Exception: The engine is stopping. (ABORTED)')
      const queryId = request.queryId === '' ? randomUUID() : request.queryId
      const killed = killById.exec(request.text)?.[1]
      if (killed !== undefined) {
        const found = running.get(killed)
        if (found !== undefined) await stop(found.mark)
        return { kind: 'whole', queryId, compressed: false, summary: {}, bytes: new Uint8Array() }
      }
      const lane = await lanes.acquire(request.lane, signal)
      const mark = randomUUID()
      const free = guard(lane, mark, request, queryId, signal)
      const common = { queryId, compressed: request.compressed }
      try {
        const preparation = renderPreparation(request)
        const insert = request.data === null ? null : parseRawInsert(request.text)
        if (insert !== null && request.data !== null) {
          if (preparation !== '') await lane.session.queryAsync(preparation)
          const written = await lane.session.insert({
            table: insert.table,
            ...(insert.columns === null ? {} : { columns: insert.columns }),
            // An unknown name is refused by the library, which knows its own list.
            format: insert.format as RawInsertFormat,
            values: request.data,
          })
          free()
          const summary = {
            writtenRows: written.rowsWritten,
            writtenBytes: written.bytesWritten,
            elapsedSeconds: written.elapsed,
          }
          return { kind: 'whole', ...common, summary, bytes: new Uint8Array() }
        }
        if (request.streamed) {
          if (preparation !== '') await lane.session.queryAsync(preparation)
          const chunks = await openStream(lane, `/*${mark}*/ ${request.text}`, request.defaultFormat, free)
          return { kind: 'streamed', ...common, summary: {}, chunks }
        }
        const text = `${preparation}/*${mark}*/ ${request.text}`
        const result = await lane.session.queryAsync(text, { format: request.defaultFormat })
        free()
        const summary = { readRows: result.rowsRead, readBytes: result.bytesRead, elapsedSeconds: result.elapsed }
        return { kind: 'whole', ...common, summary, bytes: result.bytes() }
      } catch (error) {
        free()
        throw error
      }
    },
    async drain() {
      draining = true
      const reads = [...running.values()].filter(({ lane }) => lane === 'read')
      await Promise.all(reads.map(({ mark }) => stop(mark).catch(() => undefined)))
      await lanes.idle()
    },
  }
}

/**
 * Rows as the engine finds them. Waits for the first chunk, so that a statement that fails at once is refused with
 * its status. Not a generator: one that was never begun would not give its lane back when it is abandoned.
 */
async function openStream(lane: Lane, text: string, format: string, free: () => void): Promise<RowChunks> {
  const source = lane.session.queryStream(text, { format })[Symbol.asyncIterator]()
  let ahead: IteratorResult<StreamChunk> | null = await source.next()
  if (ahead.done) free()
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const step = ahead ?? (await source.next())
    ahead = null
    if (!step.done) return { done: false, value: step.value.raw() }
    free()
    return { done: true, value: undefined }
  }
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    try {
      await source.return?.()
    } finally {
      free()
    }
    return { done: true, value: undefined }
  }
  return { next, return: end, [Symbol.asyncIterator]: () => ({ next, return: end }) }
}
