/** What a notification asks to read anew: the schema cache, or the settings and then the schema cache. */
export type ReloadScope = 'schema' | 'config'

/** The scope that a notification's payload names; null for one that concerns other listeners (rest §18). */
export function parseNotification(payload: string): ReloadScope | null {
  if (payload === 'reload schema') return 'schema'
  return payload === '' || payload === 'reload config' ? 'config' : null
}

/** Turns many notifications into few reloads. */
export interface Debounce {
  notified(scope: ReloadScope): void
  stop(): void
}

/**
 * Reloads at once, and again when a series of notifications has ended: its last change may have come too late for the
 * first reload. The second reload has the widest scope of the series.
 *
 * @param quietMs a series has ended after this time without a notification
 */
export function createDebounce(reload: (scope: ReloadScope) => void, quietMs: number): Debounce {
  let timer: NodeJS.Timeout | null = null
  let widest: ReloadScope = 'schema'
  return {
    notified(scope) {
      if (timer === null) reload(scope)
      else clearTimeout(timer)
      if (scope === 'config') widest = scope
      timer = setTimeout(() => {
        timer = null
        reload(widest)
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
