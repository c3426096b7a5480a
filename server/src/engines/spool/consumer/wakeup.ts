/** A pause that new work ends early. */
export interface Wakeup {
  /** Ends the pause that is running, if there is one. */
  wake(): void
  /** Resolves after `ms` milliseconds, with `null` never by itself; at once when `wake` is called or the signal is aborted. */
  pause(ms: number | null): Promise<void>
}

/** One pause at a time: a new one takes the place of the last. */
export function createWakeup(signal: AbortSignal): Wakeup {
  let wake = (): void => undefined
  return {
    wake: () => wake(),
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = ms === null ? null : setTimeout(resolve, ms)
        wake = () => {
          if (timer !== null) clearTimeout(timer)
          resolve()
        }
        if (signal.aborted) wake()
      }),
  }
}
