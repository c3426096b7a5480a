import type { Sql } from '../../engines/postgres/index.ts'
import { notesError } from './errors.ts'
import type { NoteBody } from './schemas.ts'
import type { NotesSettings } from './settings.ts'
import {
  deleteNoteStatement,
  insertNoteStatement,
  type NoteRow,
  selectNoteStatement,
  selectNotesStatement,
  updateNoteStatement,
} from './store.ts'

/** What notes need. */
export interface NotesDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly now: () => Date
  readonly newId: () => string
  readonly settings: NotesSettings
}

/** Notes at moments of sessions. */
export interface Notes {
  /** By their moment. */
  list(sessionId: string): Promise<readonly NoteRow[]>
  /** @throws CLEW_NOTES_NOT_FOUND */
  find(id: string): Promise<NoteRow>
  /** @param by e-mail address. @throws CLEW_NOTES_TOO_MANY */
  create(note: NoteBody, by: string): Promise<NoteRow>
  /** @throws CLEW_NOTES_NOT_FOUND */
  change(id: string, text: string): Promise<NoteRow>
  remove(id: string): Promise<void>
}

/** The notes of all operators, in their table. */
export function createNotes({ sql, now, newId, settings }: NotesDeps): Notes {
  const found = ([note]: readonly NoteRow[]): NoteRow => {
    if (note === undefined) throw notesError('CLEW_NOTES_NOT_FOUND')
    return note
  }
  return {
    list: async (sessionId) => (await sql.query<NoteRow>(selectNotesStatement(sessionId))).rows,
    find: async (id) => found((await sql.query<NoteRow>(selectNoteStatement(id))).rows),
    async create({ sessionId, at, text }, createdBy) {
      const note = { id: newId(), sessionId, at: new Date(at), text, createdBy, createdAt: now() }
      const { rows } = await sql.query<NoteRow>(insertNoteStatement(note, settings.perSession))
      if (rows[0] === undefined) throw notesError('CLEW_NOTES_TOO_MANY')
      return rows[0]
    },
    change: async (id, text) => found((await sql.query<NoteRow>(updateNoteStatement(id, text, now()))).rows),
    remove: async (id) => void (await sql.query(deleteNoteStatement(id))),
  }
}
