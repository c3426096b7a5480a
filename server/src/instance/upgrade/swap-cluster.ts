import { lstat, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { flushFolder } from './version-record.ts'

/** Where a new cluster is made: no state of the data directory while it has this name. */
export const draftOf = (cluster: string): string => `${cluster}.next.new`
/** The new cluster, whole: once it has this name, it is the cluster. */
const nextOf = (cluster: string): string => `${cluster}.next`
/** The cluster before, until it is removed. */
const beforeOf = (cluster: string): string => `${cluster}.before`

/**
 * Puts the draft in place of a cluster, on which no server runs.
 *
 * @param step called before each change of the disk
 */
export async function swapCluster(cluster: string, step: () => void = () => undefined): Promise<void> {
  step()
  await rename(draftOf(cluster), nextOf(cluster))
  await flushFolder(dirname(cluster))
  await finishSwap(cluster, step)
}

/** Ends what a killed process has begun: two folders do not change their names at once. */
export async function finishSwap(cluster: string, step: () => void = () => undefined): Promise<void> {
  if (await exists(nextOf(cluster))) {
    if (await exists(cluster)) {
      step()
      await rename(cluster, beforeOf(cluster))
    }
    step()
    await rename(nextOf(cluster), cluster)
    await flushFolder(dirname(cluster))
  }
  step()
  await rm(beforeOf(cluster), { recursive: true, force: true })
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
