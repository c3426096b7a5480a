import type { Sql } from '../../../engines/postgres/index.ts'
import { issuesError } from '../errors.ts'
import type { Rule } from '../exception/rules.ts'
import type { IssuesSettings } from '../settings.ts'
import { type HistoryEntry, insertHistoryStatement } from '../store/history.ts'
import { type IssueState, mergeStatements, updateIssueStatement } from '../store/issues.ts'
import { findRules, replaceRulesStatements } from '../store/rules.ts'
import type { IssueAnswers } from './answers.ts'

export interface ChangesDeps {
  readonly sql: Sql
  readonly find: IssueAnswers['find']
  readonly settings: Pick<IssuesSettings, 'maxRules'>
  readonly rulesChanged: () => Promise<void>
  readonly newId: () => string
  readonly now: () => Date
}

export interface ChangeIssue {
  readonly state?: IssueState
  readonly inNextRelease?: boolean
  /** The operator's e-mail address; null for none. */
  readonly assignedTo?: string | null
}

/** What operators do to issues and rules. Those that take an id throw CLEW_ISSUES_NOT_FOUND. */
export interface IssueChanges {
  change(id: string, change: ChangeIssue, operator: string): Promise<void>
  /** Gives an issue the exceptions of others, which are no more. */
  merge(id: string, others: readonly string[], operator: string): Promise<void>
  rules(): Promise<readonly Rule[]>
  /** Puts rules in place of all. @throws CLEW_ISSUES_TOO_MANY_RULES */
  replaceRules(rules: readonly (Omit<Rule, 'id'> & { readonly id?: string })[]): Promise<readonly Rule[]>
}

const kinds = { open: 'opened', resolved: 'resolved', ignored: 'ignored' } as const

export function createIssueChanges({ sql, find, settings, rulesChanged, newId, now }: ChangesDeps): IssueChanges {
  return {
    async change(id, { state, inNextRelease = false, assignedTo }, operator) {
      await find(id)
      const at = now()
      const entries: HistoryEntry[] = [
        ...(state === undefined
          ? []
          : [{ kind: kinds[state], operator, details: inNextRelease ? 'until the next release' : null, at }]),
        ...(assignedTo === undefined ? [] : [{ kind: 'assigned' as const, operator, details: assignedTo, at }]),
      ]
      const change = {
        ...(state === undefined ? {} : { state, resolvedInNextRelease: inNextRelease }),
        ...(assignedTo === undefined ? {} : { assignedTo }),
      }
      await sql.transaction(async (tx) => {
        await tx.query(updateIssueStatement(id, change, at))
        for (const entry of entries) await tx.query(insertHistoryStatement(id, entry))
      })
    },
    async merge(id, ids, operator) {
      const others = [...new Set(ids)].filter((other) => other !== id)
      await find(id)
      const merged = await Promise.all(others.map(find))
      const at = now()
      await sql.transaction(async (tx) => {
        for (const statement of mergeStatements(id, others)) await tx.query(statement)
        for (const { title } of merged)
          await tx.query(insertHistoryStatement(id, { kind: 'merged', operator, details: title, at }))
      })
    },
    rules: () => findRules(sql),
    async replaceRules(given) {
      if (given.length > settings.maxRules) throw issuesError('CLEW_ISSUES_TOO_MANY_RULES')
      const rules = given.map((rule) => ({ ...rule, id: rule.id ?? newId() }))
      const unique = [...new Map(rules.map((rule) => [rule.id, rule])).values()]
      await sql.transaction(async (tx) => {
        for (const statement of replaceRulesStatements(unique)) await tx.query(statement)
      })
      await rulesChanged()
      return unique
    },
  }
}
