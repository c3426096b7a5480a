import { availableParallelism } from 'node:os'
import { createThreads, type Threads } from '../../engines/threads/index.ts'

/** More of them wait for the disk. */
const most = 4
/** One waits for the disk, which takes what it writes, while the other reads and digests. */
const perProcessor = 2

/** Runs `body` with threads in which a backup is restored: the process itself has little to do. */
export async function withThreads<T>(body: (threads: Threads) => Promise<T>): Promise<T> {
  const threads = createThreads({ threads: Math.min(most, perProcessor * availableParallelism()) })
  try {
    return await body(threads)
  } finally {
    await threads.close()
  }
}
