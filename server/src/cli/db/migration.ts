import { instanceError } from '../../errors.ts'
import { withExtensions } from '../../instance/project/extensions.ts'
import { applyPlanned, readMigrations } from '../../instance/project/migrations/apply-migrations.ts'
import { prepareHistory } from '../../instance/project/migrations/history.ts'
import { readLocalMigrations } from '../../instance/project/migrations/local-migrations.ts'
import { shownVersion, versionAt, writeMigration } from '../../instance/project/migrations/new-migration.ts'
import {
  driftNotes,
  failureNotes,
  type PlannedMigration,
  pendingMigrations,
} from '../../instance/project/migrations/plan-migrations.ts'
import { type RepairStatus, repairHistory } from '../../instance/project/migrations/repair-history.ts'
import { confirm } from '../confirm.ts'
import type { DatabaseOptions, DirectoryOptions } from '../options.ts'
import { bold, faint, green, print, printOver, printRows, printTransient, warn } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { projectOf, withTarget } from '../target.ts'

/** Writes a migration's file; its text is standard input, where that is no terminal. */
export async function create(name: string, options: DirectoryOptions): Promise<number> {
  const folder = projectOf(await settingsOf({ ...options }))
  const text = process.stdin.isTTY === true ? '' : await readAll(process.stdin)
  print(`Created new migration at ${bold(await writeMigration(folder, versionAt(new Date()), name, text))}`)
  return 0
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

/** Prints the versions of the folder beside those of the database. */
export async function list({ json = false, ...options }: DatabaseOptions & { json?: boolean }): Promise<number> {
  return withTarget(options, async ({ settings, database }) => {
    const plan = await readMigrations(projectOf(settings), database.sql, warn)
    if (json) print(JSON.stringify(plan.map(listed), null, 2))
    else {
      printRows(
        ['Local', 'Remote', 'Time (UTC)'],
        plan.map(({ version, local, applied }) => [
          local === null ? '' : version,
          applied === null ? '' : version,
          shownVersion(version),
        ]),
      )
      for (const note of [...failureNotes(plan), ...driftNotes(plan)]) print(`\n  ${note}`)
    }
    return 0
  })
}

const listed = ({ version, state, local, applied, failure }: PlannedMigration) => ({
  version,
  name: local?.name ?? applied?.name ?? '',
  state,
  path: local?.path ?? null,
  failure,
})

export interface UpOptions extends DatabaseOptions {
  readonly includeAll?: boolean
}

/** Applies the migrations that were not applied yet. */
export async function up({ includeAll = false, ...options }: UpOptions): Promise<number> {
  return withTarget(options, async ({ settings, database, isInstance, settle }) => {
    const folder = projectOf(settings)
    const plan = await readMigrations(folder, database.sql, warn)
    const pending = pendingMigrations(plan, includeAll)
    if (pending.length > 0) {
      const owner = withExtensions(database.sql, settings.migrations.missingExtensions, warn)
      await prepareHistory(owner, owner)
      const progress = (file: string): void => printTransient(`  ${faint(`Applying ${file} …`)}`)
      await applyPlanned({ owner, progress }, pending)
      await settle()
      for (const { local } of pending) printOver(`  ${green('✓')} ${local?.path ?? ''}`)
    }
    print(`${isInstance ? 'Local' : 'Remote'} database is up to date.`)
    return 0
  })
}

export interface RepairOptions extends DatabaseOptions {
  readonly status: string
  readonly yes?: boolean
}

/** Makes the history say that versions were applied, or that they were not. */
export async function repair(versions: readonly string[], options: RepairOptions): Promise<number> {
  const { status, yes = false, ...place } = options
  if (!isStatus(status))
    throw instanceError('CLEW_START_SETTING', { message: `--status is "${status}"; allowed: applied, reverted` })
  return withTarget(place, async ({ settings, database }) => {
    const local = await readLocalMigrations(projectOf(settings), warn)
    if (versions.length === 0)
      await confirm(
        `Do you want the history to have ${status === 'applied' ? 'every' : 'no'} migration of the folder?`,
        {
          yes,
          byDefault: false,
        },
      )
    const repaired = await repairHistory(database.sql, local, versions.length === 0 ? 'all' : versions, status)
    print(`Repaired migration history: ${repaired.join(', ')} => ${status}`)
    return 0
  })
}

const isStatus = (text: string): text is RepairStatus => text === 'applied' || text === 'reverted'
