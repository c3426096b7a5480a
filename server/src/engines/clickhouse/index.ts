import { type AttachedOptions, createAttached } from './attached.ts'
import type { ClickHouse } from './clickhouse.ts'
import { createEmbedded, type EmbeddedOptions } from './embedded.ts'
import { createExternal, type ExternalOptions } from './external.ts'

export type { ClickHouseAddress } from './address.ts'
export { checkBinaries, packageVersion } from './binaries.ts'
export type { ClickHouse, InsertOptions, TableAnswer, TableLimits } from './clickhouse.ts'
export { connectClickHouse } from './connect.ts'
export { waitForStaleEngine } from './embedded.ts'
export { expireRows, type Lifetime, startExpiry } from './expire.ts'
export { checkClickHouse, type FoundServers, findServers, isTooOld, oldestVersion, tryTables } from './external.ts'
export { type FrozenTables, freezeTables } from './freeze.ts'
export { classifyClickHouseError } from './insert-failure.ts'
export { appliedMigrations } from './migrate/migrate.ts'
export { type PersonTable, personTable } from './person-table.ts'
export { createReaches, type Reach, readBack } from './read-back.ts'
export { type NamedRows, readNamed } from './read-named.ts'
export {
  type Deletion,
  deleteRows,
  moveRows,
  type Rewrite,
  type RewriteWork,
  rewriteTable,
  settled,
} from './rewrite.ts'

/** An embedded engine in a child process, of this process or another one, or a server by URL. */
export type ClickHouseOptions = EmbeddedOptions | AttachedOptions | ExternalOptions

/** ClickHouse, embedded or by URL. Returns at once; statements wait until it answers. */
export function createClickHouse(options: ClickHouseOptions): ClickHouse {
  if (options.kind === 'attached') return createAttached(options)
  return options.kind === 'embedded' ? createEmbedded(options) : createExternal(options)
}
