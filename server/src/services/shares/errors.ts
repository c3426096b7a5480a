import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of links to sessions. */
export const sharesError = catalogue({
  CLEW_SHARES_NOT_FOUND: {
    status: 404,
    message: 'This link shows nothing.',
    hint: 'It may have expired or been revoked: ask the one who sent it for another.',
  },
  CLEW_SHARES_TOO_LONG: {
    status: 400,
    message: 'A link may not be valid so long.',
    hint: 'Choose fewer hours: the setting `[shares] max_hours` says how many.',
  },
  CLEW_SHARES_TOO_MANY: {
    status: 409,
    message: 'The session has too many valid links.',
    hint: 'Revoke one of them: the setting `[shares] per_session` says how many there may be.',
  },
  CLEW_SHARES_BUSY: {
    status: 503,
    message: 'Too many shared sessions are being sent.',
    hint: 'Try again in a moment; the setting `[shares] concurrent` says how many at a time.',
  },
})
