import type { FrozenTables } from '../../../engines/clickhouse/index.ts'
import type { ArchiveWriter } from '../copies/archive-writer.ts'
import type { Manifest } from '../copies/manifest.ts'
import { copyFolder } from './copy-folder.ts'

/** ClickHouse of this instance, with its files. */
export interface ClickHouseSource {
  /** Has the parts of its tables stay as they are at one moment. */
  readonly freeze: () => Promise<FrozenTables>
  readonly dataDir: string
}

/** Definitions of tables, and mutations that are to be applied to their parts; the parts themselves are frozen. */
const besideParts =
  /^(metadata(\/.*)?|store(\/[^/]+){0,2}|store\/[^/]+\/[^/]+\/([^/]+\.sql|format_version\.txt|mutation_\d+\.txt))$/

/** Adds the tables of ClickHouse as they are at one moment. */
export async function copyClickHouse(
  writer: ArchiveWriter,
  { freeze, dataDir }: ClickHouseSource,
): Promise<NonNullable<Manifest['clickhouse']>> {
  const frozen = await freeze()
  try {
    await copyFolder(writer, dataDir, { isImmutable: false, mayGo: true, takes: (path) => besideParts.test(path) })
    await copyFolder(writer, frozen.folder, { isImmutable: true, mayGo: false })
    return { version: frozen.version, rows: frozen.rows }
  } finally {
    await frozen.release()
  }
}
