import { directoryOf } from '../../instance/directory.ts'
import { nameOf, rollBackDirectory } from '../../instance/upgrade/index.ts'
import { green, print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import type { RollBackOptions } from './options.ts'

/**
 * Puts a restore point back, by its id or the newest of an upgrade.
 *
 * @throws CLEW_START_RUNNING, CLEW_UPGRADE_NO_POINT
 */
export async function rollBackTo(
  id: string | null,
  { discard: discards = false, ...options }: RollBackOptions,
): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  const { to, aside } = await rollBackDirectory(directoryOf(instance.data), { id, discards }, new Date())
  print(`  ${green('✓')} The data are those of ${nameOf(to.version)} again, as restore point ${to.id} has kept them.`)
  print(`    Start them with that version: this one would upgrade them again.`)
  if (aside !== null)
    print(`    What was there is restore point ${aside}: rollback ${aside} brings it back, prune ${aside} removes it.`)
  return 0
}
