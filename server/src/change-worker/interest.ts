import { type Bus, onEnded } from '../engines/bus/index.ts'

/** What a node says of its readers; `who` asks the others, as a node does that has just begun. */
type Said = 'wants' | 'leaves' | 'who'

/** The dependencies of `createInterest`. */
export interface InterestDeps {
  readonly bus: Bus
  readonly nodeSeconds: number
  readonly nowMs: () => number
  readonly log: (line: string) => void
  /** Whether this node has readers. */
  readonly wants: () => boolean
  /** Called when a node has readers. */
  readonly came: () => void
  /** Called when a node has no more readers, or is gone. */
  readonly gone: (node: string) => void
  /** Called when the readers of this node may not have had all row changes. */
  readonly missed: () => void
}

/** Which other nodes have readers of row changes. */
export interface Interest {
  nodes(): readonly string[]
  /** To be called when row changes are handed on: silent nodes, which are not waited for, have missed them. */
  handedOn(): void
  /** Tells the others that this node has its first reader, or none any more. */
  say(said: 'wants' | 'leaves'): void
  close(): void
}

const subject = 'changes.interest'
const missedSubject = (node: string): string => `changes.missed.${node}`
const beatsWithin = 4

/** Nodes say again and again that they have readers: one that is silent for `nodeSeconds` is gone. */
export function createInterest(deps: InterestDeps): Interest {
  const { bus, nodeSeconds, nowMs, log, wants, came, gone, missed } = deps
  const heardAtMs = new Map<string, number>()
  /** Nodes that fell silent, and whether row changes were handed on without them. */
  const silent = new Map<string, boolean>()
  const say = (said: Said): void => bus.publish(subject, () => Buffer.from(said))
  const forget = (node: string): void => {
    if (heardAtMs.delete(node)) gone(node)
  }
  const hear = (node: string, said: Said): void => {
    if (said === 'leaves') forget(node)
    else if (said === 'who') {
      if (wants()) say('wants')
    } else {
      heardAtMs.set(node, nowMs())
      if (silent.get(node) === true) bus.publish(missedSubject(node), () => Buffer.alloc(0))
      silent.delete(node)
      came()
    }
  }
  const ended = (node: string): void => {
    silent.delete(node)
    forget(node)
  }
  const stops = [
    bus.subscribe(subject, ({ from, bytes }) => hear(from, bytes.toString() as Said)),
    bus.subscribe(missedSubject(bus.node), missed),
    onEnded(bus, ended),
    bus.onMissed((outMs) => {
      say('who')
      if (wants()) say('wants')
      // The node that waited for this one may be gone as well, and then none tells it.
      if (outMs >= nodeSeconds * 1000) missed()
    }),
  ]
  const beat = setInterval(
    () => {
      if (wants()) say('wants')
      const longAgo = nowMs() - nodeSeconds * 1000
      for (const [node, atMs] of heardAtMs) {
        if (atMs >= longAgo) continue
        log(`changes: another process has said nothing for ${nodeSeconds} s; row changes do not wait for it any more`)
        silent.set(node, false)
        forget(node)
      }
    },
    (nodeSeconds * 1000) / beatsWithin,
  ).unref()
  say('who')
  return {
    nodes: () => [...heardAtMs.keys()],
    handedOn() {
      for (const node of silent.keys()) silent.set(node, true)
    },
    say,
    close() {
      clearInterval(beat)
      if (wants()) say('leaves')
      for (const stop of stops) stop()
    },
  }
}
