export { checkBinaries } from './binaries.ts'
export { checkExternal } from './check-external.ts'
export { isDatabaseAddress, withoutPassword } from './connection-string.ts'
export { postgresError } from './errors.ts'
export { type Guest, type GuestOptions, visitPostgres } from './guest.ts'
export { createPostgres } from './open.ts'
export type { EmbeddedOptions, EngineLog, ExternalOptions, PostgresOptions } from './options.ts'
export type {
  ChangeStream,
  Isolation,
  Postgres,
  Result,
  Session,
  SessionCall,
  SessionResult,
  Sql,
} from './postgres.ts'
export { readChanges } from './read-changes.ts'
export { readPostgresRefusal } from './refusal.ts'
export type { ChangeSource } from './source.ts'
