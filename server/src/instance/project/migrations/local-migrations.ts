import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** A migration's file, `<version>_<name>.sql`. */
export interface LocalMigration {
  readonly version: string
  readonly name: string
  /** From the project folder. */
  readonly path: string
  readonly text: string
}

/** Where a project folder has its migrations. */
export const migrationsFolder = (folder: string): string => join(folder, 'supabase', 'migrations')

/** Before this version `<version>_init.sql` was a dump of the whole platform, which the Supabase CLI skips (project-folder §1). */
const firstInit = '20211209000000'

const fileName = /^(?<version>[0-9]+)_(?<name>.*)\.sql$/

/**
 * The migrations of a project folder in the order of their file names; none where it has no such folder.
 *
 * @param log told of files that are named otherwise
 */
export async function readLocalMigrations(
  folder: string,
  log: (line: string) => void,
): Promise<readonly LocalMigration[]> {
  const names = await readdir(migrationsFolder(folder)).catch((error: { code?: unknown }) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found: LocalMigration[] = []
  for (const file of names.sort()) {
    const { version, name } = fileName.exec(file)?.groups ?? {}
    if (version === undefined || name === undefined) {
      log(`${file} is skipped: a migration is named <digits>_<name>.sql.`)
      continue
    }
    if (name === 'init' && version.length === firstInit.length && version < firstInit) {
      log(`${file} is skipped: dumps of that age hold the platform's own tables.`)
      continue
    }
    const path = join(migrationsFolder(folder), file)
    found.push({ version, name, path: relative(folder, path), text: await readFile(path, 'utf8') })
  }
  return found
}
