import { type BulkConnection, dumpSchema, isDatabaseError } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { quoteIdentifier, type Statement } from '../../ground/sql/postgres.ts'
import { splitStatements } from '../../ground/sql/split.ts'
import { atRows, type DumpHeader, headerOf } from './dump-header.ts'
import type { ImportItem } from './items.ts'
import { attachableSchemas, byReference, isManagedRole, isManagedSchema, isMapped, type Origin } from './managed.ts'
import { isManaged } from './plan-statement.ts'
import {
  beginStatements,
  countEncryptedFactorsStatement,
  exportSnapshotStatement,
  type SourceJob,
  type SourceParts,
  type SourceQueue,
  type SourceRole,
  type SourceSecret,
  type SourceTable,
  selectAttachmentsStatement,
  selectJobsStatement,
  selectMaterializedViewsStatement,
  selectPartsStatement,
  selectQueuesStatement,
  selectRolesStatement,
  selectSchemasStatement,
  selectSecretsStatement,
  selectSequencesStatement,
  selectTablesStatement,
} from './source-statements.ts'
import { copyFrom } from './target-statements.ts'

/** A database that is read. */
export interface ReadDatabaseDeps {
  readonly source: BulkConnection
  /** The connection string of `source`, for pg_dump's own connection. */
  readonly address: string
  readonly origin: Origin
  /** Whether jobs run at once, as they do in the source. */
  readonly activatesJobs: boolean
  /** Whether the vault's secrets are read, in plain text. */
  readonly readsSecrets: boolean
}

/** Everything of a database, in the order in which it can be applied; one state of it, that of the first read. */
export async function* readDatabase({
  source,
  address,
  origin,
  activatesJobs,
  readsSecrets,
}: ReadDatabaseDeps): AsyncGenerator<ImportItem> {
  for (const statement of beginStatements()) await source.query(statement)
  const { rows: snapshots } = await source.query<{ snapshot: string }>(exportSnapshotStatement())
  const { rows: roles } = await source.query<SourceRole>(selectRolesStatement())
  for (const text of roleStatements(roles)) yield { kind: 'statement', text, isDumped: false }
  const snapshot = snapshots[0]?.snapshot
  const { rows: schemas } = await source.query<{ name: string }>(selectSchemasStatement())
  // What is not dumped need not be readable: pg_dump locks each table that it describes.
  const args = schemas
    .filter(({ name }) => isManagedSchema(name, origin) && !name.startsWith('pg_'))
    .map(({ name }) => `--exclude-schema=${quoteIdentifier(name)}`)
  const dump = await dumpSchema(address, { args, ...(snapshot === undefined ? {} : { snapshot }) })
  const [before, after] = atRows(applicationsOnly(splitStatements(dump), origin))
  for (const text of before) yield { kind: 'statement', text, isDumped: true }
  yield* readRows(source, origin)
  for (const text of after) yield { kind: 'statement', text, isDumped: true }
  const { rows: views } = await source.query<DefinitionRow>(selectMaterializedViewsStatement())
  for (const { schema, text } of views)
    if (!isManagedSchema(schema, origin)) yield { kind: 'statement', text, isDumped: false }
  if (origin === 'supabase') yield* readPlatform(source, activatesJobs, readsSecrets)
}

function applicationsOnly(statements: readonly string[], origin: Origin): readonly string[] {
  let header: DumpHeader | null = null
  return statements.filter((text) => {
    header = headerOf(text, header)
    return !isManaged(header, origin)
  })
}

interface DefinitionRow {
  readonly schema: string
  readonly text: string
}

