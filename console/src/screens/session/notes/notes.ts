import type { ReactNode } from 'react'
import type { Note } from '../../../lib/api/schemas.ts'

/** A note at its moment of the session. */
export interface TimedNote extends Note {
  readonly atMs: number
}

/** The notes on a session, and what changes them; each change ends when the list has it. */
export interface SessionNotes {
  /** By time; undefined until they are loaded. */
  readonly items: readonly TimedNote[] | undefined
  /** Stands in place of notes that cannot be had. */
  readonly problem: ReactNode
  readonly add: (atMs: number, text: string) => Promise<Note>
  readonly change: (id: string, text: string) => Promise<unknown>
  readonly remove: (id: string) => Promise<unknown>
}

/** The notes of a session as its screen shows them. */
export interface NotesPanel extends SessionNotes {
  /** The id of the note that is chosen. */
  readonly chosen: string | undefined
  /** The moment at which a note is being written, in milliseconds; undefined while none is. */
  readonly writingAtMs: number | undefined
  /** Begins a note at the moment that is shown. */
  readonly onWrite: () => void
  readonly onWritten: () => void
  readonly onChoose: (note: TimedNote) => void
  /** The address of the session at a note. */
  readonly linkTo: (note: TimedNote) => string
}
