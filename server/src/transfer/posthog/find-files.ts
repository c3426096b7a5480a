import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { instanceError } from '../../errors.ts'
import { isSourceName } from './rows.ts'

/** The files of paths by name: those of folders, and what is named itself. @throws CLEW_IMPORT_FILE */
export async function findFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const isFolder = await stat(path).then(
        (entry) => entry.isDirectory(),
        (cause: unknown) => {
          throw instanceError('CLEW_IMPORT_FILE', { message: `${path} cannot be read.`, cause })
        },
      )
      if (!isFolder) return [path]
      const names = await readdir(path, { recursive: true })
      return names.filter(isSourceName).map((name) => join(path, name))
    }),
  )
  const files = [...new Set(found.flat())].sort()
  if (files.length === 0)
    throw instanceError('CLEW_IMPORT_FILE', {
      message: `There is no .jsonl, .json or .parquet file below ${paths.join(', ')}.`,
    })
  return files
}
