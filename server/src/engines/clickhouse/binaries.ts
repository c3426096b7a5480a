import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const script = "process.stdout.write(require(process.argv[1]).query('select version()', 'TabSeparated'))"

/** The version of the package that holds the embedded engine, which is read without loading it. */
export async function packageVersion(): Promise<string> {
  const folder = dirname(createRequire(import.meta.url).resolve('chdb'))
  // A file of the package, checked by npm.
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return version
}

/**
 * Says which version the embedded engine is, for a look at what a start needs; throws as a start would. Asked in a
 * process of its own, for the library takes two hundred megabytes and is never given back.
 */
export async function checkBinaries(): Promise<string> {
  const library = createRequire(import.meta.url).resolve('chdb')
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, library])
  return `ClickHouse ${stdout.trim()}`
}
