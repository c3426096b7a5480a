import { type Static, Type } from 'typebox'

const Instant = Type.String({ format: 'date-time' })
const Text = Type.String({ minLength: 1, maxLength: 4000, pattern: '\\S', description: 'Plain text' })

/** A note as it is written. */
export const NoteBody = Type.Object({
  sessionId: Type.String({ minLength: 1, maxLength: 200 }),
  at: Type.String({ format: 'date-time', description: 'Its moment, on the server’s clock' }),
  text: Text,
})

/** What is changed of a note. */
export const NoteChange = Type.Pick(NoteBody, ['text'])

/** A note at a moment of a session. */
export const Note = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    sessionId: Type.String(),
    at: Instant,
    text: Type.String(),
    createdBy: Type.String({ description: 'E-mail address' }),
    createdAt: Instant,
    editedAt: Type.Union([Instant, Type.Null()]),
    isMine: Type.Boolean({ description: 'Whether you wrote it, and may change it' }),
    canDelete: Type.Boolean({ description: 'Whether you may delete it' }),
  },
  { $id: 'Note' },
)

export type NoteBody = Static<typeof NoteBody>
export type Note = Static<typeof Note>
