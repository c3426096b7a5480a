import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Occurrences } from '../../ground/experiments/experiment.ts'
import { experimentsError } from './errors.ts'

/** Ids and their occurrences that are read before other work has its turn: some milliseconds. */
const weightOfSlice = 2_000

/** What is read of ids, one after another. */
export interface Slices<Read> {
  /** @throws CLEW_EXPERIMENTS_TOO_LARGE */
  add(read: Read): Promise<void>
  /** Folds what is left. */
  end(): Promise<void>
}

/** Gathers what is read of ids, and folds a slice of it at a time. */
export function createSlices<Read extends { readonly id: string; readonly events?: Occurrences['events'] }>(
  maxIds: number,
  fold: (slice: readonly Read[]) => Promise<void>,
): Slices<Read> {
  let slice: Read[] = []
  let weight = 0
  let ids = 0
  const end = async (): Promise<void> => {
    await fold(slice)
    slice = []
    weight = 0
    await nextTurn()
  }
  return {
    async add(read) {
      ids += 1
      if (ids > maxIds) throw experimentsError('CLEW_EXPERIMENTS_TOO_LARGE')
      slice.push(read)
      weight += 1 + (read.events?.length ?? 0)
      if (weight >= weightOfSlice) await end()
    },
    end,
  }
}
