import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstanceFolders, WorkerPlace } from '../plan/instance.ts'
import type { Directory } from './directory.ts'

/** The folders of a process, and the socket on which the command line reaches it. */
export interface ProcessFolders extends InstanceFolders {
  readonly control: string
}

const spoolPrefix = 'worker-'

/** The folders of a process on its own, or of a worker: what it answered is stored by it, or by its successor. */
export async function openProcessFolders(directory: Directory, worker: WorkerPlace | null): Promise<ProcessFolders> {
  const { spool, sockets } = directory
  if (worker === null) {
    return { ...directory, spools: spool, run: sockets, leftSpools: await findLeftSpools(spool, 1) }
  }
  const { number, count, folder, isFirst } = worker
  await mkdir(folder, { recursive: true })
  // Users of functions' processes pass through.
  await chmod(folder, 0o711)
  // The first one's is that of a process on its own.
  const own = number === 1 ? spool : join(spool, `${spoolPrefix}${number}`)
  await mkdir(own, { recursive: true, mode: 0o700 })
  return {
    ...directory,
    spools: spool,
    spool: own,
    run: folder,
    leftSpools: isFirst ? await findLeftSpools(spool, count) : [],
    control: join(folder, 'control.sock'),
  }
}

/** Spools of workers with higher numbers than there are now. */
async function findLeftSpools(folder: string, count: number): Promise<readonly string[]> {
  const numbers = (await readdir(folder)).flatMap((name) =>
    name.startsWith(spoolPrefix) ? [Number(name.slice(spoolPrefix.length))] : [],
  )
  return numbers.filter((number) => number > count).map((number) => join(folder, `${spoolPrefix}${number}`))
}
