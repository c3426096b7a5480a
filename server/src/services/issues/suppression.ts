import type { Sql } from '../../engines/postgres/index.ts'
import type { Log } from '../../ground/model/log.ts'
import { suppressionRules } from './exception/rules.ts'
import { findRules } from './store/rules.ts'

export interface SuppressionDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly log: Log
}

/** What browsers are told not to send, as of the last look at the rules. */
export interface Suppression {
  /** In posthog's form (analytics §3). */
  rules(): readonly object[]
  /** Looks at the rules, which this process or another has changed. */
  refresh(): Promise<void>
  close(): void
}

/** Browsers keep their configuration for minutes: to look twice a minute is enough. */
const everyMs = 30_000

/** The configuration of browsers is answered without asking the database. */
export function createSuppression({ sql, log }: SuppressionDeps): Suppression {
  let current: readonly object[] = []
  const refresh = async (): Promise<void> => {
    current = suppressionRules(await findRules(sql))
  }
  const look = (): void =>
    void refresh().catch((error: unknown) => log.warn({ err: error }, 'Rules of errors could not be read yet'))
  look()
  const timer = setInterval(look, everyMs).unref()
  return { rules: () => current, refresh, close: () => clearInterval(timer) }
}
