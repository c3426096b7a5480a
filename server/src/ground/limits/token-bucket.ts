import { LRUCache } from 'lru-cache'
import type { Topic } from '../model/topic.ts'

/** How often something may be done: `burst` at once, then one every `1 / refillPerSecond` seconds. */
export interface Bucket {
  readonly burst: number
  readonly refillPerSecond: number
}

/** Takes one from the bucket of `key`; returns null when there was one, else the whole seconds until there is. */
export type TakeToken = (key: string, bucket: Bucket) => number | null

/** A token that was taken: the key, and the bucket's two numbers. */
export type TakenToken = readonly [key: string, burst: number, refillPerSecond: number]

interface Level {
  readonly tokens: number
  readonly at: number
}

/**
 * A set of token buckets, one a key.
 *
 * @param taken   where the processes tell each other what they have taken, so that a bucket is one for all
 * @param maxKeys how many are remembered; the least recently used is forgotten first
 */
export function createTokenBuckets(
  now: () => Date,
  taken: Topic<TakenToken> | null = null,
  maxKeys = 50_000,
): TakeToken {
  // Made by the first that takes: it reserves the memory for all keys.
  let levels: LRUCache<string, Level> | null = null
  const take: TakeToken = (key, { burst, refillPerSecond }) => {
    levels ??= new LRUCache({ max: maxKeys })
    const at = now().getTime()
    const known = levels.get(key)
    const tokens =
      known === undefined ? burst : Math.min(burst, known.tokens + ((at - known.at) / 1000) * refillPerSecond)
    levels.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at })
    return tokens < 1 ? Math.ceil((1 - tokens) / refillPerSecond) : null
  }
  taken?.hear(([key, burst, refillPerSecond]) => void take(key, { burst, refillPerSecond }))
  return (key, bucket) => {
    const waitSeconds = take(key, bucket)
    if (waitSeconds === null) taken?.tell([key, bucket.burst, bucket.refillPerSecond])
    return waitSeconds
  }
}
