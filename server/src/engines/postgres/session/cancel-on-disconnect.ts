import type { RequestWork } from '../../../ground/model/request.ts'

/** A statement that runs for somebody who may go away. */
export interface Watched {
  readonly processId: number
  readonly work: RequestWork
  since: number
  /** Set when the statement was asked to stop. */
  stopped: Promise<void> | null
  unlisten: (() => void) | null
  /** Its place among those that run. */
  place: number
}

/** Stops statements whose client went away. */
export interface Watch {
  begin(processId: number, work: RequestWork): Watched
  /** @returns what must be waited for before the connection is used again; null when nothing was stopped */
  end(watched: Watched): Promise<void> | null
}

/** Only what runs as long is watched: to listen for each short statement would cost as much as to send it. */
const shortMs = 20

/** Makes the watch. @param cancel stops what a connection is running */
export function createWatch(cancel: (processId: number) => Promise<void>): Watch {
  // Not a set: one whose members come and go is made anew again and again, and each new table is reachable from the
  // one before. An old table that lives on, dead, would keep every request after it alive until a full collection.
  const running: Watched[] = []
  let looking: NodeJS.Timeout | null = null

  const listen = (watched: Watched): void => {
    const { signal } = watched.work
    const stop = (): void => {
      watched.stopped = cancel(watched.processId).catch(() => undefined)
    }
    if (signal.aborted) {
      stop()
      return
    }
    signal.addEventListener('abort', stop, { once: true })
    watched.unlisten = () => signal.removeEventListener('abort', stop)
  }

  const look = (): void => {
    const now = performance.now()
    for (const watched of running)
      if (watched.unlisten === null && watched.stopped === null && now - watched.since >= shortMs) listen(watched)
    if (running.length > 0 || looking === null) return
    clearInterval(looking)
    looking = null
  }

  return {
    begin(processId, work) {
      const watched: Watched = {
        processId,
        work,
        since: performance.now(),
        stopped: null,
        unlisten: null,
        place: running.length,
      }
      running.push(watched)
      if (looking === null) {
        looking = setInterval(look, shortMs)
        looking.unref()
      }
      return watched
    },
    end(watched) {
      const last = running.pop()
      if (last !== undefined && last !== watched) {
        last.place = watched.place
        running[last.place] = last
      }
      watched.unlisten?.()
      return watched.stopped
    },
  }
}
