import { queryOptions } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { WhyAnswer, WhyTried } from '../../lib/api/schemas.ts'
import type { WhySearch } from './search.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
export type WhyMethod = (typeof methods)[number]

/** The methods that can be asked about. */
export const whyMethods: readonly WhyMethod[] = methods

const kinds = ['anon', 'authenticated', 'service_role', 'user'] as const
export type WhyCaller = (typeof kinds)[number]

export const callerOf = ({ as }: WhySearch): WhyCaller => kinds.find((kind) => kind === as) ?? 'anon'

/** Whether a link asks anything yet. */
export const isAsked = ({ request, path }: WhySearch): boolean => request !== undefined || path !== undefined

/** Why an answer is as it is. Each question stands in the audit log, so it is asked once. */
export const whyQuery = (search: WhySearch) =>
  queryOptions({
    queryKey: ['why', search],
    queryFn: ({ signal }) => ask(search, signal),
    enabled: isAsked(search),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

function ask(search: WhySearch, signal: AbortSignal): Promise<WhyAnswer> {
  const { request, body } = search
  if (request !== undefined) return api.whyOfRequest(request, body === undefined ? {} : { body }, { signal })
  return api.why(questionOf(search), { signal })
}

/** What the asked request would be answered after some SQL, which is rolled back. */
export function trySql(search: WhySearch, sql: string): Promise<WhyTried> {
  const { request, body } = search
  if (request !== undefined) return api.tryOnRequest(request, { sql, ...(body !== undefined && { body }) })
  return api.tryOnQuestion({ ...questionOf(search), sql })
}

function questionOf(search: WhySearch) {
  const { method, path = '', query = '', user, body } = search
  return {
    method: methods.find((one) => one === method) ?? 'GET',
    ...{ path, query },
    as: { kind: callerOf(search), ...(user !== undefined && { user }) },
    ...(body !== undefined && { body }),
  }
}
