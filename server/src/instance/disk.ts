import { statfs } from 'node:fs/promises'
import type { DiskSpace, EngineHealth } from '../ground/model/health.ts'
import { repeatedly } from '../ground/retry/repeatedly.ts'

const mib = 1024 ** 2
/** Below this share of what should be free the disk counts as full: PostgreSQL and ClickHouse write pieces of that size. */
const fullShare = 1 / 16
/** What was refused for want of space is taken again at so many times the reserve, so that it does not change by the second. */
const enoughShare = 1.1
/** A disk of 500 MB a second has written less than twice the usual reserve by then. */
const pollMs = 1000

/** The disk of a folder, and how much of it is to stay free. */
export interface DiskOptions {
  readonly folder: string
  /** Below it health is degraded. */
  readonly wantedMib: number
  /** Below it nothing is taken in that can come later. */
  readonly reserveMib: number
  /** Reads the space of the disk; by default what the system says of the folder. */
  readonly read?: (folder: string) => Promise<DiskNumbers>
}

interface DiskNumbers {
  readonly freeBytes: number
  readonly totalBytes: number
}

/** The disk of the data directory, looked at every second. */
export interface DiskWatch extends DiskSpace {
  /** Looks at it now. */
  look(): Promise<void>
  /** Looks at it now: `degraded` below what should be free, `down` when the disk is nearly full. */
  health(): Promise<EngineHealth>
  close(): Promise<void>
}

/**
 * Watches the free space of a folder's disk.
 *
 * @throws what reading it throws the first time; later ones leave what was known
 */
export async function watchDisk(options: DiskOptions): Promise<DiskWatch> {
  const { folder, wantedMib, reserveMib, read = readSpace } = options
  let known = await read(folder)
  let isShort = known.freeBytes < reserveMib * mib
  const look = async (): Promise<void> => {
    known = await read(folder)
    isShort = known.freeBytes < reserveMib * mib * (isShort ? enoughShare : 1)
  }
  const looking = repeatedly(() => look().catch(() => undefined), pollMs)
  looking.start()
  return {
    look,
    freeBytes: () => known.freeBytes,
    totalBytes: () => known.totalBytes,
    isShort: () => isShort,
    async health() {
      await look()
      const freeMib = Math.floor(known.freeBytes / mib)
      const isFull = freeMib <= wantedMib * fullShare
      const state = isFull ? 'down' : isShort || freeMib < wantedMib ? 'degraded' : 'up'
      return {
        name: 'disk',
        state,
        detail: `${freeMib} MiB free for ${folder}${adviceOf(state, isShort, options)}`,
        pid: null,
      }
    },
    close: looking.close,
  }
}

function adviceOf(
  state: EngineHealth['state'],
  isShort: boolean,
  { wantedMib, reserveMib }: Pick<DiskOptions, 'wantedMib' | 'reserveMib'>,
): string {
  if (state === 'up') return ''
  const missed = isShort
    ? `the reserve of ${reserveMib} MiB (disk_reserve_mib) is reached`
    : `${wantedMib} MiB are to be (free_disk_mib)`
  const advice = `, ${missed}: make room, or give it a larger disk; `
  return isShort
    ? `${advice}until then events, recordings and files are refused, and requests are not recorded.`
    : `${advice}what cannot be written is refused.`
}

async function readSpace(folder: string): Promise<DiskNumbers> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}
