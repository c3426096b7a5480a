import type { IncomingMessage, ServerResponse } from 'node:http'
import inject from 'light-my-request'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { isObject } from '../../ground/json/object.ts'
import type { ConsoleRequest } from '../../ground/model/operator-actions.ts'
import { mcpError } from './errors.ts'

/** A request of the console's API. */
export interface ConsoleCall {
  readonly method: string
  /** Below `/console/api`, with its query. */
  readonly path: string
  readonly body?: object
}

/** Asks the console's API. @returns the parsed answer. @throws the error that it answers, as a `ServiceError` */
export type CallConsole = (call: ConsoleCall) => Promise<unknown>

/** The console's server of this process, and how its guard learns who asks. */
export interface ConsolePort {
  readonly dispatch: (incoming: IncomingMessage, outgoing: ServerResponse) => void
  /** Has the guard take `incoming`, made inside this process, as a request of the operator of `request`. */
  readonly actAs: (incoming: IncomingMessage, request: ConsoleRequest) => void
}

/**
 * Calls the console's API for the operator of a request, without a socket: rights, masks, limits and the audit log are those
 * of the routes.
 *
 * @param signal ends the call, and what it asked of the engines
 */
export const consoleCaller =
  (
    { dispatch, actAs }: ConsolePort,
    request: ConsoleRequest & { readonly headers: { host?: string | undefined } },
    signal: AbortSignal,
  ): CallConsole =>
  async ({ method, path, body }) => {
    if (signal.aborted) throw mcpError('CLEW_MCP_TOO_SLOW')
    const asked = inject(
      (incoming, outgoing) => {
        actAs(incoming, request)
        // As the end of a connection would, which is what the routes listen for.
        signal.addEventListener('abort', () => outgoing.destroy(), { once: true })
        dispatch(incoming, outgoing)
      },
      {
        method: method as 'GET',
        url: `/console/api${path}`,
        headers: { host: request.headers.host ?? 'localhost' },
        ...(request.ip === undefined ? {} : { remoteAddress: request.ip }),
        ...(body === undefined ? {} : { payload: body }),
      },
    )
    const answer = await asked.catch((cause: unknown) => {
      throw signal.aborted ? mcpError('CLEW_MCP_TOO_SLOW', { cause }) : cause
    })
    const value: unknown = answer.payload === '' ? null : JSON.parse(answer.payload)
    if (answer.statusCode >= 400) throw errorOf(answer.statusCode, value)
    return value
  }

/** The error that an answer tells of. */
function errorOf(status: number, body: unknown): ServiceError {
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  const text = (name: string): string => (typeof error[name] === 'string' ? error[name] : '')
  return new ServiceError({
    ...{ status, code: text('code'), message: text('message'), hint: text('hint'), details: error.details ?? null },
    ...{ wireHint: null, headers: {}, cause: undefined },
  })
}
