import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { Rule } from '../exception/rules.ts'

/** The rules in their order. */
export const findRules = async (on: Pick<Sql, 'query'>): Promise<readonly Rule[]> =>
  (await on.query<Rule>(selectRulesStatement())).rows

const selectRulesStatement = (): Statement =>
  compile(sql`select id, name, action, conditions from clew_issues.rules order by position, id`)

/** How often the rules were changed, and who changed them last. */
export interface RulesVersion {
  readonly version: number
  /** Null until they are changed for the first time, as is `by`. */
  readonly at: Date | null
  readonly by: string | null
}

export const selectRulesVersionStatement = (): Statement =>
  compile(sql`select c.version, c.changed_at as at, c.changed_by as by from clew_issues.rule_changes c`)

/** Lets one operator at a time change the rules of a version; no row where they have another one by now. */
export const updateRulesVersionStatement = (version: number, by: string, at: Date): Statement =>
  compile(sql`
    update clew_issues.rule_changes c
    set version = c.version + 1, changed_at = ${at}, changed_by = ${by}
    where c.version = ${version}
    returning c.version, c.changed_at as at, c.changed_by as by`)

/** Puts these rules, in their order, in place of all. To be run in one transaction. */
export const replaceRulesStatements = (rules: readonly Rule[]): readonly Statement[] => [
  compile(sql`delete from clew_issues.rules`),
  compile(sql`
    insert into clew_issues.rules (id, position, name, action, conditions)
    select r.id, r.position, r.name, r.action, r.conditions
    from jsonb_to_recordset(
      ${typed(JSON.stringify(rules.map((rule, position) => ({ ...rule, position }))), 'jsonb')}
    ) as r (id uuid, position integer, name text, action text, conditions jsonb)`),
]
