import { type Backups, backupsService } from '../../services/backups/index.ts'
import { createLive, liveService } from '../../services/live/index.ts'
import { type Operators, operatorsService } from '../../services/operators/index.ts'
import { planBackups } from '../backups/backups.ts'
import type { ComposeInput } from '../instance.ts'
import type { Add, Shared } from '../shared.ts'

/** The operators' own pages, the live connections of their tabs, and the backups that they see to; null where none are made. */
export async function addOperators(
  add: Add,
  input: ComposeInput,
  { live: notices, log, now, sql }: Pick<Shared, 'live' | 'log' | 'now' | 'sql'>,
  operators: Operators,
): Promise<Backups | null> {
  const { sessionOf, standing, actions } = operators
  const { live: settings, instance } = input.settings
  add(operatorsService(operators, log))
  const backups = await planBackups(input, { live: notices, log, now, sql })
  add(backupsService(backups, instance.databaseUrl !== null, actions))
  const live = createLive({ notices, standing, settings, nowMs: () => performance.now(), log })
  add(liveService({ live, sessionOf, actions }))
  return backups
}
