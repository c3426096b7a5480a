import { deserialize, serialize } from 'node:v8'
import type { Bus } from '../engines/bus/index.ts'
import { messageOf } from '../ground/errors/message.ts'
import type { ChangeTransaction } from '../ground/model/change.ts'
import { createInterest } from './interest.ts'
import { createPosition } from './position.ts'
import { createWaiting } from './waiting.ts'

type Reader = (transaction: ChangeTransaction) => Promise<void>

/** The dependencies of `shareChanges`. */
export interface SharedChangesDeps {
  readonly bus: Bus
  /** The change stream of this process; it brings transactions while this one holds the slot. */
  readonly subscribe: (reader: Reader) => () => void
  /** After so long without a word of a node, the stream waits for it no longer. */
  readonly nodeSeconds: number
  readonly log: (line: string) => void
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number
}

/** The change stream for readers of all nodes, whichever of them holds the slot. */
export interface SharedChanges {
  /**
   * Gives each transaction to a reader, in commit order, and once: also when another node takes the slot over and reads
   * from its last place. The stream waits for readers of all nodes.
   */
  subscribe(reader: Reader): () => void
  /** Calls back when readers of this node may have missed row changes, as the bus was out of reach. @returns what ends that */
  onMissed(listener: () => void): () => void
  close(): Promise<void>
}

/** A transaction for other nodes, under a number of the node that reads it. */
interface SharedTransaction {
  readonly number: number
  readonly transaction: ChangeTransaction
}

interface Settlement {
  readonly number: number
  readonly failure: string | null
}

const transactionsSubject = 'changes.transactions'
const settledSubject = (node: string): string => `changes.settled.${node}`

/** Joins the change streams of the nodes of one database: the one that holds the slot reads for all. */
export function shareChanges({ bus, subscribe, ...deps }: SharedChangesDeps): SharedChanges {
  const readers = new Set<Reader>()
  const wants = (): boolean => readers.size > 0
  const take = createTurns(readers)
  const waiting = createWaiting()
  const missed = new Set<() => void>()
  let unsubscribe: (() => void) | null = null
  let number = 0

  const forward = (transaction: ChangeTransaction): Promise<void> => {
    const nodes = interest.nodes()
    interest.handedOn()
    if (nodes.length === 0) return Promise.resolve()
    number += 1
    const bytes = serialize({ number, transaction } satisfies SharedTransaction)
    return waiting.forAll(number, nodes, () => bus.publish(transactionsSubject, () => bytes))
  }
  const read: Reader = async (transaction) => {
    await Promise.all([take(transaction), forward(transaction)])
  }
  /** While no node has readers, the stream need not come to this thread. */
  const follow = (): void => {
    if (wants() || interest.nodes().length > 0) unsubscribe ??= subscribe(read)
    else {
      unsubscribe?.()
      unsubscribe = null
    }
  }
  const gone = (node: string): void => {
    waiting.gone(node)
    follow()
  }
  const tellMissed = (): void => {
    for (const listener of missed) listener()
  }
  const interest = createInterest({ ...deps, bus, wants, came: follow, gone, missed: tellMissed })
  const stops = [
    bus.subscribe(settledSubject(bus.node), ({ from, bytes }) => {
      const settlement = JSON.parse(bytes.toString()) as Settlement
      waiting.settled(settlement.number, from, settlement.failure)
    }),
    listenToOthers({ bus, wants, take }),
  ]

  return {
    subscribe(reader) {
      readers.add(reader)
      if (readers.size === 1) interest.say('wants')
      follow()
      return () => {
        readers.delete(reader)
        if (readers.size === 0) interest.say('leaves')
        follow()
      }
    },
    onMissed(listener) {
      missed.add(listener)
      return () => missed.delete(listener)
    },
    async close() {
      interest.close()
      for (const stop of stops) stop()
      unsubscribe?.()
      waiting.close()
    },
  }
}

/** Gives transactions of the own stream and of other nodes to the readers, one after another and each once. */
function createTurns(readers: ReadonlySet<Reader>): Reader {
  const position = createPosition()
  let turn: Promise<unknown> = Promise.resolve()
  return (transaction) => {
    const taken = turn.then(async () => {
      if (position.isPast(transaction)) return
      await Promise.all([...readers].map(async (reader) => reader(transaction)))
      position.advance(transaction)
    })
    turn = taken.catch(() => undefined)
    return taken
  }
}

interface OthersDeps {
  readonly bus: Bus
  readonly wants: () => boolean
  readonly take: Reader
}

/** Takes transactions that other nodes read, and tells them how that went. */
function listenToOthers({ bus, wants, take }: OthersDeps): () => void {
  /** What is being taken: a copy of it, sent again meanwhile, is left aside. */
  const begun = new Set<string>()
  return bus.subscribe(transactionsSubject, ({ from, bytes }) => {
    if (!wants()) return
    const { number, transaction } = deserialize(bytes) as SharedTransaction
    const key = `${from} ${number}`
    if (begun.has(key)) return
    begun.add(key)
    const settle = (failure: string | null): void => {
      begun.delete(key)
      bus.publish(settledSubject(from), () => Buffer.from(JSON.stringify({ number, failure } satisfies Settlement)))
    }
    take(transaction).then(
      () => settle(null),
      (error: unknown) => settle(messageOf(error)),
    )
  })
}
