import type { Sql } from '../../engines/postgres/index.ts'
import type { Log } from '../../ground/model/log.ts'
import type { MaskedColumn, MaskedStore } from '../../ground/privacy/masks.ts'
import { createMaskChanges, type MaskChanges } from './masks/masks.ts'
import { isReserved } from './masks/reserved.ts'
import { selectColumnsStatement } from './masks/store.ts'
import { createJobs, type Jobs } from './past/jobs.ts'
import type { PrivacySettings } from './settings.ts'

/** What privacy needs of engines and other services. */
export interface PrivacyDeps {
  readonly sql: Sql
  /** Where data of people are kept. */
  readonly stores: readonly MaskedStore[]
  /** Names of properties of the latest events. */
  readonly propertyNames: (limit: number) => Promise<readonly string[]>
  /** Whether data of visitors who did not answer are kept from the disk. */
  readonly consentRequired: boolean
  /** Milliseconds after which a job looks for rows once more; ten seconds where nothing is said. */
  readonly settleMs?: number
  /** As in `LeasedWorkDeps`. */
  readonly leaseMs?: number
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: PrivacySettings
  readonly log: Log
}

/** What is masked in what is kept of people, and the jobs that mask the past. */
export interface Privacy {
  readonly masks: MaskChanges
  readonly jobs: Jobs
  readonly consentRequired: boolean
  /** Columns and properties that can be masked. */
  offered(): Promise<{ readonly columns: MaskedColumn[]; readonly properties: string[] }>
  close(): Promise<void>
}

/** No batch of a healthy engine takes longer. */
const usualSettleMs = 10_000

/** Opens the room; its tables must have been migrated. */
export function createPrivacy(deps: PrivacyDeps): Privacy {
  const { sql, settings, propertyNames, consentRequired } = deps
  const { settleMs = usualSettleMs } = deps
  const jobs = createJobs({ ...deps, settleMs })
  return {
    masks: createMaskChanges(deps),
    jobs,
    consentRequired,
    async offered() {
      const [{ rows }, names] = await Promise.all([
        sql.query<MaskedColumn>(selectColumnsStatement(settings.offeredColumns)),
        propertyNames(settings.offeredProperties),
      ])
      return { columns: [...rows], properties: names.filter((name) => !isReserved(name)) }
    },
    close: jobs.close,
  }
}
