import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of the console's functions, and of deployments by the command line. */
export const manageError = catalogue({
  CLEW_FUNCTIONS_NOT_FOUND: {
    status: 404,
    message: 'There is no such function.',
    hint: '`clew functions list` names them.',
  },
  CLEW_FUNCTIONS_NO_VERSION: {
    status: 404,
    message: 'This version is not kept.',
    hint: '`clew functions versions <name>` names those that are; kept_versions of [functions] says how many.',
  },
  CLEW_FUNCTIONS_NO_FILE: {
    status: 404,
    message: 'The version has no such file.',
    hint: 'Ask for the list of its files.',
  },
  CLEW_FUNCTIONS_BROKEN: {
    status: 422,
    message: 'The function does not start, and the version before stays.',
    hint: 'Correct the source at the place that is named, and deploy again.',
  },
  CLEW_FUNCTIONS_UPLOAD: {
    status: 400,
    message: 'The deployment cannot be read.',
    hint: 'Send a form with a part `metadata` (JSON) and a part `file` for each file, named by its path in the project.',
  },
  CLEW_FUNCTIONS_TOO_LARGE: {
    status: 413,
    message: 'The function’s files are larger than bundle_mib of [functions] allows.',
    hint: 'Leave out what it does not need, or raise the setting.',
  },
  CLEW_FUNCTIONS_IN_FOLDER: {
    status: 409,
    message: 'The function is in the project folder of the instance.',
    hint: 'Delete its folder; the instance takes what the folder has.',
  },
  CLEW_FUNCTIONS_BUSY: {
    status: 503,
    message: 'Other deployments are running.',
    hint: 'Try again in a moment.',
  },
  CLEW_FUNCTIONS_SECRET: {
    status: 400,
    message: 'The secret cannot be set.',
    hint: 'The message says why; functions find secrets under their names in the environment.',
  },
})
