import { LRUCache } from 'lru-cache'

/** A link that a process remembers. */
interface Known<Outcome> {
  readonly outcome: Promise<Outcome>
  /** How many changes of ids were known when it was begun. */
  readonly changes: number
}

/** What linking ids with users came to, until something of the id or the user changes. */
export interface KnownLinks<Outcome> {
  /** The outcome that is known, or on its way; else what `link` comes to, which is remembered if `lasts` says so. */
  find(userId: string, distinctId: string, link: () => Promise<Outcome>): Promise<Outcome>
  /** Forgets the links of ids, of browsers or of users: also those that are on their way, which may not know of the change. */
  forget(ids: readonly string[]): void
  forgetAll(): void
}

/**
 * @param max   links that are remembered
 * @param ttlMs for how long
 * @param lasts whether an outcome is the same for a later call
 */
export function createKnownLinks<Outcome>(
  max: number,
  ttlMs: number,
  lasts: (outcome: Outcome) => boolean,
): KnownLinks<Outcome> {
  let changes = 0
  /** Links from before are not believed. */
  let forgotten = 0
  const links = new LRUCache<string, Known<Outcome>>({ max, ttl: ttlMs })
  const changed = new LRUCache<string, number>({
    max,
    ttl: ttlMs,
    dispose(count, _id, reason) {
      // Of an id that is pushed out it is not known any more when it changed; one whose time is over has no older links.
      if (reason === 'evict') forgotten = Math.max(forgotten, count)
    },
  })
  const isGood = ({ changes: at }: Known<Outcome>, ids: readonly string[]): boolean =>
    at >= forgotten && ids.every((id) => at >= (changed.get(id) ?? 0))

  return {
    find(userId, distinctId, link) {
      const key = `${userId} ${distinctId}`
      const known = links.get(key)
      if (known !== undefined && isGood(known, [userId, distinctId])) return known.outcome
      const fresh: Known<Outcome> = { outcome: link(), changes }
      links.set(key, fresh)
      const drop = (): void => {
        if (links.peek(key) === fresh) links.delete(key)
      }
      fresh.outcome.then((outcome) => {
        if (!lasts(outcome)) drop()
      }, drop)
      return fresh.outcome
    },
    forget(ids) {
      changes += 1
      for (const id of ids) changed.set(id, changes)
    },
    forgetAll() {
      changes += 1
      forgotten = changes
    },
  }
}
