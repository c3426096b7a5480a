import type { AuthDeps, AuthSettings } from '../../../src/services/auth/index.ts'
import type { TestAuth } from '../../auth-service.ts'
import type { TestDatabase } from '../../harness.ts'

/** One numbered row of the protocol's edge cases (auth §34) and attacks (auth §35), as calls and what must come of them. */
export interface AuthCase {
  /** `34.7`: the section and the number in it; several cases may prove one row. */
  readonly row: string
  /** The rule in words. */
  readonly rule: string
  readonly settings?: Partial<AuthSettings>
  readonly deps?: Partial<AuthDeps>
  readonly run: (auth: TestAuth, db: TestDatabase) => Promise<void>
}
