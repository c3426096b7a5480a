import { availableParallelism } from 'node:os'
import { createThreads, type Threads } from '../../engines/threads/index.ts'

/** More of them wait for the disk. */
const most = 4

/** Runs `body` with threads in which a backup is restored, one for each processor: the process itself has little to do. */
export async function withThreads<T>(body: (threads: Threads) => Promise<T>): Promise<T> {
  const threads = createThreads({ threads: Math.min(most, availableParallelism()) })
  try {
    return await body(threads)
  } finally {
    await threads.close()
  }
}
