import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

/**
 * The least that can take events durably: bodies appended to a file, one `fdatasync` shared by all who wait, then 200.
 * Nothing is parsed, checked or stored elsewhere. Started as `spool-floor.ts <file> [--inflate] [--read <token>]`; prints
 * its port. With `--inflate` bodies are decompressed first: a spool of events, and not of bytes, cannot do without. With
 * `--read` it is the least that answers as capture must: a 200 says that the body is JSON of this project's events, and
 * that each event has a name and a distinct id.
 */
const { values, positionals } = parseArgs({
  options: { inflate: { type: 'boolean', default: false }, read: { type: 'string' } },
  allowPositionals: true,
})
const { inflate, read: token = null } = values
const file = await open(positionals[0] ?? '', 'a')
let waiting: { readonly body: Buffer; readonly done: () => void }[] = []
let syncing = false

async function drain(): Promise<void> {
  if (syncing) return
  syncing = true
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    await file.appendFile(Buffer.concat(batch.map(({ body }) => body)))
    await file.datasync()
    for (const { done } of batch) done()
  }
  syncing = false
}

/** Whether a body is what capture takes. */
function isTaken(body: Buffer): boolean {
  try {
    const { api_key, batch } = JSON.parse(body.toString()) as { readonly api_key?: unknown; readonly batch?: unknown }
    return api_key === token && Array.isArray(batch) && batch.every(isEvent)
  } catch {
    return false
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

function isEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { event, distinct_id } = value as { readonly event?: unknown; readonly distinct_id?: unknown }
  return isText(event) && isText(distinct_id)
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const done = (): void => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 15 })
      response.end('{"status":"Ok"}')
    }
    const sent = Buffer.concat(chunks)
    const body = inflate ? gunzipSync(sent) : sent
    if (token !== null && !isTaken(body)) {
      response.writeHead(400, { 'content-length': 0 }).end()
      return
    }
    waiting.push({ body, done })
    void drain()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`)
})
