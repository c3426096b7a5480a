import type { Bus } from '../../engines/bus/index.ts'
import { type LiveName, type LiveTopic, liveNameOf, parseLiveTopic } from '../../ground/model/live.ts'

/** The dependencies of `createRemoteInterest`. */
export interface RemoteInterestDeps {
  readonly bus: Bus
  /** After so long without a word of a node, it watches nothing. */
  readonly nodeSeconds: number
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number
  /** What this node watches. */
  readonly watched: () => Iterable<LiveTopic>
}

/** What other nodes watch: only that is announced to them. */
export interface RemoteInterest {
  has(topic: LiveTopic): boolean
  hasName(name: LiveName): boolean
  /** Tells the others what this node watches now. */
  changed(): void
  close(): void
}

const subject = 'live.watched'
const beatsWithin = 4
/** Changes of what is watched, as of a tab that goes from screen to screen, are told together. */
const gatherMs = 20

interface Watched {
  readonly topics: ReadonlySet<LiveTopic>
  readonly names: ReadonlySet<LiveName>
  readonly heardAtMs: number
}

/** What a node says: all that it watches, or that it wants to know what the others do. */
type Said = { readonly topics: readonly string[] } | { readonly isAsking: true }

/** Nodes that watch anything say so again and again: one that is silent is forgotten. */
export function createRemoteInterest({ bus, nodeSeconds, nowMs, watched }: RemoteInterestDeps): RemoteInterest {
  const nodes = new Map<string, Watched>()
  let gathering: NodeJS.Timeout | null = null
  const say = (said: Said): void => bus.publish(subject, () => Buffer.from(JSON.stringify(said)))
  const tell = (): void => {
    gathering = null
    say({ topics: [...watched()] })
  }
  const hear = (node: string, said: Said): void => {
    if ('isAsking' in said) {
      tell()
      return
    }
    const topics = new Set(said.topics.flatMap((text) => parseLiveTopic(text) ?? []))
    if (topics.size === 0) nodes.delete(node)
    else nodes.set(node, { topics, names: new Set([...topics].map(liveNameOf)), heardAtMs: nowMs() })
  }
  const stops = [
    bus.subscribe(subject, ({ from, bytes }) => hear(from, JSON.parse(bytes.toString()) as Said)),
    bus.onMissed(() => {
      say({ isAsking: true })
      tell()
    }),
  ]
  const beat = setInterval(
    () => {
      if (!isEmpty(watched())) tell()
      const longAgo = nowMs() - nodeSeconds * 1000
      for (const [node, { heardAtMs }] of nodes) if (heardAtMs < longAgo) nodes.delete(node)
    },
    (nodeSeconds * 1000) / beatsWithin,
  ).unref()
  say({ isAsking: true })
  return {
    has: (topic) => some(nodes, ({ topics }) => topics.has(topic)),
    hasName: (name) => some(nodes, ({ names }) => names.has(name)),
    changed() {
      gathering ??= setTimeout(tell, gatherMs).unref()
    },
    close() {
      clearInterval(beat)
      if (gathering !== null) clearTimeout(gathering)
      say({ topics: [] })
      for (const stop of stops) stop()
    },
  }
}

function some(nodes: ReadonlyMap<string, Watched>, fits: (watched: Watched) => boolean): boolean {
  for (const watched of nodes.values()) if (fits(watched)) return true
  return false
}

const isEmpty = (topics: Iterable<LiveTopic>): boolean => topics[Symbol.iterator]().next().done === true
