import { setTimeout as delay } from 'node:timers/promises'

/** Waits so that no more than so many bytes a second pass; null for no limit. */
export function createPace(mibPerSecond: number | null, nowMs: () => number): (bytes: number) => Promise<void> {
  if (mibPerSecond === null) return async () => undefined
  const bytesPerMs = (mibPerSecond * 1024 * 1024) / 1000
  let freeAtMs = nowMs()
  return async (bytes) => {
    const waitMs = freeAtMs - nowMs()
    freeAtMs = Math.max(freeAtMs, nowMs()) + bytes / bytesPerMs
    if (waitMs > 0) await delay(waitMs)
  }
}
