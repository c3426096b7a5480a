/** The error response of the console's API; `requestId` finds the request in Requests and in the log. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly hint: string | null
  readonly requestId: string | null

  constructor(facts: {
    status: number
    code: string
    message: string
    hint: string | null
    requestId: string | null
    cause?: unknown
  }) {
    super(facts.message, { cause: facts.cause })
    this.status = facts.status
    this.code = facts.code
    this.hint = facts.hint
    this.requestId = facts.requestId
  }
}

/** Reads an error response; a proxy's page in place of one still gives its status and the request's id. */
export async function readError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const error = isRecord(body) && isRecord(body.error) ? body.error : {}
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return new ApiError({
    status: response.status,
    code: text(error.code) ?? `HTTP_${response.status}`,
    message: text(error.message) ?? `Clew answered ${response.status}.`,
    hint: text(error.hint),
    requestId: text(error.requestId) ?? response.headers.get('x-request-id'),
  })
}

/** The error of a request that nothing answered: status 0, code `CLEW_CONSOLE_UNREACHABLE`. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError({
    status: 0,
    code: 'CLEW_CONSOLE_UNREACHABLE',
    message: 'Clew does not answer.',
    hint: 'Check that it is still running: clew status.',
    requestId: null,
    cause,
  })
}

/** Whether an error means that no operator is signed in. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** A failure in one line, as forms show it: what happened and what to do. */
export const errorText = (error: Error): string =>
  error instanceof ApiError && error.hint ? `${error.message} ${error.hint}` : error.message

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Whether a read that has failed so often is tried once more: what nothing answered, or a proxy in place of Clew. */
export const retryUnanswered = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502)
