import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drainPending, Session } from 'chdb'
import { type Limits, renderArguments, renderConfiguration } from './configuration.ts'
import { createExecutor } from './execute.ts'
import { createEngineServer } from './server.ts'
import { createSessionPool } from './sessions.ts'

/** What the parent gives as the only argument, in JSON. */
interface Task extends Limits {
  readonly dataDir: string
  readonly socketPath: string
  readonly readers: number
}

const restAfterMs = 5000

// The parent may have ended, or given up, while the engine was starting: then the channel has no reader, and `disconnect` says so.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

// The parent, our own code, wrote it.
const task = JSON.parse(process.argv[2] ?? '{}') as Task

mkdirSync(task.dataDir, { recursive: true, mode: 0o700 })
const configurationFile = join(task.dataDir, 'clew-engine.xml')
writeFileSync(configurationFile, renderConfiguration(task))
const connectionArgs = renderArguments(configurationFile, task)
/** Opens a connection. Where the engine gives none any more, a new process is started. */
const open = (): Session => {
  try {
    return new Session(task.dataDir, { connectionArgs })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
const sessions = createSessionPool(open, task.readers)
const executor = createExecutor(sessions)
const server = createEngineServer(executor)

// The data directory is locked by now, so a socket that is left over has no server.
rmSync(task.socketPath, { force: true })
server.listen(task.socketPath, () => {
  chmodSync(task.socketPath, 0o600)
  process.send?.('ready', undefined, undefined, () => undefined)
})

let ending = false

// Buffers of a burst lie outside the heap, where nothing presses the collector to look for them.
let isPurgePlanned = false
server.on('request', () => {
  if (isPurgePlanned || ending) return
  isPurgePlanned = true
  setTimeout(() => {
    isPurgePlanned = false
    globalThis.gc?.()
    if (!ending) executor.rest().catch(() => undefined)
  }, restAfterMs).unref()
})

async function end(): Promise<void> {
  if (ending) return
  ending = true
  server.close()
  // Ending in the middle of a statement aborts the engine, so statements end first.
  await executor.drain()
  await drainPending()
  sessions.close()
  process.exit(0)
}

// Ctrl-C, a terminal that closes and a service manager that stops signal the whole process group; the parent, which has
// yet to write down what it holds, decides when the engine ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
// It closes the channel; so does its death, however it dies: no orphan stays behind.
process.on('disconnect', () => void end())
if (!process.connected) void end()
