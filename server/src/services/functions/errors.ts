import { catalogue } from '../../ground/errors/catalogue.ts'

/** The failures that are the platform's, in the words of the reference (functions §1 to functions §3). */
export const functionsError = catalogue({
  MISSING_NAME: {
    status: 400,
    message: 'missing function name in request',
    hint: 'Call /functions/v1/<name>.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'Requested function was not found',
    hint: 'A function is a folder of supabase/functions with an index.ts; `clew functions list` names them.',
  },
  MISSING_AUTHORIZATION: {
    status: 401,
    message: 'Error: Missing authorization header',
    hint: 'Send a user’s token or a project key, or set verify_jwt = false for the function.',
  },
  NOT_BEARER: {
    status: 401,
    message: "Error: Auth header is not 'Bearer {token}'",
    hint: 'Send the token as `Authorization: Bearer <token>`.',
  },
  INVALID_JWT: {
    status: 401,
    message: 'Invalid JWT',
    hint: 'The token is malformed, expired or of another project: sign in again.',
  },
  BOOT_ERROR: {
    status: 503,
    message: 'Worker failed to boot (please check logs)',
    hint: 'The function’s log has the error with its file and line.',
  },
  WORKER_ERROR: {
    status: 500,
    message: 'Function exited due to an error (please check logs)',
    hint: 'The function’s log has the error that was not caught.',
  },
  WORKER_LIMIT: {
    status: 546,
    message: 'Worker failed to respond due to a resource limit (please check logs)',
    hint: 'The function’s log names the limit; limits are settings of [functions].',
  },
  REQUEST_TIMEOUT: {
    status: 504,
    message: 'request timed out',
    hint: 'The function did not begin to answer within head_seconds of [functions].',
  },
  NO_RUNTIME: {
    status: 503,
    message: 'Functions cannot run on this platform: the npm package `deno` has no binary for it',
    hint: 'Run Clew on Linux with glibc, on macOS or on Windows.',
  },
})

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
  CLEW_FUNCTIONS_DISK_FULL: {
    status: 507,
    message: 'The disk is full, so no version could be made or kept.',
    hint: 'Make room on the disk of the data directory, or of the database. What answered before answers still.',
  },
  CLEW_FUNCTIONS_SECRET: {
    status: 400,
    message: 'The secret cannot be set.',
    hint: 'The message says why; functions find secrets under their names in the environment.',
  },
})
