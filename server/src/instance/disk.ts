import { statfs } from 'node:fs/promises'
import type { EngineHealth } from '../ground/model/health.ts'

const mib = 1024 ** 2
/** A disk with this much less than what should be free is as good as full: PostgreSQL and ClickHouse write in such pieces. */
const fullShare = 16

/**
 * How much room the data directory's disk has. `degraded` below what should be free; `down` when it is as good as full.
 *
 * @param wantedMib what should be free
 */
export async function diskHealth(folder: string, wantedMib: number): Promise<EngineHealth> {
  const { bavail, bsize } = await statfs(folder)
  const freeMib = Math.floor((bavail * bsize) / mib)
  const state = freeMib >= wantedMib ? 'up' : freeMib > wantedMib / fullShare ? 'degraded' : 'down'
  const advice = state === 'up' ? '' : ': make room, or give it a larger disk; what cannot be written is refused.'
  return { name: 'disk', state, detail: `${freeMib} MiB free for ${folder}${advice}`, pid: null }
}
