import { findKnownPerson } from '../services/analytics/index.ts'
import { createRetention, type Retention } from '../services/retention/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Shared } from './shared.ts'
import { keptTables } from './tables/service-tables.ts'

/** What is kept longer in all rooms. */
export const openRetention = (settings: Settings, shared: Shared): Retention =>
  createRetention({
    ...shared,
    tables: keptTables,
    findPerson: (key) => findKnownPerson(shared.sql, key),
    settings: settings.retention,
  })

/** Why what is kept of a visitor who withdrew their consent stays for now: a hold wins, and nothing more is stored of them. */
export const reasonToWait =
  ({ holdsOn }: Pick<Retention, 'holdsOn'>) =>
  async (distinctIds: readonly string[]): Promise<string | null> => {
    const [hold] = await holdsOn({ distinctIds })
    return hold === undefined ? null : `A legal hold keeps it: ${hold.reason}`
  }
