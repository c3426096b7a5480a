/** What stands in place of a masked value. */
export const maskedText = '[masked]'

/** A column of a table under one of the names that it has or had. */
export interface MaskedColumn {
  readonly schema: string
  readonly table: string
  readonly column: string
}

/** What is masked. */
export interface MaskList {
  readonly columns: readonly MaskedColumn[]
  /** Names of properties of events, persons and groups. */
  readonly properties: readonly string[]
}

/** What is masked at the moment, asked right before data are stored. */
export interface Masks {
  /** Rejects when it cannot be known: what waits to be stored is held back then. */
  current(): Promise<MaskList>
}

/** Of tests, and of parts that run by themselves: nothing is masked. */
export const noMasks: Masks = { current: async () => ({ columns: [], properties: [] }) }

/** Where a job is with one store. */
export interface MaskingWork {
  readonly signal: AbortSignal
  /** To be called again and again while it works. @param part of the store that is done, from 0 to 1 */
  progress(part: number): Promise<void>
}

/** A store of one room whose past can be masked. */
export interface MaskedStore {
  /** As the record of a job names it: `events`. */
  readonly name: string
  /** Masks what is stored and resolves to the number of rows that held something; bears repetition. */
  mask(list: MaskList, work: MaskingWork): Promise<number>
}
