import { useSyncExternalStore } from 'react'
import type { Playback } from '../../../player/playback.ts'
import { momentAt, type Timed } from './moments.ts'

/** The chosen moment, for as long as the playback stands on it: two can share a millisecond. */
export interface Picked {
  readonly id: string
  readonly atMs: number
}

/** Where in a list of moments the playback stands; drawn again only when that changes. */
export function useCurrent(playback: Playback, moments: readonly Timed[], picked: Picked | undefined): number {
  const read = () => {
    const { nowMs } = playback.state()
    if (picked && picked.atMs === nowMs) {
      const index = moments.findIndex((moment) => moment.id === picked.id)
      if (index >= 0) return index
    }
    return momentAt(moments, nowMs)
  }
  return useSyncExternalStore(playback.subscribe, read)
}

/** Reads one thing from the playback; drawn again only when it changes. */
export function usePlayback<Part extends string | number | boolean | null>(
  playback: Playback,
  read: (state: ReturnType<Playback['state']>) => Part,
): Part {
  return useSyncExternalStore(playback.subscribe, () => read(playback.state()))
}
