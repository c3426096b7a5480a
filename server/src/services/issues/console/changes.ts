import type { Sql } from '../../../engines/postgres/index.ts'
import { changedMeanwhile } from '../../../ground/errors/changed-meanwhile.ts'
import { issuesError } from '../errors.ts'
import type { Rule } from '../exception/rules.ts'
import type { IssuesSettings } from '../settings.ts'
import { type HistoryEntry, insertHistoryStatement } from '../store/history.ts'
import { type IssueState, mergeStatements, updateIssueStatement } from '../store/issues.ts'
import {
  findRules,
  type RulesVersion,
  replaceRulesStatements,
  selectRulesVersionStatement,
  updateRulesVersionStatement,
} from '../store/rules.ts'
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

/** All rules, of the version by which a change of them says what it was made of. */
export interface VersionedRules {
  readonly version: number
  readonly rules: readonly Rule[]
}

/** What operators do to issues and rules. Those that take an id throw CLEW_ISSUES_NOT_FOUND. */
export interface IssueChanges {
  change(id: string, change: ChangeIssue, operator: string): Promise<void>
  /** Gives an issue the exceptions of others, which are no more. */
  merge(id: string, others: readonly string[], operator: string): Promise<void>
  rules(): Promise<VersionedRules>
  /**
   * Puts rules in place of all.
   *
   * @param version that the change was made of
   * @throws CLEW_ISSUES_TOO_MANY_RULES, CLEW_ISSUES_RULES_CHANGED
   */
  replaceRules(
    version: number,
    rules: readonly (Omit<Rule, 'id'> & { readonly id?: string })[],
    operator: string,
  ): Promise<VersionedRules>
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
    // In this order: of rules that are changed in between, the version is the earlier one, and a change of it is refused.
    rules: async () => ({ version: (await findVersion(sql)).version, rules: await findRules(sql) }),
    async replaceRules(version, given, operator) {
      if (given.length > settings.maxRules) throw issuesError('CLEW_ISSUES_TOO_MANY_RULES')
      const rules = given.map((rule) => ({ ...rule, id: rule.id ?? newId() }))
      const unique = [...new Map(rules.map((rule) => [rule.id, rule])).values()]
      const next = await sql.transaction(async (tx) => {
        const [changed] = (await tx.query<RulesVersion>(updateRulesVersionStatement(version, operator, now()))).rows
        if (changed === undefined) throw changedError(await findVersion(tx))
        for (const statement of replaceRulesStatements(unique)) await tx.query(statement)
        return changed.version
      })
      await rulesChanged()
      return { version: next, rules: unique }
    },
  }
}

async function findVersion(sql: Pick<Sql, 'query'>): Promise<RulesVersion> {
  const [found] = (await sql.query<RulesVersion>(selectRulesVersionStatement())).rows
  if (found === undefined) throw new Error('The row with the version of the rules is gone.')
  return found
}

const changedError = ({ by, at }: RulesVersion) =>
  issuesError('CLEW_ISSUES_RULES_CHANGED', by === null || at === null ? {} : changedMeanwhile('the rules', { by, at }))
