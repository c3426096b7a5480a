import { ServiceError } from '../../../ground/errors/service-error.ts'

/** Runs an action once for all simultaneous callers of a key. */
export type SingleFlight<T> = (key: string, work: () => Promise<T>) => Promise<T>

/**
 * A single flight: a call that arrives while another one with its key is in progress gets that one's answer or error.
 * Where the other one failed for a reason of its own, its client having left, the action runs again.
 */
export function createSingleFlight<T>(): SingleFlight<T> {
  const inFlight = new Map<string, Promise<T>>()

  const lead = (key: string, work: () => Promise<T>): Promise<T> => {
    const leading = work().finally(() => {
      if (inFlight.get(key) === leading) inFlight.delete(key)
    })
    inFlight.set(key, leading)
    return leading
  }

  return async (key, work) => {
    const leading = inFlight.get(key)
    if (leading === undefined) return lead(key, work)
    try {
      return await leading
    } catch (error) {
      if (error instanceof ServiceError) throw error
      return work()
    }
  }
}
