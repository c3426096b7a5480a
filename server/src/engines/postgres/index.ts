export { type BulkConnection, openBulkConnection } from './bulk/bulk-connection.ts'
export { carryCluster, type UnsettledChanges } from './carry/carry-cluster.ts'
export { causeSql } from './cause.ts'
export { changesCaughtUp } from './changes/caught-up.ts'
export type { ChangeSource } from './changes/change-source.ts'
export { formatLsn, parseLsn } from './changes/lsn.ts'
export { readChanges } from './changes/read-changes.ts'
export { withoutPassword } from './connection/connection-string.ts'
export type { BaseBackup } from './copy/base-backup.ts'
export { type CopiedServer, openCopiedServer } from './copy/copied-server.ts'
export { type RecoveredCluster, recoverCluster } from './copy/recover.ts'
export type { TarEntry } from './copy/tar.ts'
export type { WalMessage, WalStart, WalStream } from './copy/wal-stream.ts'
export { type DumpSchemaOptions, dumpRows, dumpSchema } from './dump/dump-schema.ts'
export type { Editor, EditorChanges, EditorConnection, EditorResult } from './editor/editor.ts'
export { postgresError } from './errors.ts'
export { createPostgres } from './open.ts'
export type { EmbeddedOptions, EngineLog, ExternalOptions, PostgresOptions } from './options.ts'
export { connectOwner, type OwnerDatabase } from './owner-database.ts'
export { type PersonRows, personRows } from './person-table.ts'
export type {
  ChangeStream,
  CommandConnection,
  Commands,
  Isolation,
  Postgres,
  Reader,
  Result,
  Session,
  SessionCall,
  SessionResult,
  Sql,
} from './postgres.ts'
export { engineMigrations } from './prepare.ts'
export { checkBinaries, embeddedMajor, installedBinaries, majorOfBinaries } from './server/binaries.ts'
export { checkExternal } from './server/check-external.ts'
export { findClusterMajor, flushCluster } from './server/cluster.ts'
export { startServer } from './server/embedded-server.ts'
export { waitForStalePostmaster } from './server/stale-postmaster.ts'
export type { CommandOutcome } from './sql/command-query.ts'
export { classifyPostgresError, type DatabaseError, isDatabaseError, sqlStateOf, violates } from './sqlstate.ts'
export { connectStandalone, type StandaloneDatabase, type StandaloneOptions } from './standalone.ts'
