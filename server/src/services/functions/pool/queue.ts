import { functionsError } from '../errors.ts'

/** Who waits. The signal, which says that it left, is read only where there is something to wait for. */
export interface Caller {
  readonly signal: AbortSignal
}

/** Calls that wait for a process. */
export interface Queue {
  /**
   * Resolves with what `look` finds, as soon as it finds something.
   *
   * @throws WORKER_LIMIT where that takes too long; what `look` throws; the reason of the caller's signal
   */
  until<Found>(look: () => Found | null, caller: Caller): Promise<Found>
  /** Lets those that wait look again. */
  wake(): void
}

/** @param longestMs how long a call waits */
export function createQueue(longestMs: number): Queue {
  const waiting = new Set<() => void>()
  const wait = <Found>(look: () => Found | null, signal: AbortSignal): Promise<Found> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(limit)
        waiting.delete(again)
        signal.removeEventListener('abort', gone)
      }
      const again = (): void => {
        try {
          const found = look()
          if (found === null) return
          settle()
          resolve(found)
        } catch (error) {
          // What refuses this call is nothing to those that wait beside it.
          settle()
          reject(error)
        }
      }
      const gone = (): void => {
        settle()
        reject(signal.reason)
      }
      const limit = setTimeout(() => {
        settle()
        reject(functionsError('WORKER_LIMIT', { details: 'No process was free in time.' }))
      }, longestMs)
      waiting.add(again)
      signal.addEventListener('abort', gone)
      if (signal.aborted) gone()
    })
  return {
    async until(look, caller) {
      const found = look()
      return found ?? wait(look, caller.signal)
    },
    wake() {
      if (waiting.size > 0) for (const again of [...waiting]) again()
    },
  }
}
