/** A call that is made again and again. */
export interface Repeated {
  /** Makes the first call now, and the next ones as often as said. */
  start(): void
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
  const next = (): void => {
    running ??= call().finally(() => {
      running = null
    })
  }
  return {
    start() {
      next()
      timer ??= setInterval(next, everyMs).unref()
    },
    async close() {
      if (timer !== null) clearInterval(timer)
      await running
    },
  }
}
