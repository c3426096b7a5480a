import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'

/**
 * The least that can take events durably: bodies appended to a file, one `fdatasync` shared by all who wait, then 200.
 * Nothing is parsed, checked or stored elsewhere. Started as `spool-floor.ts <file> [--inflate]`; prints its port.
 * With `--inflate` bodies are decompressed first: a spool of events, and not of bytes, cannot do without.
 */
const inflate = process.argv.includes('--inflate')
const file = await open(process.argv[2] ?? '', 'a')
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

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const done = (): void => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 15 })
      response.end('{"status":"Ok"}')
    }
    const sent = Buffer.concat(chunks)
    waiting.push({ body: inflate ? gunzipSync(sent) : sent, done })
    void drain()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address !== null ? address.port : ''}\n`)
})
