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
}

/** Everything that is looked for. */
const advisories: readonly Advisory[] = [...securityAdvisories, ...performanceAdvisories]

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
    const { rows } = await database.query<{ object: string }>(statementOf(advisory, exposedSchemas))
    const { name, title, kind, level, remedy } = advisory
    findings.push(...rows.map(({ object }) => ({ name, title, kind, level, object, remedy })))
  }
  return findings
}
