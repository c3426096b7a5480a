import { Value } from 'typebox/value'
import type { Postgres, Sql } from '../../../engines/postgres/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Log } from '../../../ground/model/log.ts'
import { FlagFilters } from '../definition/schema.ts'
import { type Prepared, prepare } from '../evaluate/prepare.ts'
import { findCohortProblem } from '../evaluate/problems.ts'
import { type Needs, planNeeds } from './needs.ts'
import {
  type CohortRow,
  type FlagRow,
  type PersonalRow,
  selectCohortsStatement,
  selectFlagsStatement,
  selectPersonalStatement,
} from './store.ts'

/** The flags and cohorts of a project, ready to be evaluated. */
export interface Definitions {
  readonly flags: readonly FlagRow[]
  readonly cohorts: readonly CohortRow[]
  readonly prepared: Prepared
  readonly hasMembers: boolean
  /** Flags that have a value for single persons. */
  readonly overridden: ReadonlySet<number>
  /** What a call has to look up. */
  readonly needs: Needs
}

/** Makes flags and cohorts ready to be evaluated: what no call changes is done here, once. */
export function prepareDefinitions(stored: Omit<Definitions, 'prepared' | 'needs'>): Definitions {
  const prepared = prepare(stored.flags, stored.cohorts)
  return { ...stored, prepared, needs: planNeeds(prepared, stored) }
}

export interface DefinitionsCache {
  current(): Promise<Definitions>
  /** The next call reads them again. */
  changed(): void
  close(): Promise<void>
}

export interface DefinitionsDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly listen: Postgres['listen']
  readonly settings: { readonly maxFlags: number; readonly maxCohorts: number }
  readonly log: Log
}

/** Definitions in the memory of this process, until NOTIFY says that they have changed. */
export async function createDefinitions({ sql, listen, settings, log }: DefinitionsDeps): Promise<DefinitionsCache> {
  let known: Definitions | null = null
  let reading: Promise<void> | null = null
  /** Changes that were heard of, and those that `known` has. */
  let heard = 1
  let had = 0

  const read = async (): Promise<void> => {
    const changes = heard
    try {
      const [flags, cohorts, personal] = await Promise.all([
        sql.query<FlagRow>(selectFlagsStatement(settings.maxFlags)),
        sql.query<CohortRow>(selectCohortsStatement(settings.maxCohorts)),
        sql.query<PersonalRow>(selectPersonalStatement()),
      ])
      const usable = flags.rows.map((flag) => asUsable(flag, log))
      const [{ hasMembers, overridden } = { hasMembers: false, overridden: [] }] = personal.rows
      const fitting = cohorts.rows.filter(({ filters }) => filters === null || findCohortProblem(filters) === null)
      known = prepareDefinitions({ flags: usable, cohorts: fitting, hasMembers, overridden: new Set(overridden) })
      had = changes
    } catch (error) {
      if (known === null) throw error
      log.warn({ reason: messageOf(error) }, 'flags: definitions could not be read, the earlier ones stay')
    } finally {
      reading = null
    }
  }
  const changed = (): void => {
    heard += 1
  }
  const stopListening = await listen('clew_flags', changed, changed)
  return {
    changed,
    async current() {
      const wanted = heard
      // What is read already may be older than the last change: then it is read once more.
      for (let tries = 0; tries < 2 && (known === null || had < wanted); tries += 1) {
        reading ??= read()
        await reading
      }
      // Null only where reading threw.
      return known as unknown as Definitions
    },
    close: stopListening,
  }
}

/** A flag whose filters were changed by hand into something else is off, and said to be. */
function asUsable(flag: FlagRow, log: Log): FlagRow {
  if (Value.Check(FlagFilters, flag.filters)) return flag
  log.warn({ flag: flag.key }, 'flags: the filters of a flag have not the form of filters, it is off')
  return { ...flag, active: false, filters: { groups: [] } }
}
