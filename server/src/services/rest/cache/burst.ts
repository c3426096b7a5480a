/** What is to be read anew: the schema, or the settings too. */
export type Why = 'schema' | 'config'

/** Makes few acts of many notifications. */
export interface Burst {
  notified(why: Why): void
  stop(): void
}

/**
 * Acts at once, and once more when a burst has ended, since the last change of it may have come too late for the first.
 *
 * @param quietMs without a notification for so long, a burst has ended
 */
export function createBurst(act: (why: Why) => void, quietMs: number): Burst {
  let timer: NodeJS.Timeout | null = null
  let widest: Why = 'schema'
  return {
    notified(why) {
      if (timer === null) act(why)
      else clearTimeout(timer)
      if (why === 'config') widest = why
      timer = setTimeout(() => {
        timer = null
        act(widest)
        widest = 'schema'
      }, quietMs)
      timer.unref()
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
