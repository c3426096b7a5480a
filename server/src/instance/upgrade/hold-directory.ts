import { messageOf } from '../../ground/errors/message.ts'
import { repeatedly } from '../../ground/retry/repeatedly.ts'
import type { Settings } from '../../settings/index.ts'
import { type Directory, takeDirectory } from '../directory.ts'
import { type BeginUpgradeDeps, beginUpgrade } from './begin-upgrade.ts'
import { openUpgradeCheck, type UpgradeCheck } from './end-upgrade.ts'
import { ownVersion } from './own-version.ts'
import { pruneRestorePoints } from './restore-points.ts'
import { settleChanges } from './settle-changes.ts'

const hourMs = 3_600_000

/** What the holder of a data directory gives. */
export interface HoldDirectoryDeps extends Omit<BeginUpgradeDeps, 'own' | 'settings' | 'settleChanges'> {
  readonly settings: Settings
  /** Logs a line. */
  readonly log: (line: string) => void
}

/**
 * Takes a data directory for this process, and makes it this version's: refuses newer data, keeps older ones, and removes
 * restore points as they grow too old, until it is closed.
 *
 * @returns the check of its upgrade
 * @throws the errors of `takeDirectory` and `beginUpgrade`
 */
export async function holdDirectory(
  directory: Directory,
  { log, ...deps }: HoldDirectoryDeps,
  opened: (() => Promise<void>)[],
): Promise<UpgradeCheck> {
  const { settings, now } = deps
  await takeDirectory(directory, opened)
  await beginUpgrade(directory, {
    ...deps,
    own: await ownVersion(),
    settleChanges: (changes) => settleChanges(changes, { settings, directory, log }),
  })
  const { keepDays } = settings.upgrade
  const prune = async (): Promise<void> => {
    for (const { id } of await pruneRestorePoints(directory.data, keepDays, now()))
      log(`restore point ${id} is older than ${keepDays} days, and was removed`)
  }
  const pruning = repeatedly(
    () => prune().catch((error: unknown) => log(`restore points could not be removed: ${messageOf(error)}`)),
    hourMs,
  )
  pruning.start()
  opened.push(() => pruning.close())
  return openUpgradeCheck(directory, deps)
}
