import createClient from 'openapi-fetch'
import type { operations, paths } from './api.gen.ts'
import { readError, unreachable } from './api-error.ts'

/** The console's API, by the types of its OpenAPI document. @throws ApiError, with status 0 when nothing answers */
export const client = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  fetch: (request) => globalThis.fetch(request),
})

client.use({
  async onResponse({ response }) {
    if (!response.ok) throw await readError(response)
  },
  onError({ request, error }) {
    // A cancelled request is no error of the server.
    return request.signal.aborted ? undefined : unreachable(error)
  },
})

/** The body of an answer. */
export async function bodyOf<Body>(
  request: Promise<{ readonly data: Body } | { readonly data?: never; readonly error: unknown }>,
): Promise<Body> {
  const answer = await request
  // The middleware has thrown error responses already; only the types do not know.
  if ('error' in answer) throw answer.error
  return answer.data
}

/** Options of a request that ends with its screen. */
export interface Cancel {
  readonly signal?: AbortSignal | undefined
}

/** The signal as the client takes it. */
export const cancel = ({ signal }: Cancel = {}) => ({ signal: signal ?? null })

/** The query of an operation. */
export type QueryOf<Name extends keyof operations> = Readonly<NonNullable<operations[Name]['parameters']['query']>>
/** The body of an operation. */
export type BodyOf<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