async function* readRows(source: BulkConnection, origin: Origin): AsyncGenerator<ImportItem> {
  const { rows: tables } = await source.query<SourceTable>(selectTablesStatement())
  const isMoved = ({ schema, name }: SourceTable) => !isManagedSchema(schema, origin) || isMapped(schema, name)
  // A stable order: among equals, the catalogue's.
  for (const table of tables.filter(isMoved).sort((a, b) => byReference(a.name, b.name))) {
    const { schema, name, columns, is_readable: isReadable } = table
    yield isReadable
      ? { kind: 'rows', schema, table: name, columns, open: () => source.copyOut(copyFrom(schema, name, columns)) }
      : { kind: 'note', text: `Left out: the rows of ${schema}.${name}, which the role may not read.` }
  }
  const { rows: sequences } = await source.query<DefinitionRow>(selectSequencesStatement())
  for (const { schema, text } of sequences)
    if (!isManagedSchema(schema, origin) || (origin === 'supabase' && schema === 'auth'))
      yield { kind: 'statement', text, isDumped: false }
}

/** What a Supabase project has beside its schemas: triggers and policies on platform's tables, jobs, secrets. */
async function* readPlatform(
  source: BulkConnection,
  activatesJobs: boolean,
  readsSecrets: boolean,
): AsyncGenerator<ImportItem> {
  const { rows: attachments } = await source.query<DefinitionRow & { function_schema: string | null }>(
    selectAttachmentsStatement(),
  )
  for (const { schema, function_schema: functions, text } of attachments)
    if (attachableSchemas.has(schema) && (functions === null || !isManagedSchema(functions, 'supabase')))
      yield { kind: 'statement', text, isDumped: false }
  const { rows: found } = await source.query<SourceParts>(selectPartsStatement())
  const parts = found[0]
  if (parts?.large_objects === true) yield { kind: 'note', text: 'Left out: large objects (pg_largeobject).' }
  if (parts?.factors === true) yield* notesOnFactors(source)
  if (parts?.cron === true) yield* readJobs(source, activatesJobs)
  if (parts?.pgmq === true) yield* readQueues(source)
  if (parts?.vault === true && readsSecrets) yield* readSecrets(source)
}

/** Rows that the role may not be allowed to read, or the reason why not: an error would end the transaction of the import. */
async function tryRead<Row>(source: BulkConnection, statement: Statement): Promise<readonly Row[] | string> {
  await source.query({ text: 'savepoint reading', values: [] })
  try {
    return (await source.query<Row>(statement)).rows
  } catch (error) {
    if (!isDatabaseError(error)) throw error
    return messageOf(error)
  } finally {
    await source.query({ text: 'rollback to savepoint reading', values: [] })
  }
}

async function* notesOnFactors(source: BulkConnection): AsyncGenerator<ImportItem> {
  const rows = await tryRead<{ count: number }>(source, countEncryptedFactorsStatement())
  const count = typeof rows === 'string' ? 0 : (rows[0]?.count ?? 0)
  if (count > 0)
    yield {
      kind: 'note',
      text: `Second factors that only the hosted service can decrypt, whose owners enrol again: ${count}.`,
    }
}

async function* readJobs(source: BulkConnection, activates: boolean): AsyncGenerator<ImportItem> {
  const rows = await tryRead<SourceJob>(source, selectJobsStatement())
  if (typeof rows === 'string') {
    yield { kind: 'note', text: `Left out: the scheduled jobs (${rows}).` }
    return
  }
  if (rows.length > 0)
    yield { kind: 'statement', text: 'create extension if not exists pg_cron with schema pg_catalog', isDumped: false }
  let paused = 0
  for (const { id, name, schedule, command, active } of rows) {
    const isActive = active && activates
    if (active && !isActive) paused += 1
    yield {
      kind: 'call',
      key: `job:${id}`,
      what: `the job ${name ?? id}`,
      text: `select cron.schedule_in_database($1, $2, $3, pg_catalog.current_database()::text, null, $4)`,
      values: [name ?? `imported ${id}`, schedule, command, isActive],
    }
  }
  if (paused > 0)
    yield {
      kind: 'note',
      text: `Scheduled jobs that do not run yet, as the source still runs them: ${paused}. They begin with: select cron.alter_job(jobid, active := true) from cron.job;`,
    }
}

