import type { Sql } from '../../engines/postgres/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import { instanceError } from '../errors.ts'
import { readSample, type SampleFile } from './file.ts'
import { restoreRows } from './restore.ts'
import { planTimeline, retime, type Timeline } from './retime.ts'

/** Stores a room's rows, a JSON object each. The same rows may come again, under the same token: they are stored once. */
export type RowStore = (rows: readonly string[], token: string) => Promise<void>

export interface SampleDeps {
  /** The recording to begin a new data directory with; null where there is none to begin with. */
  readonly file: string | null
  readonly admin: Sql
  /** The role that owns the tables of `auth`. */
  readonly auth: Sql
  /** The role that owns the application's tables. */
  readonly owner: Sql
  /** Tables of PostgreSQL that belong to rooms and that a sample may fill, `schema.table`. */
  readonly roomTables: readonly string[]
  /** Schemas of the application, whose tables it may fill as their owner. */
  readonly schemas: readonly string[]
  readonly now: () => Date
}

/** What was loaded, for the report. */
export interface LoadedSample {
  readonly sessions: number
}

/** A recording of visits that a new data directory begins with, shown as if they had been yesterday. */
export interface Sample {
  /** Before the project's first migration: notes that a database which has no history yet begins with the sample. */
  expect(): Promise<void>
  /**
   * Before row changes are read, after the migrations and the seed: puts in the rows of PostgreSQL, once.
   *
   * @returns when the day of the sample ends, before which nothing is this instance's own; null without one
   * @throws CLEW_START_PROJECT where the file cannot be read or does not fit
   */
  begin(): Promise<Date | null>
  /** Stores all other rows unless they are stored; what a killed process left unfinished is finished. */
  load(stores: Readonly<Record<string, RowStore>>): Promise<LoadedSample | null>
  /** Waits for the rows that are being stored; the rest is for the next start. */
  close(): Promise<void>
}

interface State {
  /** Null while it is only expected. */
  readonly day: Date | null
  readonly loaded_at: Date | null
}

const bytesPerBatch = 1024 * 1024

/** Makes the sample of a data directory. */
export function createSample({ file, admin, auth, owner, roomTables, schemas, now }: SampleDeps): Sample {
  const closing = new AbortController()
  let loading: Promise<unknown> = Promise.resolve()
  let read: Promise<SampleFile> | null = null
  const content = (path: string): Promise<SampleFile> => {
    read ??= readSample(path)
    return read
  }

  async function findState(): Promise<State | null> {
    const { rows } = await admin.query<State>(compile(sql`select day, loaded_at from clew_instance.samples`))
    return rows[0] ?? null
  }

  async function restore(sample: SampleFile, day: Date): Promise<void> {
    const timeline = timelineOf(sample, day)
    const tables = [...sample.tables].filter(([name]) => name.includes('.'))
    const keeperOf = (name: string): Sql => {
      const [schema = ''] = name.split('.')
      if (!roomTables.includes(name) && !schemas.includes(schema)) throw new Error(`a sample may not fill ${name}`)
      return roomTables.includes(name) ? (schema === 'auth' ? auth : admin) : owner
    }
    const keepers = new Map(tables.map(([name]) => [name, keeperOf(name)]))
    // Each table's rows are written by the role that owns it: its defaults and columns may run code of the application.
    // The administrator comes last and notes the day: what was written before is written again where that fails.
    for (const keeper of [owner, auth, admin]) {
      await keeper.transaction(async (tx) => {
        // The rows are as triggers left them: none may act on them again.
        await tx.query(compile(sql`set local session_replication_role = replica`))
        for (const [name, lines] of tables) {
          if (keepers.get(name) !== keeper) continue
          const [schema = '', table = ''] = name.split('.')
          const rows = lines.map((line) => retime(line.toString(), timeline))
          await restoreRows(tx, schema, table, rows)
        }
        if (keeper === admin) await tx.query(compile(sql`update clew_instance.samples set day = ${day}`))
      })
    }
  }

  async function loadRest(stores: Readonly<Record<string, RowStore>>): Promise<LoadedSample | null> {
    const state = await findState()
    if (file === null || state === null || state.day === null || state.loaded_at !== null) return null
    const sample = await content(file)
    const timeline = timelineOf(sample, state.day)
    for (const [table, lines] of sample.tables) {
      if (table.includes('.')) continue
      const store = stores[table]
      if (store === undefined) throw new Error(`${file}: nobody stores rows of ${table}`)
      for (const [index, batch] of batches(lines).entries()) {
        if (closing.signal.aborted) return null
        await store(
          batch.map((line) => retime(line.toString(), timeline)),
          `sample/${table}/${index}`,
        )
      }
    }
    await admin.query(compile(sql`update clew_instance.samples set loaded_at = ${now()}`))
    return { sessions: sample.sessions }
  }

  return {
    async expect() {
      if (file === null) return
      await admin.query(
        compile(sql`
          insert into clew_instance.samples (one)
          select true
          where to_regclass('supabase_migrations.schema_migrations') is null
          on conflict do nothing`),
      )
    },

    async begin() {
      if (file === null) {
        // Whoever begins without it has visits of their own from now on.
        await admin.query(compile(sql`delete from clew_instance.samples where day is null`))
      }
      const state = await findState()
      if (state === null) return null
      if (state.day !== null) return dayAfter(state.day)
      if (file === null) return null
      const sample = await content(file)
      const day = yesterday(now())
      await restore(sample, day).catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw instanceError('CLEW_START_PROJECT', { message: `${file}: ${reason}`, cause })
      })
      return dayAfter(day)
    },

    load(stores) {
      const loaded = loadRest(stores).finally(() => {
        read = null
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

const timelineOf = ({ scenes, until }: SampleFile, day: Date): Timeline => planTimeline(scenes, until, day)

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

/** Rows in batches of some size: a long one would hold up whoever makes a request meanwhile. */
function batches(lines: readonly Buffer[]): readonly (readonly Buffer[])[] {
  const all: Buffer[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const line of lines) {
    if (bytes + line.length > bytesPerBatch) {
      all.push([])
      bytes = 0
    }
    all.at(-1)?.push(line)
    bytes += line.length
  }
  return all
}
