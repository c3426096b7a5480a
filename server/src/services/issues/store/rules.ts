import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { Rule } from '../exception/rules.ts'

/** The rules in their order. */
export const findRules = async (on: Pick<Sql, 'query'>): Promise<readonly Rule[]> =>
  (await on.query<Rule>(selectRulesStatement())).rows

const selectRulesStatement = (): Statement =>
  compile(sql`select id, name, action, conditions from clew_issues.rules order by position, id`)

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
