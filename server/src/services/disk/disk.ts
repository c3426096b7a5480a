import { createLeasedWork, type Sql } from '../../engines/postgres/index.ts'
import type { DiskSpace } from '../../ground/model/health.ts'
import { repeatedly } from '../../ground/retry/repeatedly.ts'
import { forecastFull } from './forecast.ts'
import { type DiskKind, isKept, type Limits } from './kinds.ts'
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
export interface DiskDeps extends MeasureDeps, Pick<ReclaimDeps, 'now' | 'clickhouse'> {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: MeasureDeps['clickhouse'] & ReclaimDeps['clickhouse']
  readonly limits: Limits
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
  /** Has the clean-up of today done now, also once more. */
  runNow(): Promise<void>
  /** Keeps what all kinds take at this hour, unless that is known. */
  sample(): Promise<void>
  start(): void
  close(): Promise<void>
}

const dayMs = 24 * 60 * 60_000
const samplingMs = 60_000
/** No step of a healthy engine takes longer: another process takes the clean-up up then. */
const leaseMs = 60 * 60_000
const growthDays = 14
const rememberedDays = 90

/** Opens the room; its tables must have been migrated. */
export function createDisk(deps: DiskDeps): Disk {
  const { sql, limits, space, reserveBytes, now, log, changed } = deps
  const { kinds, isHere, ...measure } = createMeasure(deps)
  const daysAgo = (days: number): Date => new Date(now().getTime() - days * dayMs)

  const work = createLeasedWork<RunRow>({
    lease: async () => (await sql.query<RunRow>(leaseRunStatement(leaseMs))).rows[0],
    async work({ id }, signal) {
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
      for (const statement of forgetStatements(daysAgo(rememberedDays))) await sql.query(statement)
      await sql.query(runDoneStatement(id))
      changed()
    },
    failed: async (id, message) => sql.query(runFailedStatement(id, message)).finally(changed),
    failure: 'disk: space could not be freed yet',
    log,
  })

  async function sample(): Promise<void> {
    if ((await sql.query(anySampleStatement(now()))).rows.length > 0) return
    await sql.query(insertSamplesStatement(now(), await measure.sizes()))
  }
  const sampling = repeatedly(
    () => sample().catch((error: unknown) => log.warn({ err: error }, 'disk: what is kept could not be measured')),
    samplingMs,
  )

  return {
    async state() {
      const [sizes, growth, run] = await Promise.all([
        measure.sizes(),
        sql.query<GrowthRow>(growthStatement(daysAgo(growthDays))),
        sql.query<RunRow>(latestRunStatement()),
      ])
      const states = describeKinds(kinds, sizes, growth.rows, limits).map((kind) => ({
        ...kind,
        isHere: isHere(kind.kind),
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
      work.wake()
    },
    sample,
    start() {
      sampling.start()
      work.start()
    },
    async close() {
      await sampling.close()
      await work.close()
    },
  }
}

const describeKinds = (
  kinds: readonly DiskKind[],
  sizes: Sizes,
  growth: readonly GrowthRow[],
  limits: Limits,
): readonly Omit<KindState, 'isHere'>[] =>
  kinds.map((kind) => ({
    kind,
    bytes: sizes.get(kind) ?? null,
    growthBytesPerDay: growth.find((row) => row.kind === kind)?.bytesPerDay ?? null,
    ...(isKept(kind) ? limits[kind] : { budgetBytes: null, days: null }),
  }))

const asGrowing = ({ bytes, growthBytesPerDay, budgetBytes }: KindState) => ({
  ...{ bytes: bytes ?? 0, growthBytesPerDay: growthBytesPerDay ?? 0, budgetBytes },
})
