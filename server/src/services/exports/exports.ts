import { OutboundRefusal, parseReachable } from '../../engines/outbound/index.ts'
import { type Sql, violates } from '../../engines/postgres/index.ts'
import { changedMeanwhile } from '../../ground/errors/changed-meanwhile.ts'
import type { RootKeyUse } from '../../ground/ids/root-key-use.ts'
import type { ExportsDeps, Location } from './deps.ts'
import { exportsError } from './errors.ts'
import { createRunner, reasonOf } from './runs/runner.ts'
import {
  askStatement,
  countExportsStatement,
  deleteExportStatement,
  type ExportDefinition,
  type ExportRow,
  insertExportStatement,
  type ListedExport,
  lockStatement,
  selectExportsStatement,
  setPausedStatement,
  updateExportStatement,
} from './store/exports.ts'
import { exportKeyUse } from './store/root-keys.ts'
import { type RunRow, selectLatestRunsStatement, selectRunsStatement } from './store/runs.ts'

/** What an operator sends of an export; the secret of the access key only when it is new. */
export interface ExportBody extends ExportDefinition {
  readonly secretAccessKey?: string | undefined
}

/** What a test of a bucket found. */
export interface BucketTest {
  readonly ok: boolean
  /** What the server said where it failed. */
  readonly detail: string | null
}

/** Scheduled exports to buckets. Whatever takes an id throws CLEW_EXPORTS_NOT_FOUND. */
export interface Exports {
  list(): Promise<readonly ListedExport[]>
  get(id: string): Promise<ExportRow>
  /** In words; null for a text that is no schedule of exports. */
  wordsOf(schedule: string): string | null
  /** @throws CLEW_EXPORTS_SCHEDULE, _ENDPOINT, _SECRET_NEEDED, _FORMAT, _NAME_TAKEN, _TOO_MANY */
  create(body: ExportBody, operator: string): Promise<ExportRow>
  /**
   * @param version that the change was made of
   * @throws CLEW_EXPORTS_CHANGED, and what `create` throws, but _TOO_MANY
   */
  change(id: string, version: number, body: ExportBody, operator: string): Promise<ExportRow>
  remove(id: string): Promise<void>
  readonly keyUse: RootKeyUse
  setPaused(id: string, paused: boolean): Promise<void>
  /** @throws CLEW_EXPORTS_PAUSED */
  runNow(id: string, operator: string): Promise<void>
  /** Runs before one of them, the newest first. */
  runs(id: string, page: { readonly before: string | null; readonly limit: number }): Promise<readonly RunRow[]>
  /** Puts a small object into the bucket and removes it. @throws CLEW_EXPORTS_ENDPOINT, _SECRET_NEEDED */
  test(target: Omit<Location, 'secretAccessKey'> & BucketToTest): Promise<BucketTest>
  start(): void
  close(): Promise<void>
}

interface BucketToTest {
  readonly prefix: string
  readonly secretAccessKey?: string | undefined
  /** Of the export whose kept secret is meant. */
  readonly id?: string | undefined
}

/** No insert of a healthy engine takes longer. */
const usualSettleMs = 60_000
const usualLeaseMs = 120_000

