import type { Sql } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import type { DiskSpace, EngineHealth } from '../../ground/model/health.ts'
import { repeatedly } from '../../ground/retry/repeatedly.ts'
import { createBudgets, type WatchedBudget } from './budgets.ts'
import { forecastFull, type Growing } from './forecast.ts'
import { type DiskKind, isKept, isWatched, type Limits, type WatchedBudgets } from './kinds.ts'
import { createMeasure, type MeasureDeps, type Sizes } from './measure.ts'
import { type ReclaimDeps, reclaim } from './reclaim/reclaim.ts'
import {
  anySampleStatement,
  askRunStatement,
  doingStatement,
  forgetStatements,
  freedStatement,
  type GrowthRow,
  growthStatement,
  insertSamplesStatement,
  latestRunStatement,
  leaseRunStatement,
  type RunRow,
  runDoneStatement,
  runFailedStatement,
} from './store/postgres.ts'

/** What is measured, and what holds it within its limits. */
export interface DiskDeps extends MeasureDeps, Pick<ReclaimDeps, 'now' | 'clickhouse' | 'keptLonger'> {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: MeasureDeps['clickhouse'] & ReclaimDeps['clickhouse']
  readonly limits: Limits
  readonly watched: WatchedBudgets
  /** Bytes of files from which on no more are taken; null for none. */
  readonly filesLimitBytes: number | null
  readonly space: DiskSpace
  readonly reserveBytes: number
  /** Called when a clean-up has gone on. */
  readonly changed: () => void
}

/** What one kind of data takes. */
export interface KindState {
  readonly kind: DiskKind
  /** Null where it could not be measured. */
  readonly bytes: number | null
  readonly isHere: boolean
  /** Of the last two weeks; null while no whole day is known. */
  readonly growthBytesPerDay: number | null
  readonly budgetBytes: number | null
  readonly days: number | null
}

/** The disk, what is on it, and what was deleted. */
export interface DiskState {
  readonly freeBytes: number
  readonly totalBytes: number
  readonly reserveBytes: number
  /** Whether events, recordings and files are refused. */
  readonly isShort: boolean
  /** Null where it would take ten years, or nothing is known of the growth yet. */
  readonly fullAt: Date | null
  readonly kinds: readonly KindState[]
  readonly run: RunRow | null
}

/** What is kept, measured and held to its limits. */
export interface Disk {
  state(): Promise<DiskState>
  /** What has a budget that is only watched, with the share of it that is taken, in percent. */
  watched(): Promise<readonly WatchedBudget[]>
  /** Whether there are as many files as there may be, as it was looked at within the last minute. */
  areFilesFull(): boolean
  /** Looks at files and budgets now. */
  lookAtBudgets(): void
  /** Which budgets that are only watched are reached; null where there is none. */
  readonly budgetsHealth: (() => EngineHealth) | null
  /** Has the clean-up of today done now, also once more. */
  runNow(): Promise<void>
  /** Keeps what all kinds take at this hour, unless that is known. */
  sample(): Promise<void>
  start(): void
  close(): Promise<void>
}

const dayMs = 24 * 60 * 60_000
const lookEveryMs = 60_000
/** No step of a healthy engine takes longer: another process takes the clean-up up then. */
const leaseMs = 60 * 60_000
const growthDays = 14
const rememberedDays = 90

