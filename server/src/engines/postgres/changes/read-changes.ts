import { openPool } from '../connection/connections.ts'
import type { EngineLog } from '../options.ts'
import type { ChangeStream } from '../postgres.ts'
import { createTypeNames } from '../wire/type-names.ts'
import type { ChangeSource } from './change-source.ts'
import { createChanges } from './changes.ts'

const poolSize = 2
const acquireTimeoutMs = 10_000
/** A server that is gone without a word would be waited for a quarter of an hour. */
const queryTimeoutMs = 10_000

/**
 * Opens the change stream of a database that is open elsewhere in this process, with connections of its own.
 *
 * @param stuckMs how long readers may settle nothing before health says so
 */
export function readChanges(
  { login, pooled = false }: ChangeSource,
  log: EngineLog,
  stuckMs?: number,
): ChangeStream & { close(): Promise<void> } {
  const admin = openPool({
    login,
    size: poolSize,
    acquireTimeoutMs,
    queryTimeoutMs,
    applicationName: 'clew changes',
  })
  const changes = createChanges({
    login,
    pooled,
    admin,
    typeNames: createTypeNames(admin),
    log,
    ...(stuckMs === undefined ? {} : { stuckMs }),
  })
  return {
    ...changes,
    async close() {
      await changes.close()
      await admin.end()
    },
  }
}
