import type { Scene } from './file.ts'

/** The clock of the sample's day, which runs as the recorder's does and is moved on where a visit would only wait. */
export interface DayClock {
  /** When the clock was set, and to what: the first time first. */
  readonly scenes: readonly Scene[]
  /** @param timeOfDay `HH:MM:SS`, not before what the clock says */
  begin(timeOfDay: string): void
  /** Lets so many seconds of the day pass. */
  pass(seconds: number): Promise<void>
}

/** What was done is answered, sent and stored before the clock is moved on. */
const settlingMs = 700

/** A clock that is set first by `begin`. */
export function createDayClock(): DayClock {
  const scenes: Scene[] = []

  /** What the clock says, in seconds since midnight. */
  function secondOfDay(at: number): number {
    const last = scenes.at(-1)
    return last === undefined
      ? 0
      : secondsOf(last.timeOfDay) + Math.floor(at / 1000) - Math.floor(last.recordedAt / 1000)
  }

  return {
    scenes,
    begin(timeOfDay) {
      const recordedAt = Date.now()
      const now = secondOfDay(recordedAt)
      if (secondsOf(timeOfDay) < now) throw new Error(`It is ${timeOf(now)} already, after ${timeOfDay}.`)
      scenes.push({ recordedAt, timeOfDay })
    },
    async pass(seconds) {
      await sleep(settlingMs)
      // A scene begins with a whole second: what was done in this one stays where it is.
      await sleep(1000 - (Date.now() % 1000))
      const recordedAt = Date.now()
      scenes.push({ recordedAt, timeOfDay: timeOf(secondOfDay(recordedAt) + seconds) })
    },
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function secondsOf(timeOfDay: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = timeOfDay.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

const timeOf = (secondOfDay: number): string => new Date(secondOfDay * 1000).toISOString().slice(11, 19)
