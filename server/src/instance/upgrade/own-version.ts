import { readdir } from 'node:fs/promises'
import { packageVersion as clickhouseVersion } from '../../engines/clickhouse/index.ts'
import { engineMigrations, installedBinaries } from '../../engines/postgres/index.ts'
import { serviceTables } from '../../plan/tables/service-tables.ts'
import { version } from '../../version.ts'
import { instanceMigrations } from '../project/prepare-project.ts'
import type { OwnVersion } from './plan-upgrade.ts'

interface Rooms {
  readonly engine: 'postgres' | 'clickhouse'
  readonly room: string
  readonly folder: URL
}

/** What this program is, as a data directory is compared with it. */
export async function ownVersion(): Promise<OwnVersion> {
  const rooms: readonly Rooms[] = [
    ...engineMigrations.map(({ room, folder }) => ({ engine: 'postgres' as const, room, folder })),
    ...serviceTables.flatMap(({ name: room, postgres, clickhouse }) => [
      ...(postgres === undefined ? [] : [{ engine: 'postgres' as const, room, folder: postgres }]),
      ...(clickhouse === undefined ? [] : [{ engine: 'clickhouse' as const, room, folder: clickhouse }]),
    ]),
    { engine: 'postgres', room: 'instance', folder: instanceMigrations },
  ]
  const names = await Promise.all(rooms.map(namesOf))
  return {
    ...{ version, clickhouse: await clickhouseVersion(), migrations: names.flat().sort() },
    ...binariesHere(),
  }
}

/** An external PostgreSQL needs no binaries. */
function binariesHere(): Pick<OwnVersion, 'postgresBinaries'> {
  try {
    return { postgresBinaries: installedBinaries() }
  } catch {
    return {}
  }
}

async function namesOf({ engine, room, folder }: Rooms): Promise<readonly string[]> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name))
  return files.map((name) => `${engine}/${room}/${name.slice(0, -4)}`)
}
