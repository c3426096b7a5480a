import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { connectClickHouse } from '../engines/clickhouse/index.ts'
import { readChanges } from '../engines/postgres/index.ts'
import { createRefusedRows } from '../engines/spool/index.ts'
import { addNiceness } from '../engines/threads/index.ts'
import type { ChangeTransaction } from '../ground/model/change.ts'
import type { MaskList, Masks } from '../ground/privacy/masks.ts'
import { createChangeStore } from '../services/thread/index.ts'
import type { ChangeTask, FromWorker, ToWorker } from './messages.ts'
import { pauseAfter } from './pause.ts'

const niceness = 10
const reportEveryMs = 250
const flushLimitMs = 3000

// Given by `createChangeWorker`, our own code.
const task = workerData as ChangeTask
const port = parentPort
if (port === null) throw new Error('This file is the entry of a worker thread.')
const send = (message: FromWorker): void => port.postMessage(message)
const log = (line: string): void => send({ kind: 'log', line })

// Requests go before a backlog.
addNiceness(niceness)

const clickhouse = connectClickHouse(task.clickhouse)
const logDetails = (details: object, message: string): void => log(`${message} ${JSON.stringify(details)}`)
const refused = createRefusedRows({
  ...task.refused,
  now: () => new Date(),
  log: { warn: logDetails, error: logDetails },
})
const stored = (): void => send({ kind: 'stored' })
/** Questions about masks that the main thread, which reads them from the database, has not answered. */
const unanswered = new Map<number, (list: MaskList | null) => void>()
let questions = 0
const masks: Masks = {
  current: () =>
    new Promise((resolve, reject) => {
      questions += 1
      unanswered.set(questions, (list) =>
        list === null ? reject(new Error('what is masked could not be read')) : resolve(list),
      )
      send({ kind: 'masks', number: questions })
    }),
}
const store = createChangeStore({ clickhouse, settings: task.settings, refused, masks, stored, log })
const stream = readChanges(task.source, log, task.stuckMs)
stream.subscribe(store.rowsChanged, { ahead: true })

let utilization = 0
let resumedAt = 0
stream.subscribe(async ({ changes }) => {
  const pauseMs = pauseAfter(changes.length, performance.now() - resumedAt, utilization)
  if (pauseMs > 0) await delay(pauseMs)
  resumedAt = performance.now()
})

const report = (): void =>
  send({
    kind: 'health',
    health: stream.health(),
    behindBytes: stream.behindBytes(),
    refusedRows: refused.count(),
  })
const reporting = setInterval(report, reportEveryMs)
report()

/** Transactions that the main thread's readers have and have not settled; the stream waits for them. */
const unsettled = new Map<number, (failure: string | null) => void>()
let number = 0
const giveToMainThread = (transaction: ChangeTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    number += 1
    unsettled.set(number, (failure) => (failure === null ? resolve() : reject(new Error(failure))))
    send({ kind: 'transaction', number, transaction })
  })
let unsubscribe: (() => void) | null = null

port.on('message', (message: ToWorker) => {
  if (message.kind === 'subscribe') {
    if (message.on) unsubscribe ??= stream.subscribe(giveToMainThread)
    else {
      unsubscribe?.()
      unsubscribe = null
      for (const settle of unsettled.values()) settle(null)
      unsettled.clear()
    }
  } else if (message.kind === 'settled') {
    unsettled.get(message.number)?.(message.failure)
    unsettled.delete(message.number)
  } else if (message.kind === 'masks') {
    unanswered.get(message.number)?.(message.list)
    unanswered.delete(message.number)
  } else if (message.kind === 'load') utilization = message.utilization
  else void close()
})

async function close(): Promise<void> {
  clearInterval(reporting)
  // Stored changes are acknowledged, and do not come again at the next start.
  // A timer that counted would keep the thread, and with it the whole stop, for all of its time.
  await Promise.race([store.flush(), delay(flushLimitMs, undefined, { ref: false })])
  await stream.close()
  await store.close()
  await clickhouse.close()
  port?.close()
}
