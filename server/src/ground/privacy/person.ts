import type { MaskingWork } from './masks.ts'

/** Every way in which stores name one person. */
export interface Subject {
  /** Of analytics; null for a user that analytics do not know. */
  readonly personId: string | null
  /** Of auth; null for a visitor who never signed in. */
  readonly userId: string | null
  /** Ids of analytics, that of the user among them. */
  readonly distinctIds: readonly string[]
  /** Recorded sessions of theirs. */
  readonly sessionIds: readonly string[]
  /** E-mail addresses, phone numbers and names, as they are looked for in what is kept of others. */
  readonly texts: readonly string[]
  /** Whether a refusal of their ids stays, so that nothing more is stored of them. */
  readonly refuses: boolean
}

/** What became of the rows of a store. */
export interface ErasedRows {
  readonly removed: number
  /** Rows of others in which the person was named. */
  readonly rewritten: number
}

/** An erasure at work. */
export interface ErasureWork extends MaskingWork {
  /** Names the transaction that deletes rows of the application, as the history of rows has it. */
  readonly cause: string
}

/** A store of one room that keeps what a person did, or names them. */
export interface PersonStore {
  /** As a certificate names it: `events`. */
  readonly name: string
  /** How many rows are the person's own. */
  count(subject: Subject): Promise<number>
  /** Removes the person's own rows and replaces their name in those of others; bears repetition. */
  erase(subject: Subject, work: ErasureWork): Promise<ErasedRows>
  /** The person's own rows, each as the JSON of an object without a line break. */
  read(subject: Subject): AsyncIterable<string>
}

/** Ids of one statement: its values travel in an address, which ClickHouse reads to some 16 KiB. */
const idsAtOnce = 50

/** Ids in groups of at most fifty. */
export const inGroups = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, group) =>
    ids.slice(group * idsAtOnce, (group + 1) * idsAtOnce),
  )

/** The subject in parts of at most fifty ids of analytics each. */
export const partsOf = (subject: Subject): readonly Subject[] =>
  subject.distinctIds.length <= idsAtOnce
    ? [subject]
    : inGroups(subject.distinctIds).map((distinctIds) => ({ ...subject, distinctIds }))
