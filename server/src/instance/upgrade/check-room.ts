import { statfs } from 'node:fs/promises'
import { instanceError } from '../../errors.ts'

const mib = 1024 ** 2

/**
 * Checks that a data directory's disk has room for something, beside what stays free.
 *
 * @param what begins the sentence, as `A restore point of …`
 * @throws CLEW_UPGRADE_DISK
 */
export async function checkRoom(data: string, what: string, neededBytes: number, reserveBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(data)
  if (bavail * bsize - reserveBytes >= neededBytes) return
  const [needed, free] = [neededBytes, bavail * bsize].map((bytes) => Math.ceil(bytes / mib))
  throw instanceError('CLEW_UPGRADE_DISK', {
    message: `${what} takes ${needed} MiB, and ${free} MiB are free, of which ${reserveBytes / mib} stay so.`,
  })
}
