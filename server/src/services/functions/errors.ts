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
