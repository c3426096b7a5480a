import type { Sql } from '../../engines/postgres/index.ts'
import type { Statement } from '../../ground/sql/postgres.ts'
import type { Advisory, AdvisoryLevel } from './advisory.ts'
import { performanceAdvisories } from './performance-advisories.ts'
import { securityAdvisories } from './security-advisories.ts'

/** An object that an advisory is about. */
export interface Finding {
  readonly name: string
  readonly title: string
  readonly kind: Advisory['kind']
  readonly level: AdvisoryLevel
  readonly object: string
  readonly remedy: string
  /** The SQL after which it is found no more; null where it takes a decision. */
  readonly fix: string | null
}

/** Everything that is looked for. */
const advisories: readonly Advisory[] = [...securityAdvisories, ...performanceAdvisories]

/** The names of all that is looked for. */
export const advisoryNames: readonly string[] = advisories.map(({ name }) => name)

const statementOf = ({ text }: Advisory, exposedSchemas: readonly string[]): Statement => ({
  text,
  values: text.includes('$1') ? [exposedSchemas] : [],
})

/**
 * Looks for what a schema should not have.
 *
 * @param exposedSchemas those that the API shows
 */
export async function readFindings(database: Sql, exposedSchemas: readonly string[]): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const advisory of advisories) {
    const { rows } = await database.query<{ object: string; fix: string | null }>(statementOf(advisory, exposedSchemas))
    const { name, title, kind, level, remedy } = advisory
    findings.push(...rows.map(({ object, fix }) => ({ name, title, kind, level, object, remedy, fix })))
  }
  return findings
}
