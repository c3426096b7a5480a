import { appliedMigrations as appliedInClickHouse, type ClickHouse } from '../../engines/clickhouse/index.ts'
import type { Postgres } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { type EngineHealth, isReady } from '../../ground/model/health.ts'
import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import type { Settings } from '../../settings/index.ts'
import type { Directory } from '../directory.ts'
import { nameOf } from './begin-upgrade.ts'
import { countRows, differences } from './count-rows.ts'
import { ownVersion } from './own-version.ts'
import type { OwnVersion } from './plan-upgrade.ts'
import { listRestorePoints, pointFolder, writePoint } from './restore-points.ts'
import { findVersionRecord, writeVersionRecord } from './version-record.ts'

const mib = 1024 ** 2

/** The part of an upgrade after its migrations. */
export interface UpgradeCheck {
  /**
   * Looks at ClickHouse before the migrations of any room run there.
   *
   * @throws CLEW_START_NEWER_DATA
   */
  beforeTables(clickhouse: Pick<ClickHouse, 'query'>): Promise<void>
  /**
   * Looks at the database once the migrations of all rooms have run, and before the project folder is applied.
   *
   * @throws CLEW_START_NEWER_DATA, CLEW_START_UPGRADE
   */
  afterMigrations(database: Pick<Postgres, 'admin' | 'kind'>): Promise<void>
  /**
   * Ends the upgrade, where one is under way, once everything is served.
   *
   * @throws CLEW_START_UPGRADE
   */
  end(health: () => Promise<readonly EngineHealth[]>): Promise<void>
}

export interface UpgradeCheckDeps {
  readonly settings: Pick<Settings, 'upgrade'>
  readonly now: () => Date
  /** Called with a line for the terminal. */
  readonly report: (line: string) => void
}

/** Opens the check of a start on a data directory that was made this version's. */
export async function openUpgradeCheck(
  { data }: Pick<Directory, 'data'>,
  { settings, now, report }: UpgradeCheckDeps,
): Promise<UpgradeCheck> {
  const own = await ownVersion()
  const upgrade = (await findVersionRecord(data))?.upgrade ?? null
  const points = await listRestorePoints(data)
  const point = points.find(({ id }) => id === upgrade?.restorePoint) ?? null
  const checks: string[] = []
  return {
    async beforeTables(clickhouse) {
      const applied = (await appliedInClickHouse(clickhouse)).map((name) => `clickhouse/${name}`)
      refuseUnknown(own, 'ClickHouse', applied)
    },
    async afterMigrations({ admin, kind }) {
      const applied = await appliedMigrations(admin)
      refuseUnknown(own, 'PostgreSQL', [...applied])
      if (upgrade === null) return
      const missing = own.migrations.filter((name) => name.startsWith('postgres/') && !applied.has(name))
      // Where an external administrator may not apply one, it is tried again at each start.
      if (missing.length > 0 && kind === 'embedded') throw failed(`${missing.join(', ')} did not run.`)
      checks.push(`${applied.size} migrations of PostgreSQL are recorded`)
      if (point === null) return
      const query = async <Row extends object>(statement: Statement): Promise<readonly Row[]> =>
        (await admin.query<Row>(statement)).rows
      const counts = await countRows(query, settings.upgrade.compareMib * mib)
      const problems = differences(point.rows, counts)
      if (problems.length > 0) throw failed(problems.join(' '))
      checks.push(
        `${Object.keys(point.rows).length} tables have the rows that they had, and ${counts.largeTables} were too large to be counted`,
      )
    },
    async end(health) {
      if (upgrade === null) return
      const engines = (await health()).filter(({ name }) => name === 'postgres' || name === 'clickhouse')
      const problems = engines.filter((engine) => !isReady(engine)).map(({ name, detail }) => `${name}: ${detail}`)
      if (problems.length > 0) throw failed(problems.join(' '))
      checks.push(`${engines.map(({ name }) => name).join(' and ')} answer, and both ports listen`)
      if (point !== null)
        await writePoint(pointFolder(data, point.id), {
          ...point,
          result: { at: now().toISOString(), version: own.version, checks },
        })
      await writeVersionRecord(data, { ...own, upgrade: null })
      report(`Upgraded from ${nameOf(upgrade.from)} to ${own.version}: ${checks.join('; ')}`)
    },
  }
}

const failed = (message: string): ServiceError => instanceError('CLEW_START_UPGRADE', { message })

/** Errors that a start without an upgrade has as well: what is wrong is not in the data. */
const ofEveryStart = (code: string): boolean =>
  (code.startsWith('CLEW_START_') && code !== 'CLEW_START_CLICKHOUSE' && code !== 'CLEW_START_UPGRADE') ||
  code.startsWith('CLEW_UPGRADE_') ||
  code === 'POSTGRES_PORT_IN_USE'

/** The error of a failed start, which tells of the upgrade that is under way, and of the way back. */
export async function explainUpgrade(error: unknown, data: string): Promise<unknown> {
  const record = await findVersionRecord(data).catch(() => null)
  if (record === null || record.upgrade === null) return error
  const isKnown = error instanceof ServiceError
  if (isKnown && ofEveryStart(error.code)) return error
  const { from, restorePoint } = record.upgrade
  const reason = isKnown && error.code !== 'CLEW_START_UPGRADE' ? `${error.code}, ${error.message}` : messageOf(error)
  // A worker has told it already, and its parent tells it once.
  if (reason.startsWith(heading)) return error
  const points = await listRestorePoints(data)
  const isKept = points.some(({ id }) => id === restorePoint)
  const kept = isKept ? `Restore point ${restorePoint} has the data of before.` : 'There is no restore point of before.'
  return instanceError('CLEW_START_UPGRADE', {
    message: `${heading} ${nameOf(from)} to ${record.version} failed: ${reason} ${kept}`,
    details: isKnown ? error.details : null,
    cause: error,
  })
}

const heading = 'The upgrade of the data from'

async function appliedMigrations(admin: Postgres['admin']): Promise<ReadonlySet<string>> {
  const statement = compile(
    sql`select 'postgres/' || room || '/' || version || '_' || name as name from clew.migrations`,
  )
  return new Set((await admin.query<{ name: string }>(statement)).rows.map(({ name }) => name))
}

/** A database may be newer than its data directory: one by URL, or one that was restored. */
function refuseUnknown(own: OwnVersion, engine: string, applied: readonly string[]): void {
  const known = new Set(own.migrations)
  const unknown = applied.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw instanceError('CLEW_START_NEWER_DATA', {
      message: `The database of ${engine} was written by a newer version than ${own.version}.`,
      details: `Not known here: ${unknown.join(', ')}`,
    })
}
