/** How often something may be done: `burst` at once, then one every `1 / refillPerSecond` seconds. */
export interface Bucket {
  readonly burst: number
  readonly refillPerSecond: number
}

/** Takes one from the bucket of `key`; answers null when there was one, else the whole seconds until there is. */
export type TakeToken = (key: string, bucket: Bucket) => number | null

const maxBuckets = 50_000

/** Makes a set of token buckets, one a key; what it remembers is bounded, the least recently used goes first. */
export function createTokenBuckets(now: () => Date): TakeToken {
  const levels = new Map<string, { readonly tokens: number; readonly at: number }>()
  return (key, { burst, refillPerSecond }) => {
    const at = now().getTime()
    const known = levels.get(key)
    const tokens =
      known === undefined ? burst : Math.min(burst, known.tokens + ((at - known.at) / 1000) * refillPerSecond)
    levels.delete(key)
    levels.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at })
    if (levels.size > maxBuckets) {
      const oldest = levels.keys().next()
      if (!oldest.done) levels.delete(oldest.value)
    }
    return tokens < 1 ? Math.ceil((1 - tokens) / refillPerSecond) : null
  }
}
