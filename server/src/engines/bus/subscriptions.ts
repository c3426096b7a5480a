import { setImmediate, setTimeout } from 'node:timers/promises'
import { type BusMessage, requireSubject } from './bus.ts'

type Handler = (message: BusMessage) => void

/** What one node has subscribed to, and what a subject's first and last handler set off. */
export interface Subscriptions {
  add(subject: string, handle: Handler): () => void
  deliver(subject: string, message: BusMessage): void
  subjects(): readonly string[]
}

/** A handler that throws ends neither the others nor the connection. */
export function createSubscriptions({
  opened,
  closed,
  failed,
}: {
  readonly opened: (subject: string) => void
  readonly closed: (subject: string) => void
  readonly failed: (error: unknown) => void
}): Subscriptions {
  const handlers = new Map<string, Set<Handler>>()
  return {
    add(subject, handle) {
      const known = handlers.get(requireSubject(subject))
      const all = known ?? new Set<Handler>()
      // A handler that is added twice is two.
      const own: Handler = (message) => handle(message)
      all.add(own)
      handlers.set(subject, all)
      if (known === undefined) opened(subject)
      return () => {
        if (!all.delete(own) || all.size > 0) return
        handlers.delete(subject)
        closed(subject)
      }
    },
    deliver(subject, message) {
      for (const handle of handlers.get(subject) ?? []) {
        try {
          handle(message)
        } catch (error) {
          failed(error)
        }
      }
    },
    subjects: () => [...handlers.keys()],
  }
}

const limitMs = 1000

/**
 * Asks a broker whether it has handled what came before, once for all that ask within a turn of the event loop, and resolves
 * when it has, or a second is over: it may hang.
 */
export function createAcknowledged(ask: () => Promise<void>): () => Promise<void> {
  let next: Promise<void> | null = null
  const begin = async (): Promise<void> => {
    await setImmediate()
    next = null
    const limit = new AbortController()
    const over = setTimeout(limitMs, undefined, { signal: limit.signal, ref: false }).catch(() => undefined)
    await Promise.race([ask(), over])
    limit.abort()
  }
  return () => {
    next ??= begin()
    return next
  }
}

/** Listeners that are called together. */
export function createListeners<Value>(): {
  add(listener: (value: Value) => void): () => void
  call(value: Value): void
} {
  const listeners = new Set<(value: Value) => void>()
  return {
    add(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    call(value) {
      for (const listener of listeners) listener(value)
    },
  }
}
