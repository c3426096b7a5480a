import type { Sql } from '../../engines/postgres/index.ts'
import { advisorError } from './errors.ts'
import {
  type FindingKey,
  type IgnoredRow,
  ignoreStatement,
  selectIgnoredStatement,
  unignoreStatement,
} from './store.ts'

/** Something that a database should not have. */
export interface Advice extends FindingKey {
  /** Why it matters, in a sentence. */
  readonly title: string
  readonly kind: 'security' | 'performance'
  readonly level: 'info' | 'warn' | 'error'
  /** What to do about it, in a sentence. */
  readonly remedy: string
  /** The SQL after which it is found no more; null where it takes a decision. */
  readonly fix: string | null
}

/** Advice, and who decided not to take it. */
export interface JudgedAdvice extends Advice {
  readonly ignored: Pick<IgnoredRow, 'reason' | 'ignoredBy' | 'ignoredAt'> | null
}

/** What advice needs. */
export interface AdvisorDeps {
  readonly sql: Pick<Sql, 'query'>
  /** Looks at the application's database. */
  readonly findings: () => Promise<readonly Advice[]>
  readonly now: () => Date
}

/** Advice on the application's database. */
export interface Advisor {
  /** Looks now; the worst first. */
  look(): Promise<readonly JudgedAdvice[]>
  /** @throws CLEW_ADVISOR_UNKNOWN for what is not found now, CLEW_ADVISOR_TOO_MANY */
  ignore(key: FindingKey, reason: string, by: string): Promise<void>
  unignore(key: FindingKey): Promise<void>
}

const mostIgnored = 1000
const levels: readonly Advice['level'][] = ['error', 'warn', 'info']

const keyOf = ({ name, object }: FindingKey): string => `${name} ${object}`

export function createAdvisor({ sql, findings, now }: AdvisorDeps): Advisor {
  return {
    async look() {
      const [found, { rows }] = await Promise.all([findings(), sql.query<IgnoredRow>(selectIgnoredStatement())])
      const ignored = new Map(rows.map((row) => [keyOf(row), row]))
      return found
        .map((advice) => ({ ...advice, ignored: ignored.get(keyOf(advice)) ?? null }))
        .toSorted((a, b) => levels.indexOf(a.level) - levels.indexOf(b.level))
    },
    async ignore({ name, object }, reason, ignoredBy) {
      const found = await findings()
      if (!found.some((each) => each.name === name && each.object === object))
        throw advisorError('CLEW_ADVISOR_UNKNOWN')
      const row = { name, object, reason, ignoredBy, ignoredAt: now() }
      const { rows } = await sql.query(ignoreStatement(row, mostIgnored))
      if (rows.length === 0) throw advisorError('CLEW_ADVISOR_TOO_MANY')
    },
    unignore: async (key) => void (await sql.query(unignoreStatement(key))),
  }
}
