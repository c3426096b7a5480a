import { statfs } from 'node:fs/promises'
import type { EngineHealth } from '../ground/model/health.ts'

const mib = 1024 ** 2
/** Below this share of what should be free the disk counts as full: PostgreSQL and ClickHouse write pieces of that size. */
const fullShare = 1 / 16

/**
 * The free space on the data directory's disk: `degraded` below `wantedMib`, `down` when the disk is nearly full.
 *
 * @param wantedMib the space that should be free
 */
export async function diskHealth(folder: string, wantedMib: number): Promise<EngineHealth> {
  const { bavail, bsize } = await statfs(folder)
  const freeMib = Math.floor((bavail * bsize) / mib)
  const state = freeMib >= wantedMib ? 'up' : freeMib > wantedMib * fullShare ? 'degraded' : 'down'
  const advice = state === 'up' ? '' : ': make room, or give it a larger disk; what cannot be written is refused.'
  return { name: 'disk', state, detail: `${freeMib} MiB free for ${folder}${advice}`, pid: null }
}
