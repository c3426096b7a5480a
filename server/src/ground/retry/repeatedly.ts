/** A call that is made again and again. */
export interface Repeated {
  /** Makes the first call now, and the next ones as often as said. */
  start(): void
  /** Makes a call now, or once the one under way has ended; before `start` and after `close` none. */
  now(): void
  /** Makes no further call, and waits for the one under way. */
  close(): Promise<void>
}

/**
 * Calls every so often; a call that takes longer is not followed by those that it has missed.
 *
 * @param call never rejects
 */
export function repeatedly(call: () => Promise<unknown>, everyMs: number): Repeated {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<unknown> | null = null
  let isAsked = false
  const next = (): void => {
    running ??= call().finally(() => {
      running = null
      if (!isAsked || timer === null) return
      isAsked = false
      next()
    })
  }
  return {
    start() {
      next()
      timer ??= setInterval(next, everyMs).unref()
    },
    now() {
      if (timer === null) return
      isAsked = running !== null
      next()
    },
    async close() {
      if (timer !== null) clearInterval(timer)
      timer = null
      await running
    },
  }
}
