import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type RecoveredCluster, recoverCluster } from '../../engines/postgres/index.ts'
import { type Directory, directoryOf } from '../../instance/directory.ts'

/**
 * Opens a restored database once, on a separate socket.
 *
 * @param folder of its cluster
 * @param until  what was committed later is left out
 */
export async function recoverIn(folder: string, until: Date | null): Promise<RecoveredCluster> {
  const directory = directoryOf(folder)
  const leave = await makeSockets(directory)
  try {
    return await recoverCluster(clusterOf(directory, folder), until)
  } finally {
    await leave()
  }
}

/** How a copied cluster is started. */
export const clusterOf = ({ sockets }: Directory, dataDir: string) => ({
  kind: 'embedded' as const,
  dataDir,
  socketDir: join(sockets, 'postgres'),
  port: null,
  password: '',
  log: () => undefined,
})

/** Makes the folder for the sockets of a copy. @returns what removes it */
export async function makeSockets({ sockets }: Directory): Promise<() => Promise<void>> {
  await mkdir(sockets, { recursive: true, mode: 0o711 })
  return () => rm(sockets, { recursive: true, force: true })
}
