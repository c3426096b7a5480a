import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import type { ChangeTransaction } from '../../../ground/model/change.ts'
import type { AskJson } from './asked-json.ts'
import { fitListeners } from './fit.ts'
import type { ForRole, Waiting } from './part.ts'
import type { Patterns } from './patterns.ts'
import { isLiveChange, sizeOf } from './payload.ts'
import { groupBy, type Registry } from './registry.ts'
import { createSender } from './send.ts'
import type { FactsReader } from './table-facts.ts'
import type { FindVisible } from './visible.ts'

/** The dependencies of `createDelivery`. */
export interface DeliveryDeps {
  readonly registry: Registry
  readonly facts: FactsReader
  readonly findVisible: FindVisible
  readonly patterns: Patterns
  readonly askJson: AskJson
  readonly nowMs: () => number
  readonly log: { warn(details: object, message: string): void }
}

/** Brings row changes to the channels that ask for them, in the order of their commits. */
export interface Delivery {
  /** Takes a transaction; resolves when there is room for the next one, so that nothing is dropped and nothing piles up. */
  take(transaction: ChangeTransaction): Promise<void>
}

/** Changes that were taken from those that wait. */
interface Prepared {
  readonly bytes: number
  readonly parts: Promise<readonly ForRole[]>
}

/** A change that waits for its turn takes memory: with more of them, the stream waits. */
const mostWaiting = 2000
const mostWaitingBytes = 16 * 1024 * 1024
/** So much is asked about in one statement: what several transactions have brought meanwhile. */
const batchChanges = 200
const batchBytes = 1024 * 1024
/** A write costs more than the rows in it: before the next ones, changes are gathered for as long as these took, or so long. */
const longestGatherMs = 10

export function createDelivery(deps: DeliveryDeps): Delivery {
  const waiting: Waiting[] = []
  let waitingBytes = 0
  let isRunning = false
  let wake: () => void = () => undefined

  const failed = (error: unknown): void =>
    deps.log.warn({ err: error }, `realtime: changes are not delivered: ${messageOf(error)}`)
  const isFull = (): boolean => waiting.length >= batchChanges || waitingBytes >= batchBytes
  const begin = (): Prepared => {
    const batch = takeBatch(waiting)
    const parts = prepare(deps, batch).catch((error: unknown) => {
      failed(error)
      return []
    })
    return { bytes: bytesOf(batch), parts }
  }

  const run = async (): Promise<void> => {
    isRunning = true
    let next: Prepared | null = null
    while (next !== null || waiting.length > 0) {
      const { bytes, parts }: Prepared = next ?? begin()
      const ready = await parts
      // The database is asked about the next ones while these are written.
      next = isFull() ? begin() : null
      if (next !== null) await turn()
      const writingMs = await write(deps, ready).catch((error: unknown) => {
        failed(error)
        return 0
      })
      waitingBytes -= bytes
      wake()
      if (next === null && writingMs >= 1 && !isFull())
        await delay(Math.min(writingMs, longestGatherMs), undefined, { ref: false })
    }
    isRunning = false
  }

  return {
    async take({ changes, committedAt, xid, cause: led }) {
      const cause = led === null ? null : { id: led.id, at: committedAt }
      for (const change of changes) {
        if (!isLiveChange(change)) continue
        const audiences = deps.registry.of(change)
        if (audiences.length === 0) continue
        const bytes = sizeOf(change)
        waiting.push({ change, committedAt, xid, cause, bytes, audiences })
        waitingBytes += bytes
      }
      if (!isRunning) void run()
      while (waiting.length > mostWaiting || waitingBytes > mostWaitingBytes)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    },
  }
}

/** The next changes, at least one. */
function takeBatch(waiting: Waiting[]): readonly Waiting[] {
  let count = 0
  let bytes = 0
  for (const change of waiting) {
    if (count > 0 && (count === batchChanges || bytes + change.bytes > batchBytes)) break
    count += 1
    bytes += change.bytes
  }
  return waiting.splice(0, count)
}

const bytesOf = (batch: readonly Waiting[]): number => batch.reduce((sum, { bytes }) => sum + bytes, 0)

/** Finds out who is told of which change, and asks the database for what it alone knows. */
async function prepare(deps: DeliveryDeps, batch: readonly Waiting[]): Promise<readonly ForRole[]> {
  const parts = await fitListeners(deps, batch)
  await Promise.all(
    [...groupBy(parts, ({ change, role }) => `${change.relation.id} ${role}`).values()].map(async (group) => {
      await findReaders(deps, group)
      await askValues(deps, group)
    }),
  )
  return parts
}

/** @returns how long the writes took, in milliseconds */
async function write({ nowMs }: Pick<DeliveryDeps, 'nowMs'>, parts: readonly ForRole[]): Promise<number> {
  const sender = createSender()
  for (const part of parts) sender.add(part)
  const sinceMs = nowMs()
  const written = sender.send()
  const writingMs = nowMs() - sinceMs
  await Promise.all(written.map((connection) => connection.drained()))
  return writingMs
}

/** Asks, in one statement for changes of one table, which callers of a role see which of the rows. */
async function findReaders({ findVisible }: DeliveryDeps, group: readonly ForRole[]): Promise<void> {
  const guarded = group.filter(
    ({ facts, change }) =>
      facts.hasPolicies && change.operation !== 'delete' && facts.columns.some(({ isKey }) => isKey),
  )
  const [first] = guarded
  if (first === undefined) return
  const lists = new Set(guarded.map(({ listeners }) => listeners))
  const claims = [...new Set([...lists].flatMap((listeners) => listeners.map((each) => each.claims)))]
  const rows = guarded.map(({ change, xid }) => ({ key: change.key, xid }))
  const seen = await findVisible(first.facts, first.role, claims, rows)
  guarded.forEach((part, index) => {
    part.visibleTo = new Set(claims.filter((_, place) => seen[place]?.has(index + 1)))
  })
}

/** Asks for the JSON of values whose types the database alone knows. Where it does not answer, they are told as texts. */
async function askValues({ askJson, log }: DeliveryDeps, group: readonly ForRole[]): Promise<void> {
  const [first] = group
  if (first?.facts.columns.some(({ isAsked }) => isAsked) !== true) return
  const shown = group.filter(({ visibleTo }) => visibleTo === null || visibleTo.size > 0)
  const rows = shown.flatMap(({ change }) => [change.new ?? {}, change.old ?? {}])
  const asked = await askJson(first.facts, first.role, rows).catch((error: unknown) => {
    log.warn({ err: error, table: first.facts.name }, 'realtime: values are told as texts')
    return new Map<string, string>()
  })
  for (const part of shown) part.asked = asked
}