/** Queues with their messages: their tables are the extension's, which no dump describes. */
async function* readQueues(source: BulkConnection): AsyncGenerator<ImportItem> {
  const queues = await tryRead<SourceQueue>(source, selectQueuesStatement())
  if (typeof queues === 'string') {
    yield { kind: 'note', text: `Left out: the queues (${queues}).` }
    return
  }
  for (const { name, is_unlogged: isUnlogged, is_partitioned: isPartitioned, tables, numbers } of queues) {
    if (isPartitioned) {
      yield { kind: 'note', text: `Left out: the queue ${name}, which is partitioned.` }
      continue
    }
    const text = isUnlogged ? 'select pgmq.create_unlogged($1)' : 'select pgmq.create($1)'
    yield { kind: 'call', key: `queue:${name}`, what: `the queue ${name}`, text, values: [name] }
    for (const { table, columns } of tables)
      yield {
        kind: 'rows',
        schema: 'pgmq',
        table,
        columns,
        open: () => source.copyOut(copyFrom('pgmq', table, columns)),
      }
    for (const statement of numbers) yield { kind: 'statement', text: statement, isDumped: false }
  }
}

async function* readSecrets(source: BulkConnection): AsyncGenerator<ImportItem> {
  const rows = await tryRead<SourceSecret>(source, selectSecretsStatement())
  if (typeof rows === 'string') {
    yield { kind: 'note', text: `Left out: the secrets of the vault (${rows}).` }
    return
  }
  if (rows.length > 0)
    yield {
      kind: 'statement',
      text: 'create extension if not exists supabase_vault with schema vault',
      isDumped: false,
    }
  for (const { id, name, description, secret } of rows)
    yield secret === null
      ? { kind: 'note', text: `Left out: the secret ${name ?? id}, which cannot be decrypted there.` }
      : {
          kind: 'call',
          key: `secret:${id}`,
          what: `the secret ${name ?? id}`,
          text: 'select vault.create_secret($1, $2, $3)',
          values: [secret, name, description ?? ''],
        }
}

/** Statements that make the roles of a source, their memberships and settings. */
function roleStatements(roles: readonly SourceRole[]): readonly string[] {
  const own = roles.filter(({ name, is_superuser: isSuperuser }) => !isManagedRole(name) && !isSuperuser)
  const names = new Set(own.map(({ name }) => name))
  const memberships = roles.flatMap(({ name, member_of: groups }) =>
    groups
      .filter(
        (group) => names.has(group) || (names.has(name) && isManagedRole(group) && !group.startsWith('supabase_')),
      )
      .filter(() => names.has(name) || name === 'authenticator' || name === 'postgres')
      .map((group) => `grant ${quoteIdentifier(group)} to ${quoteIdentifier(name)}`),
  )
  const settings = roles
    .filter(({ name }) => names.has(name) || name === 'authenticator')
    .flatMap(({ name, settings: pairs }) =>
      pairs
        .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
        .filter(([setting]) => names.has(name) || setting.startsWith('pgrst.'))
        .map(([setting, value]) => settingStatement(name, setting, value)),
    )
  return [...own.map(createRole), ...memberships, ...settings]
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A setting of a role in the database that is imported into: other databases of its cluster keep theirs. */
function settingStatement(role: string, setting: string, value: string): string {
  const name = setting.split('.').map(quoteIdentifier).join('.')
  // A list of names is stored as it was written; one literal would be one name.
  const written = setting === 'search_path' ? value : literal(value)
  const command = `alter role %I in database %I set ${name.replaceAll('%', '%%')} = ${written.replaceAll('%', '%%')}`
  return `do $do$ begin execute format(${literal(command)}, ${literal(role)}, current_database()); end $do$`
}

const createRole = (role: SourceRole): string =>
  [
    `create role ${quoteIdentifier(role.name)}`,
    role.can_login ? 'login' : 'nologin',
    role.inherits ? 'inherit' : 'noinherit',
    ...(role.bypasses ? ['bypassrls'] : []),
    ...(role.creates_roles ? ['createrole'] : []),
    ...(role.creates_databases ? ['createdb'] : []),
  ].join(' ')
