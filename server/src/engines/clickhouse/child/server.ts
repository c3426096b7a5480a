import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { renderErrorResponse, renderLateError, renderSummary } from './answer.ts'
import { type Execution, type Executor, Refused, type RowChunks } from './execute.ts'
import { parseRequest } from './request.ts'

// A body is held whole: the engine reads an insert's rows from one piece of memory.
const maxBodyBytes = 256 * 1024 * 1024

/** The part of ClickHouse's HTTP interface that `@clickhouse/client` uses, over one executor. */
export function createEngineServer(executor: Executor): Server {
  return createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    answer(executor, request, response).catch((error: unknown) => {
      // The client left, or the answer could not be written: there is no one to report it to.
      if (!response.headersSent) refuse(response, error)
      else response.destroy()
    })
  })
}

async function answer(executor: Executor, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/'
  if (path === '/ping' || path === '/ping/') {
    response.end('Ok.\n')
    return
  }
  const left = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) left.abort(new Error('The client left.'))
  })
  let execution: Execution
  try {
    const body = await readBody(request)
    const form = await readForm(request, body)
    execution = await executor.run(parseRequest(path, body, form), left.signal)
  } catch (error) {
    refuse(response, error)
    return
  }
  response.setHeader('X-ClickHouse-Query-Id', execution.queryId)
  response.setHeader('X-ClickHouse-Server-Display-Name', 'clew')
  response.setHeader('X-ClickHouse-Timezone', 'UTC')
  response.setHeader('X-ClickHouse-Summary', renderSummary(execution.summary))
  const zipped = execution.compressed && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  if (zipped) response.setHeader('Content-Encoding', 'gzip')
  if (execution.kind === 'whole') {
    if (zipped) await pipeline(Readable.from([execution.bytes]), createGzip({ level: 1 }), response)
    else response.end(execution.bytes)
    return
  }
  const tag = execution.queryId.replaceAll('-', '').slice(0, 16)
  response.setHeader('X-ClickHouse-Exception-Tag', tag)
  const chunks = Readable.from(framed(execution.chunks, tag), { objectMode: false })
  await (zipped ? pipeline(chunks, createGzip({ level: 1 }), response) : pipeline(chunks, response))
}

/** The chunks, with a failure among them in the stream's last frame. */
function framed(chunks: RowChunks, tag: string): AsyncIterable<Uint8Array> {
  let failed = false
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    if (failed) return { done: true, value: undefined }
    try {
      return await chunks.next()
    } catch (error) {
      failed = true
      await chunks.return().catch(() => undefined)
      return { done: false, value: Buffer.from(renderLateError(renderErrorResponse(error), tag)) }
    }
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: () => chunks.return() }) }
}

function refuse(response: ServerResponse, error: unknown): void {
  const rendered = renderErrorResponse(error)
  const status = error instanceof Refused ? error.status : rendered.status
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': String(rendered.code),
  })
  response.end(rendered.body)
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new Refused(415, `Code: 89. DB::Exception: Unknown HTTP encoding ${encoding}. (UNKNOWN_COMPRESSION_METHOD)`)
  }
  const stream = encoding === 'gzip' ? request.pipe(createGunzip()) : request
  if (stream !== request) request.once('error', (error) => stream.destroy(error))
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    length += part.length
    if (length > maxBodyBytes) {
      throw new Refused(413, 'Code: 307. DB::Exception: The request body is too large. (TOO_MANY_BYTES)')
    }
    parts.push(part)
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, length)
}

async function readForm(request: IncomingMessage, body: Buffer): Promise<Record<string, string> | null> {
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return null
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  const parts: Record<string, string> = {}
  for (const [name, value] of form) if (typeof value === 'string') parts[name] = value
  return parts
}
