import type { KeptLonger } from '../../ground/model/kept-longer.ts'
import type { RetentionDeps } from './deps.ts'
import { createHolds, type Holds } from './holds/holds.ts'
import type { HoldRow } from './holds/store.ts'
import { createKeptLonger } from './kept/kept-longer.ts'
import { findHoldsOn, type Leaving } from './kept/meeting.ts'

/** What is kept longer than its days and budgets: by legal holds, and by the rule for sessions with errors. */
export interface Retention {
  readonly holds: Omit<Holds, 'open'>
  /** For what deletes rows by their age. */
  readonly keptLonger: KeptLonger
  /** The open holds that keep something of a person. The rule for errors is none. */
  holdsOn(person: Leaving): Promise<readonly HoldRow[]>
}

/** Opens the room; its tables must have been migrated. */
export function createRetention(deps: RetentionDeps): Retention {
  const holds = createHolds(deps)
  return {
    holds,
    keptLonger: createKeptLonger(deps, holds),
    holdsOn: async (person) => findHoldsOn(deps, await holds.open(), person),
  }
}