/** Opens the room; its tables must have been migrated. */
export function createExports(deps: ExportsDeps): Exports {
  const { sql, now, newId, settings, settleMs = usualSettleMs, leaseMs = usualLeaseMs } = deps
  const nextAt = (schedule: string, after: Date): Date => {
    const next = deps.readSchedule(schedule)?.nextAfter(after)
    if (next == null) throw exportsError('CLEW_EXPORTS_SCHEDULE')
    return next
  }
  const runner = createRunner({ ...deps, settleMs, leaseMs, nextAt })
  const get = async (id: string): Promise<ExportRow> => {
    const [row] = (await sql.query<ExportRow>(selectExportsStatement(id))).rows
    if (row === undefined) throw exportsError('CLEW_EXPORTS_NOT_FOUND')
    return row
  }
  const check = (body: ExportBody): void => {
    checkEndpoint(deps, body.endpoint)
    if (body.kinds.includes('persons') && body.format !== 'jsonl' && deps.clickhouse.kind !== 'embedded')
      throw exportsError('CLEW_EXPORTS_FORMAT')
  }
  return {
    get,
    keyUse: exportKeyUse(deps),
    wordsOf: (schedule) => deps.readSchedule(schedule)?.words ?? null,
    async list() {
      const [{ rows }, latest] = await Promise.all([
        sql.query<ExportRow>(selectExportsStatement()),
        sql.query<RunRow & { readonly exportId: string }>(selectLatestRunsStatement()),
      ])
      const runs = new Map(latest.rows.map((run) => [run.exportId, run]))
      return rows.map((row) => ({ ...row, lastRun: runs.get(row.id) ?? null }))
    },
    async create(body, createdBy) {
      check(body)
      const secretSealed = deps.sealing.seal(secretOf(deps, body, null))
      const more = { secretSealed, createdBy, nextAt: nextAt(body.schedule, now()) }
      const row = await sql.transaction((tx) => insert(tx, newId(), body, more, settings.maxExports)).catch(refuseName)
      return row
    },
    async change(id, version, body, updatedBy) {
      check(body)
      const kept = await get(id)
      refuseEarlier(kept, version)
      const secretSealed = deps.sealing.seal(secretOf(deps, body, kept))
      const more = { secretSealed, updatedBy, nextAt: nextAt(body.schedule, now()) }
      const [row] = (await sql.query<ExportRow>(updateExportStatement(id, version, body, more)).catch(refuseName)).rows
      if (row !== undefined) return row
      refuseEarlier(await get(id), version)
      throw new Error('An export of the version that was changed was not changed.')
    },
    async remove(id) {
      if ((await sql.query(deleteExportStatement(id))).rows.length === 0) throw exportsError('CLEW_EXPORTS_NOT_FOUND')
    },
    async setPaused(id, paused) {
      const { schedule } = await get(id)
      await sql.query(setPausedStatement(id, paused, nextAt(schedule, now())))
      if (!paused) runner.wake()
    },
    async runNow(id, operator) {
      await get(id)
      if ((await sql.query(askStatement(id, operator))).rows.length === 0) throw exportsError('CLEW_EXPORTS_PAUSED')
      runner.wake()
    },
    async runs(id, { before, limit }) {
      await get(id)
      return (await sql.query<RunRow>(selectRunsStatement(id, before, limit))).rows
    },
    async test({ id, prefix, ...target }) {
      checkEndpoint(deps, target.endpoint)
      const secretAccessKey = secretOf(deps, target, id === undefined ? null : await get(id))
      return testBucket(deps, { ...target, secretAccessKey }, prefix)
    },
    start: runner.start,
    close: runner.close,
  }
}

async function insert(
  tx: Pick<Sql, 'query'>,
  id: string,
  definition: ExportDefinition,
  more: Parameters<typeof insertExportStatement>[2],
  maxExports: number,
): Promise<ExportRow> {
  await tx.query(lockStatement())
  const [{ exports } = { exports: 0 }] = (await tx.query<{ exports: number }>(countExportsStatement())).rows
  if (exports >= maxExports) throw exportsError('CLEW_EXPORTS_TOO_MANY')
  const [row] = (await tx.query<ExportRow>(insertExportStatement(id, definition, more))).rows
  if (row === undefined) throw new Error('An export that was stored could not be read.')
  return row
}

/** @throws CLEW_EXPORTS_CHANGED where an export has another version by now */
function refuseEarlier({ version, updatedBy: by, updatedAt: at }: ExportRow, changed: number): void {
  if (version !== changed) throw exportsError('CLEW_EXPORTS_CHANGED', changedMeanwhile('the export', { by, at }))
}

function refuseName(cause: unknown): never {
  throw violates(cause, 'exports_name_key') ? exportsError('CLEW_EXPORTS_NAME_TAKEN', { cause }) : cause
}

function checkEndpoint({ rules }: ExportsDeps, endpoint: string | null): void {
  if (endpoint === null) return
  try {
    parseReachable(endpoint, rules)
  } catch (cause) {
    if (cause instanceof OutboundRefusal) throw exportsError('CLEW_EXPORTS_ENDPOINT', { message: cause.message, cause })
    throw cause
  }
}

/**
 * The secret that was sent, or the one that is kept: which is used for no other server and no other access key, as that
 * server would hear it.
 */
function secretOf(
  { sealing }: ExportsDeps,
  { secretAccessKey, endpoint, accessKeyId }: Pick<ExportBody, 'secretAccessKey' | 'endpoint' | 'accessKeyId'>,
  kept: ExportRow | null,
): string {
  if (secretAccessKey !== undefined) return secretAccessKey
  if (kept === null || kept.endpoint !== endpoint || kept.accessKeyId !== accessKeyId)
    throw exportsError('CLEW_EXPORTS_SECRET_NEEDED')
  return sealing.open(kept.secretSealed)
}

const testName = '.clew-export-test'

async function testBucket(
  { openBucket, settings: { timeoutSeconds }, rules }: ExportsDeps,
  location: Location,
  prefix: string,
): Promise<BucketTest> {
  const bucket = await openBucket({ ...location, timeoutSeconds, rules })
  const key = prefix === '' ? testName : `${prefix}/${testName}`
  try {
    await bucket.put(key, Buffer.from('Clew exports into this bucket.\n'))
    await bucket.remove(key)
    return { ok: true, detail: null }
  } catch (error) {
    return { ok: false, detail: reasonOf(error) }
  } finally {
    bucket.close()
  }
}
