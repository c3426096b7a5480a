import { open, rm, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

const lookEveryMs = 20
/** Work on a small file is over long before: the process that left the lock was killed. */
const leftMs = 10_000

/**
 * Does work that reads a file and writes it anew, one at a time over all processes of a data directory: of two who did so
 * at once, what one of them wrote would be gone.
 *
 * @param path of the file; the lock stands beside it
 */
export async function inTurn<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  const lock = `${path}.lock`
  while (!(await take(lock))) await wait(lookEveryMs)
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const taken = await stat(lock).catch(() => null)
    if (taken !== null && Date.now() - taken.mtimeMs > leftMs) await rm(lock, { force: true })
    return false
  }
}
