import { catalogue } from '../ground/errors/catalogue.ts'

/** The errors that keep the REST service alone from starting. They are printed; their status is the process's exit code. */
export const postgrestError = catalogue({
  CLEW_REST_CONFIGURATION: {
    status: 1,
    message: 'The configuration cannot be used.',
    hint: 'Correct it where it was set: the file, the environment (PGRST_…) or the database.',
  },
  CLEW_REST_DATABASE: {
    status: 1,
    message: 'Database connection error.',
    hint: 'Check db-uri, its password and that PostgreSQL accepts the connection.',
  },
  CLEW_REST_LISTEN: {
    status: 1,
    message: 'The server could not listen.',
    hint: 'Stop what listens there, or choose another port or socket.',
  },
  CLEW_REST_NOT_READY: {
    status: 1,
    message: 'The server is not ready.',
    hint: 'Look at its log, or ask its admin server for /ready.',
  },
})
