import { authError } from './errors.ts'

/** How many calls of one kind an address may make. */
export interface Bucket {
  readonly burst: number
  readonly refillPerSecond: number
}

/** Counts a call of `address`; a token bucket an address and kind (contract §24). */
export type RateLimit = (kind: string, bucket: Bucket, address: string) => void

const maxBuckets = 50_000

/**
 * Makes the counter; what it remembers is bounded.
 *
 * @throws over_request_rate_limit (from the counter) when the bucket is empty
 */
export function createRateLimit(now: () => Date): RateLimit {
  const levels = new Map<string, { tokens: number; at: number }>()
  return (kind, { burst, refillPerSecond }, address) => {
    const key = `${kind} ${address}`
    const at = now().getTime()
    const known = levels.get(key)
    const refilled =
      known === undefined ? burst : Math.min(burst, known.tokens + ((at - known.at) / 1000) * refillPerSecond)
    levels.delete(key)
    levels.set(key, { tokens: Math.max(0, refilled - 1), at })
    if (levels.size > maxBuckets) {
      const oldest = levels.keys().next()
      if (!oldest.done) levels.delete(oldest.value)
    }
    if (refilled < 1) {
      const waitSeconds = Math.ceil((1 - refilled) / refillPerSecond)
      throw authError('over_request_rate_limit', { headers: { 'retry-after': String(waitSeconds) } })
    }
  }
}
