import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the thread's console routes. */
export const threadError = catalogue({
  CLEW_THREAD_CLIP: {
    status: 400,
    message: 'The session has no such stretch.',
    hint: 'A clip ends after it begins, and begins within the session.',
  },
  CLEW_THREAD_SESSION_NOT_FOUND: {
    status: 404,
    message: 'There is no session with this id.',
    hint: 'It may be older than the retention allows, or nothing of it has arrived yet.',
  },
  CLEW_THREAD_RECORDING_NOT_FOUND: {
    status: 404,
    message: 'This session has no recording.',
    hint: 'Recording may be switched off in the application, or its first message has not arrived yet.',
  },
  CLEW_THREAD_NO_PERSON: {
    status: 404,
    message: 'There is no such person.',
    hint: 'It may have been merged into another: open it from one of its events.',
  },
  CLEW_THREAD_PERSON_PLACE: {
    status: 400,
    message: 'The place on the line of time cannot be read.',
    hint: 'Send `before` as the page before gave it in `next`.',
  },
  CLEW_THREAD_REQUEST_NOT_FOUND: {
    status: 404,
    message: 'There is no request with this id.',
    hint: 'Requests are kept for the days of the setting `request_retention_days`.',
  },
  CLEW_THREAD_BAD_KEY: {
    status: 400,
    message: 'The row’s key could not be read.',
    hint: 'Send the key as a JSON object of column names and text values: ?key={"id":"42"}.',
  },
})
