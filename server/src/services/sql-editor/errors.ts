import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the console's SQL editor. A statement that fails is an answer, not one of these. */
export const sqlEditorError = catalogue({
  CLEW_SQL_EMPTY: {
    status: 400,
    message: 'There is no statement to run.',
    hint: 'Write one; comments alone do nothing.',
  },
  CLEW_SQL_ONE_STATEMENT: {
    status: 400,
    message: 'One statement at a time is explained.',
    hint: 'Select the one that is meant.',
  },
  CLEW_SQL_RUN_TAKEN: {
    status: 409,
    message: 'A run with this id is under way.',
    hint: 'Give each run an id of its own.',
  },
  CLEW_SQL_BUSY: {
    status: 429,
    message: 'As many runs as max_runs of [sqlEditor] allows are under way or wait to be committed.',
    hint: 'Commit or roll back what waits, or try again in a moment.',
  },
  CLEW_SQL_NOT_HELD: {
    status: 410,
    message: 'This change is no longer held.',
    hint: 'It was decided already, or its time was over and it was rolled back: run it again.',
  },
  CLEW_SQL_QUERY_NOT_FOUND: {
    status: 404,
    message: 'There is no such query.',
    hint: 'It may have been deleted: reload the list.',
  },
  CLEW_SQL_TOO_MANY_QUERIES: {
    status: 409,
    message: 'There are as many saved queries as max_queries of [sqlEditor] allows.',
    hint: 'Delete some, or raise the setting.',
  },
})