/** Opens the room; its tables must have been migrated. */
export function createDisk(deps: DiskDeps): Disk {
  const { sql, space, reserveBytes, now, log } = deps
  const { kinds, isHere, daysOf, ...measure } = createMeasure(deps)
  const budgets = createBudgets({ ...deps, files: deps.others.files, sizes: measure.sizes })

  const closing = new AbortController()
  const cleanUp = createCleanUp(deps, closing.signal)
  const cleaning = repeatedly(
    () => cleanUp().catch((error: unknown) => log.warn({ err: error }, 'disk: space could not be freed yet')),
    lookEveryMs,
  )

  async function sample(): Promise<void> {
    if ((await sql.query(anySampleStatement(now()))).rows.length > 0) return
    await sql.query(insertSamplesStatement(now(), await measure.sizes()))
  }
  const sampling = repeatedly(
    () => sample().catch((error: unknown) => log.warn({ err: error }, 'disk: what is kept could not be measured')),
    lookEveryMs,
  )

  return {
    watched: budgets.read,
    areFilesFull: budgets.areFilesFull,
    lookAtBudgets: budgets.look,
    budgetsHealth: budgets.health,
    async state() {
      const [sizes, growth, run] = await Promise.all([
        measure.sizes(),
        sql.query<GrowthRow>(growthStatement(new Date(now().getTime() - growthDays * dayMs))),
        sql.query<RunRow>(latestRunStatement()),
      ])
      const states = describeKinds(kinds, sizes, growth.rows, deps).map((state) => ({
        ...state,
        days: state.days ?? daysOf(state.kind),
        isHere: isHere(state.kind),
      }))
      const freeBytes = space.freeBytes()
      return {
        ...{ freeBytes, totalBytes: space.totalBytes(), reserveBytes, isShort: space.isShort() },
        fullAt: forecastFull(states.filter(({ isHere: counts }) => counts).map(asGrowing), freeBytes, now()),
        kinds: states,
        run: run.rows[0] ?? null,
      }
    },
    async runNow() {
      await sql.query(askRunStatement())
      cleaning.now()
    },
    sample,
    start() {
      sampling.start()
      budgets.start()
      cleaning.start()
    },
    async close() {
      closing.abort()
      await sampling.close()
      await budgets.close()
      await cleaning.close()
    },
  }
}

/** Does the clean-up of today, unless it is done or another process does it. */
function createCleanUp(deps: DiskDeps, signal: AbortSignal): () => Promise<void> {
  const { sql, now, log, changed } = deps
  const perform = async ({ id }: RunRow): Promise<void> => {
    await reclaim(deps, {
      signal,
      async begins(what) {
        await sql.query(doingStatement(id, what, leaseMs))
        changed()
      },
      async freed(freed) {
        await sql.query(freedStatement(id, freed))
        log.info({ ...freed }, 'disk: space was freed')
      },
    })
    const before = new Date(now().getTime() - rememberedDays * dayMs)
    for (const statement of forgetStatements(before)) await sql.query(statement)
    await sql.query(runDoneStatement(id))
  }
  return async () => {
    const [run] = (await sql.query<RunRow>(leaseRunStatement(leaseMs))).rows
    if (run === undefined) return
    try {
      await perform(run)
    } catch (error) {
      if (signal.aborted) return
      log.warn({ err: error }, 'disk: a clean-up failed, and is tried again')
      await sql.query(runFailedStatement(run.id, messageOf(error)))
    }
    changed()
  }
}

const describeKinds = (
  kinds: readonly DiskKind[],
  sizes: Sizes,
  growth: readonly GrowthRow[],
  { limits, watched }: Pick<DiskDeps, 'limits' | 'watched'>,
): readonly Omit<KindState, 'isHere'>[] =>
  kinds.map((kind) => ({
    kind,
    bytes: sizes.get(kind) ?? null,
    growthBytesPerDay: growth.find((row) => row.kind === kind)?.bytesPerDay ?? null,
    ...(isKept(kind) ? limits[kind] : { budgetBytes: isWatched(kind) ? watched[kind] : null, days: null }),
  }))

const asGrowing = ({ kind, bytes, growthBytesPerDay, budgetBytes, days }: KindState): Growing => {
  const now = { bytes: bytes ?? 0, growthBytesPerDay: growthBytesPerDay ?? 0 }
  // They go after their days: an upgrade is no growth for good.
  if (kind === 'restore points') return { ...now, budgetBytes: now.bytes + now.growthBytesPerDay * (days ?? 0) }
  // What is only watched outgrows its budget; backups are held to theirs in their own room.
  return { ...now, budgetBytes: isKept(kind) || kind === 'backups' ? budgetBytes : null }
}
