import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of notes on sessions. */
export const notesError = catalogue({
  CLEW_NOTES_NOT_FOUND: {
    status: 404,
    message: 'There is no such note.',
    hint: 'It may have been deleted: open the session again.',
  },
  CLEW_NOTES_NOT_YOURS: {
    status: 403,
    message: 'The note is of another operator.',
    hint: 'Only its author changes a note; its author and owners delete it.',
  },
  CLEW_NOTES_TOO_MANY: {
    status: 409,
    message: 'The session has too many notes.',
    hint: 'Delete one of them: the setting `[notes] per_session` says how many there may be.',
  },
})
