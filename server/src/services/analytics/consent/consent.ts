import type { Sql } from '../../../engines/postgres/index.ts'
import type { Consent } from '../../../ground/privacy/consent.ts'
import type { ConsentChange } from './change.ts'
import { type Decision, decisionOf } from './decision.ts'
import { anyRefusedStatement, type DecisionRow, decideStatement, selectDecisionsStatement } from './store.ts'

/** What ids have decided. */
export type Decisions = ReadonlyMap<string, Decision>

/** The decisions of visitors in PostgreSQL. */
export interface Consents extends Consent {
  /** Whether data of an id with this decision may be stored from now on. */
  allows(decision: Decision | undefined): boolean
  decisions(database: Pick<Sql, 'query'>, distinctIds: readonly string[]): Promise<Decisions>
  /** Keeps decisions; each holds for all ids of its person. */
  decide(changes: readonly ConsentChange[]): Promise<void>
}

/** @param required whether data of a visitor who did not answer is kept from the disk */
export function createConsents(database: Sql, required: boolean): Consents {
  const consents: Consents = {
    allows: (decision) => decision?.granted ?? !required,

    async isOpen() {
      if (required) return false
      const { rows } = await database.query<{ refused: boolean }>(anyRefusedStatement())
      return rows[0]?.refused === false
    },

    async decisions(sql, distinctIds) {
      const { rows } = await sql.query<DecisionRow>(selectDecisionsStatement(distinctIds))
      return new Map(rows.map((row) => [row.distinct_id, decisionOf(row)]))
    },

    async since(distinctIds) {
      const decisions = await consents.decisions(database, distinctIds)
      const allowed = [...decisions].filter(([, decision]) => consents.allows(decision))
      return new Map(allowed.map(([id, { since }]) => [id, since]))
    },

    among: async (distinctIds) => new Set((await consents.since(distinctIds)).keys()),

    async decide(changes) {
      for (const { distinctId, granted, atMs } of changes)
        await database.query(decideStatement([distinctId], granted, new Date(Math.max(atMs, 0))))
    },
  }
  return consents
}
