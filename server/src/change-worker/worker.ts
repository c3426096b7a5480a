import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { connectClickHouse } from '../engines/clickhouse/index.ts'
import { readChanges } from '../engines/postgres/index.ts'
import { createRefusedRows } from '../engines/spool/index.ts'
import type { ChangeTransaction } from '../ground/model/change.ts'
import { createChangeStore } from '../services/thread/index.ts'
import type { ChangeTask, FromWorker, ToWorker } from './messages.ts'
import { pauseAfter } from './pause.ts'

const niceness = 10
const tellEveryMs = 250
const flushLimitMs = 3000

// Given by `createChangeWorker`, our own code.
const task = workerData as ChangeTask
const port = parentPort
if (port === null) throw new Error('This file is the entry of a worker thread.')
const say = (message: FromWorker): void => port.postMessage(message)
const log = (line: string): void => say({ kind: 'log', line })

// Linux gives each thread a priority of its own: a backlog is read with what people's requests leave. Elsewhere it would
// be that of the whole process.
if (process.platform === 'linux') setPriority(niceness)

const clickhouse = connectClickHouse(task.clickhouse)
const logDetails = (details: object, message: string): void => log(`${message} ${JSON.stringify(details)}`)
const refused = createRefusedRows({
  ...task.refused,
  now: () => new Date(),
  log: { warn: logDetails, error: logDetails },
})
const store = createChangeStore({ clickhouse, settings: task.settings, refused, log })
const stream = readChanges(task.source, log, task.stuckMs)
stream.subscribe(store.rowsChanged, { ahead: true })

let utilization = 0
let resumedAt = 0
stream.subscribe(async ({ changes }) => {
  const pauseMs = pauseAfter(changes.length, performance.now() - resumedAt, utilization)
  if (pauseMs > 0) await delay(pauseMs)
  resumedAt = performance.now()
})

let told = ''
const tell = (): void => {
  const message = {
    kind: 'health',
    health: stream.health(),
    behindBytes: stream.behindBytes(),
    refusedRows: refused.count(),
  } as const
  const text = JSON.stringify(message)
  if (text !== told) say(message)
  told = text
}
const telling = setInterval(tell, tellEveryMs)
tell()

/** Handed to the main thread, where somebody subscribed there; the stream waits until all of them have it. */
const given = new Map<number, (refusal: string | null) => void>()
let number = 0
const hand = (transaction: ChangeTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    number += 1
    given.set(number, (refusal) => (refusal === null ? resolve() : reject(new Error(refusal))))
    say({ kind: 'transaction', number, transaction })
  })
let leave: (() => void) | null = null

port.on('message', (message: ToWorker) => {
  if (message.kind === 'subscribe') {
    if (message.on) leave ??= stream.subscribe(hand)
    else {
      leave?.()
      leave = null
      for (const settle of given.values()) settle(null)
      given.clear()
    }
  } else if (message.kind === 'settled') {
    given.get(message.number)?.(message.refusal)
    given.delete(message.number)
  } else if (message.kind === 'load') utilization = message.utilization
  else void close()
})

async function close(): Promise<void> {
  clearInterval(telling)
  // What is stored is acknowledged, and does not come again at the next start.
  await Promise.race([store.flush(), new Promise((resolve) => setTimeout(resolve, flushLimitMs))])
  await stream.close()
  await store.close()
  await clickhouse.close()
  port?.close()
}
