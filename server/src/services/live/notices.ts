import type { Bus } from '../../engines/bus/index.ts'
import { type LiveName, type LiveNotices, type LiveTopic, liveNameOf, parseLiveTopic } from '../../ground/model/live.ts'
import { createRemoteInterest } from './remote-interest.ts'
import { createThrottle } from './throttle.ts'

/** The dependencies of `createNotices`. */
export interface NoticesDeps {
  readonly bus: Bus
  readonly noticesPerSecond: number
  readonly nodeSeconds: number
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number
}

/** Notices between what stores things and who watches them, in this process and in others. */
export interface Notices extends LiveNotices {
  /** @returns what ends it */
  watch(topic: LiveTopic, listener: () => void): () => void
  /** Topics that are watched in this process. */
  count(): number
  close(): void
}

const subject = 'live.notices'

/** A topic's notices that come close together are one, in the process that announces and in the one that watches. */
export function createNotices({ bus, noticesPerSecond, nodeSeconds, nowMs }: NoticesDeps): Notices {
  const everyMs = 1000 / noticesPerSecond
  const listeners = new Map<LiveTopic, Set<() => void>>()
  const names = new Map<LiveName, number>()
  const remote = createRemoteInterest({ bus, nodeSeconds, nowMs, watched: () => listeners.keys() })
  const deliver = createThrottle<LiveTopic>(everyMs, (topic) => {
    for (const listener of listeners.get(topic) ?? []) listener()
  })
  const publish = createThrottle<LiveTopic>(everyMs, (topic) => bus.publish(subject, () => Buffer.from(topic)))
  const stops = [
    bus.subscribe(subject, ({ bytes }) => {
      const topic = parseLiveTopic(bytes.toString())
      if (topic !== null && listeners.has(topic)) deliver.call(topic)
    }),
    // What was missed may be of anything.
    bus.onMissed(() => {
      for (const topic of listeners.keys()) deliver.call(topic)
    }),
  ]
  const count = (topic: LiveTopic, by: 1 | -1): void => {
    const name = liveNameOf(topic)
    names.set(name, (names.get(name) ?? 0) + by)
    remote.changed()
  }

  return {
    announce(topic) {
      if (listeners.has(topic)) deliver.call(topic)
      if (remote.has(topic)) publish.call(topic)
    },
    isWatched: (name) => (names.get(name) ?? 0) > 0 || remote.hasName(name),
    watch(topic, listener) {
      const known = listeners.get(topic)
      const all = known ?? new Set<() => void>()
      // A listener that is added twice is two.
      const own = (): void => listener()
      all.add(own)
      listeners.set(topic, all)
      if (known === undefined) count(topic, 1)
      return () => {
        if (!all.delete(own) || all.size > 0) return
        listeners.delete(topic)
        count(topic, -1)
      }
    },
    count: () => listeners.size,
    close() {
      for (const stop of stops) stop()
      remote.close()
      deliver.close()
      publish.close()
    },
  }
}
