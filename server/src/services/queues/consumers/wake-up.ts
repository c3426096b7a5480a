/** A pause that can be cut short; a call of `now` before it begins ends it at once. */
export interface WakeUp {
  now(): void
  after(ms: number): Promise<void>
}

/** One pause at a time. */
export function createWakeUp(): WakeUp {
  let wake: (() => void) | null = null
  let isWoken = false
  return {
    now() {
      isWoken = true
      wake?.()
    },
    async after(ms) {
      if (!isWoken)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      wake = null
      isWoken = false
    },
  }
}
