import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

const script = "process.stdout.write(require(process.argv[1]).query('select version()', 'TabSeparated'))"

/**
 * Says which version the embedded engine is, for a look at what a start needs; throws as a start would. Asked in a
 * process of its own, for the library takes two hundred megabytes and is never given back.
 */
export async function checkBinaries(): Promise<string> {
  const library = createRequire(import.meta.url).resolve('chdb')
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script, library])
  return `ClickHouse ${stdout.trim()}`
}
