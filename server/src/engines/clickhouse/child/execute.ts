import { randomUUID } from 'node:crypto'
import type { RawInsertFormat, StreamChunk } from 'chdb'
import { type EngineRequest, holdsSeveral, parseRawInsert, renderPreparation } from './request.ts'
import type { LeasedSession, SessionPool } from './sessions.ts'

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

/** Chunks of rows; `return` stops the statement and ends its lease. */
export interface RowChunks extends AsyncIterable<Uint8Array> {
  next(): Promise<IteratorResult<Uint8Array>>
  return(): Promise<IteratorResult<Uint8Array>>
}

/** A statement's outcome: all of it, or rows as the engine finds them. */
export type Execution =
  | (Common & { readonly kind: 'whole'; readonly bytes: Uint8Array })
  | (Common & { readonly kind: 'streamed'; readonly chunks: RowChunks })

export interface Executor {
  /** Runs a request; when `signal` aborts, the engine is told to stop and the lease ends once it has. */
  run(request: EngineRequest, signal: AbortSignal): Promise<Execution>
  /** Gives memory that is no longer used back to the system. */
  rest(): Promise<void>
  /** Refuses new work, asks reads to stop, waits for what runs. */
  drain(): Promise<void>
}

/** An error of the HTTP interface itself, with its own status. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'Refused'
    this.status = status
  }
}

const killById = /^\s*kill\s+query\s+where\s+query_id\s*=\s*'([^']+)'/i

/** A request with its session. */
interface Run {
  readonly leased: LeasedSession
  readonly request: EngineRequest
  /** Statements that set what the request asks for. */
  readonly preparation: string
  readonly queryId: string
  /** Ends the lease, once. */
  readonly free: () => void
}

/**
 * Runs requests on the sessions. Every statement carries a mark as its `log_comment`, by which another one can stop it:
 * chDB gives statements ids of its own, and writes their texts anew where they have parameters.
 */
export function createExecutor(sessions: SessionPool): Executor {
  const running = new Map<string, { readonly mark: string; readonly access: EngineRequest['access'] }>()
  let draining = false

  const control = async (text: string): Promise<void> => {
    const leased = await sessions.acquire({ access: 'control', goesFirst: false }, new AbortController().signal)
    try {
      await leased.session.queryAsync(text)
    } finally {
      leased.release()
    }
  }
  const stop = (mark: string): Promise<void> => control(`KILL QUERY WHERE Settings['log_comment'] = '${mark}' ASYNC`)

  /** Waits for a session. It is leased until the statement has really ended; a read whose client leaves is stopped. */
  const begin = async (request: EngineRequest, queryId: string, signal: AbortSignal): Promise<Run> => {
    const mark = randomUUID()
    const preparation = renderPreparation({ ...request, settings: { ...request.settings, log_comment: mark } })
    const leased = await sessions.acquire(request, signal)
    running.set(queryId, { mark, access: request.access })
    const leave = (): void => {
      stop(mark).catch(() => undefined)
    }
    if (request.access === 'read') signal.addEventListener('abort', leave, { once: true })
    let freed = false
    const free = (): void => {
      if (freed) return
      freed = true
      signal.removeEventListener('abort', leave)
      running.delete(queryId)
      leased.release()
    }
    return { leased, request, preparation, queryId, free }
  }

  const kill = async (target: string, queryId: string): Promise<Execution> => {
    const found = running.get(target)
    if (found !== undefined) await stop(found.mark)
    return { kind: 'whole', queryId, compressed: false, summary: {}, bytes: new Uint8Array() }
  }

  return {
    async run(request, signal) {
      if (draining) throw new Refused(503, 'Code: 236. DB::Exception: The engine is stopping. (ABORTED)')
      const queryId = request.queryId === '' ? randomUUID() : request.queryId
      const target = killById.exec(request.text)?.[1]
      if (target !== undefined) return kill(target, queryId)
      if (request.data === null && holdsSeveral(request.text)) {
        throw new Refused(400, 'Code: 62. DB::Exception: Multi-statements are not allowed. (SYNTAX_ERROR)')
      }
      const run = await begin(request, queryId, signal)
      try {
        if (request.data !== null) return await insertRows(run, request.data)
        return request.streamed ? await streamRows(run) : await runWhole(run)
      } catch (error) {
        run.free()
        throw error
      }
    },
    rest: () => control('SYSTEM JEMALLOC PURGE'),
    async drain() {
      draining = true
      const reads = [...running.values()].filter(({ access }) => access === 'read')
      await Promise.all(reads.map(({ mark }) => stop(mark).catch(() => undefined)))
      await sessions.idle()
    },
  }
}

async function insertRows({ leased, request, preparation, queryId, free }: Run, values: Buffer): Promise<Execution> {
  const insert = parseRawInsert(request.text)
  if (insert === null) throw new Refused(400, 'Code: 62. DB::Exception: Not an insert. (SYNTAX_ERROR)')
  await leased.session.queryAsync(preparation)
  const written = await leased.session.insert({
    table: insert.table,
    ...(insert.columns === null ? {} : { columns: insert.columns }),
    // An unknown name is refused by the library, which knows its own list.
    format: insert.format as RawInsertFormat,
    values,
  })
  free()
  const summary = {
    writtenRows: written.rowsWritten,
    writtenBytes: written.bytesWritten,
    elapsedSeconds: written.elapsed,
  }
  return { kind: 'whole', queryId, compressed: request.compressed, summary, bytes: new Uint8Array() }
}

async function streamRows({ leased, request, preparation, queryId, free }: Run): Promise<Execution> {
  await leased.session.queryAsync(preparation)
  const chunks = await openStream(leased, request.text, request.defaultFormat, free)
  return { kind: 'streamed', queryId, compressed: request.compressed, summary: {}, chunks }
}

async function runWhole({ leased, request, preparation, queryId, free }: Run): Promise<Execution> {
  const result = await leased.session.queryAsync(`${preparation}${request.text}`, { format: request.defaultFormat })
  free()
  const summary = { readRows: result.rowsRead, readBytes: result.bytesRead, elapsedSeconds: result.elapsed }
  return { kind: 'whole', queryId, compressed: request.compressed, summary, bytes: result.bytes() }
}

/**
 * Rows as the engine finds them. Waits for the first chunk, so that a statement that fails at once is refused with
 * its status. Not a generator: one that was never begun would not end its lease when it is abandoned.
 */
async function openStream(leased: LeasedSession, text: string, format: string, free: () => void): Promise<RowChunks> {
  const source = leased.session.queryStream(text, { format })[Symbol.asyncIterator]()
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
