// Makes the data of both engines as the migrations of all services leave them: `tsx make-engines.ts <folder>`.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createClickHouse } from '../src/engines/clickhouse/index.ts'
import { createPostgres } from '../src/engines/postgres/index.ts'
import { instanceMigrations } from '../src/instance/project/prepare-project.ts'
import { serviceTables } from '../src/plan/tables/service-tables.ts'

const [, , folder = ''] = process.argv
const log = (line: string): void => console.warn(line)

await Promise.all([makePostgres(), makeClickHouse()])

async function makePostgres(): Promise<void> {
  const vaultKeys = randomBytes(64)
  const postgres = await createPostgres({
    kind: 'embedded',
    dataDir: join(folder, 'postgres'),
    socketDir: join(folder, 's'),
    port: null,
    password: '',
    vaultKeys: () => vaultKeys,
    exposedSchemas: ['public'],
    poolSize: 1,
    log,
  })
  for (const { name, postgres: files } of serviceTables) if (files !== undefined) await postgres.migrate(name, files)
  await postgres.migrate('instance', instanceMigrations)
  await postgres.close()
}

async function makeClickHouse(): Promise<void> {
  const clickhouse = createClickHouse({
    kind: 'embedded',
    dataDir: join(folder, 'clickhouse'),
    socketPath: join(folder, 'clickhouse.sock'),
    memoryBytes: 300 * 1024 ** 2,
    log,
  })
  for (const { name, clickhouse: files } of serviceTables)
    if (files !== undefined) await clickhouse.migrate(name, files)
  await clickhouse.close()
}
