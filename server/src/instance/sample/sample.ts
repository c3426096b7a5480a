import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { readSample, type SampleFile } from './file.ts'
import { loadTables, type RowStore } from './load.ts'
import { type RestoreDeps, restoreTables } from './restore.ts'
import { expectSample, findSampleState, forgetExpectedSample, recordSampleLoaded } from './store.ts'

export type { RowStore } from './load.ts'

export interface SampleDeps extends RestoreDeps {
  /** The recording that a new data directory starts with; null for none. */
  readonly file: string | null
  readonly now: () => Date
}

/** The content of a loaded sample. */
export interface LoadedSample {
  readonly sessions: number
}

/** A recording of visits that a new data directory starts with, shown as visits of yesterday. */
export interface Sample {
  /** Called before the project's first migration: a database without migration history starts with the sample. */
  expect(): Promise<void>
  /**
   * Called after the migrations and the seed, before row changes are read: stores the rows of PostgreSQL, once.
   *
   * @returns the end of the sample's day, after which visits are the instance's own; null without a sample
   * @throws CLEW_START_PROJECT where the file cannot be read or does not fit
   */
  restore(): Promise<Date | null>
  /**
   * Stores all other rows, continuing after a killed process.
   *
   * @param origin where the application is reached: its recorded pages ask it for fonts and pictures
   * @returns null when nothing was left to store
   */
  load(stores: Readonly<Record<string, RowStore>>, origin: string): Promise<LoadedSample | null>
  /** Stops loading after the current batch; the next start continues. */
  close(): Promise<void>
}

/** The sample of a data directory. */
export function createSample({ file, now, ...deps }: SampleDeps): Sample {
  const { admin } = deps
  const closing = new AbortController()
  let loading: Promise<unknown> = Promise.resolve()
  let content: Promise<SampleFile> | null = null
  const readContent = (path: string): Promise<SampleFile> => {
    content ??= readSample(path)
    return content
  }

  async function load(stores: Readonly<Record<string, RowStore>>, origin: string): Promise<LoadedSample | null> {
    const state = await findSampleState(admin)
    if (file === null || state === undefined || state.day === null || state.loadedAt !== null) return null
    const sample = await readContent(file)
    if (!(await loadTables(sample, { day: state.day, origin }, stores, closing.signal))) return null
    await recordSampleLoaded(admin, now())
    return { sessions: sample.sessions }
  }

  return {
    async expect() {
      if (file !== null) await expectSample(admin)
    },
    async restore() {
      // An instance that starts without the sample has visits of its own from then on.
      if (file === null) await forgetExpectedSample(admin)
      const state = await findSampleState(admin)
      if (state === undefined) return null
      if (state.day !== null) return dayAfter(state.day)
      if (file === null) return null
      const sample = await readContent(file)
      const day = yesterday(now())
      await restoreTables(deps, sample, day).catch((cause: unknown) => {
        const reason = messageOf(cause)
        throw instanceError('CLEW_START_PROJECT', { message: `${file}: ${reason}`, cause })
      })
      return dayAfter(day)
    },
    load(stores, origin) {
      const loaded = load(stores, origin).finally(() => {
        content = null
      })
      loading = loaded.catch(() => undefined)
      return loaded
    },
    async close() {
      closing.abort()
      await loading
    },
  }
}

/** Midnight, by this machine's clock, at which yesterday began. */
function yesterday(now: Date): Date {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - 1)
  return day
}

function dayAfter(day: Date): Date {
  const next = new Date(day)
  next.setDate(next.getDate() + 1)
  return next
}
