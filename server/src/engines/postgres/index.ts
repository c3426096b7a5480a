export { checkBinaries } from './binaries.ts'
export { postgresError } from './errors.ts'
export { createPostgres } from './open.ts'
export type { EmbeddedOptions, EngineLog, ExternalOptions, PostgresOptions } from './options.ts'
export type {
  ChangeStream,
  Postgres,
  Result,
  Session,
  SessionCall,
  SessionResult,
  Sql,
} from './postgres.ts'
