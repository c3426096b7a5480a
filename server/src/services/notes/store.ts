import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { constant, sql, typed } from '../../ground/sql/sql.ts'

/** A note as it is stored. */
export interface NoteRow {
  readonly id: string
  readonly sessionId: string
  readonly at: Date
  readonly text: string
  readonly createdBy: string
  readonly createdAt: Date
  readonly editedAt: Date | null
}

const columns = constant(`
  id, session_id as "sessionId", at, text, created_by as "createdBy", created_at as "createdAt", edited_at as "editedAt"`)

/** Stores a note unless the session has `limit` of them; one row with it, or none. */
export const insertNoteStatement = (note: Omit<NoteRow, 'editedAt'>, limit: number): Statement =>
  compile(sql`
    insert into clew_notes.notes (id, session_id, at, text, created_by, created_at)
    select ${typed(note.id, 'uuid')}, ${note.sessionId}, ${typed(note.at, 'timestamptz')}, ${note.text}, ${note.createdBy},
      ${typed(note.createdAt, 'timestamptz')}
    where (select count(*) from clew_notes.notes where session_id = ${note.sessionId}) < ${limit}
    returning ${columns}`)

/** The notes on a session, by their moment. */
export const selectNotesStatement = (sessionId: string): Statement =>
  compile(sql`
    select ${columns}
    from clew_notes.notes
    where session_id = ${sessionId}
    order by at, created_at, id
    limit 10000`)

export const selectNoteStatement = (id: string): Statement =>
  compile(sql`select ${columns} from clew_notes.notes where id = ${typed(id, 'uuid')}`)

/** Gives a note another text; one row with it, or none where it is gone. */
export const updateNoteStatement = (id: string, text: string, at: Date): Statement =>
  compile(sql`
    update clew_notes.notes
    set text = ${text}, edited_at = ${typed(at, 'timestamptz')}
    where id = ${typed(id, 'uuid')}
    returning ${columns}`)

export const deleteNoteStatement = (id: string): Statement =>
  compile(sql`delete from clew_notes.notes where id = ${typed(id, 'uuid')}`)
