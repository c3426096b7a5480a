// Starts the embedded engine, and passes on what comes with the user's password; /ping asks for none.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'

const socketPath = '/tmp/clickhouse.sock'
const dataDir = '/var/lib/clickhouse/data'
mkdirSync(dataDir, { recursive: true })
const user = process.env.CLICKHOUSE_USER
const password = readFileSync(process.env.CLICKHOUSE_PASSWORD_FILE, 'utf8').trim()
const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

const options = { dataDir, socketPath, memoryBytes: 1024 ** 3, maxExecutionSeconds: 60, readers: 4 }
const engine = spawn(
  process.execPath,
  ['--expose-gc', '/opt/clew/server/dist/engines/clickhouse/child/main.js', JSON.stringify(options)],
  { stdio: ['pipe', 'inherit', 'inherit', 'ipc'] },
)
engine.once('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => engine.disconnect())

createServer((incoming, outgoing) => {
  if (incoming.url !== '/ping' && incoming.headers.authorization !== expected) {
    outgoing.writeHead(516, { 'x-clickhouse-exception-code': '516' })
    outgoing.end('Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)')
    return
  }
  const { method, url, headers } = incoming
  const passed = request({ socketPath, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers)
    answer.pipe(outgoing)
  })
  passed.once('error', () => outgoing.destroy())
  incoming.pipe(passed)
}).listen(8123)
