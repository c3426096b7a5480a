import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from './client.ts'
import type { GroupName } from './schemas.ts'

/** The requests of people, of groups, of their events, and of errors. */
export const peopleApi = {
  events: (query: QueryOf<'events'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/events', { params: { query }, ...cancel(options) })),
  eventNames: (query: QueryOf<'eventNames'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/event-names', { params: { query }, ...cancel(options) })),
  eventProperties: (query: QueryOf<'eventProperties'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/event-properties', { params: { query }, ...cancel(options) })),
  event: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/events/{id}', { params: { path: { id } }, ...cancel(options) })),
  people: (query: QueryOf<'people'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/people', { params: { query }, ...cancel(options) })),
  person: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/people/{id}', { params: { path: { id } }, ...cancel(options) })),
  splitPerson: (id: string, distinctIds: readonly string[]) =>
    bodyOf(
      client.POST('/console/api/people/{id}/split', {
        params: { path: { id } },
        body: { distinctIds: [...distinctIds] },
      }),
    ),
  personLine: (id: string, query: QueryOf<'personLine'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/people/{id}/line', { params: { path: { id }, query }, ...cancel(options) })),
  personFlags: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/people/{id}/flags', { params: { path: { id } }, ...cancel(options) })),
  groups: (type: string, query: QueryOf<'groups'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/groups/{type}', { params: { path: { type }, query }, ...cancel(options) })),
  group: (path: GroupName, options?: Cancel) =>
    bodyOf(client.GET('/console/api/groups/{type}/{key}', { params: { path }, ...cancel(options) })),
  groupPeople: (path: GroupName, options?: Cancel) =>
    bodyOf(client.GET('/console/api/groups/{type}/{key}/people', { params: { path }, ...cancel(options) })),
  groupSessions: (path: GroupName, query: QueryOf<'groupSessions'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/groups/{type}/{key}/sessions', { params: { path, query }, ...cancel(options) })),
  groupEvents: (path: GroupName, query: QueryOf<'groupEvents'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/groups/{type}/{key}/events', { params: { path, query }, ...cancel(options) })),
  groupFlags: (path: GroupName, options?: Cancel) =>
    bodyOf(client.GET('/console/api/groups/{type}/{key}/flags', { params: { path }, ...cancel(options) })),
  errors: (query: QueryOf<'errors'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/errors', { params: { query }, ...cancel(options) })),
  error: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/errors/{id}', { params: { path: { id } }, ...cancel(options) })),
  errorExceptions: (id: string, query: QueryOf<'errorExceptions'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/errors/{id}/exceptions', { params: { path: { id }, query }, ...cancel(options) })),
  errorException: (id: string, exception: string, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/errors/{id}/exceptions/{exception}', {
        params: { path: { id, exception } },
        ...cancel(options),
      }),
    ),
  changeError: (id: string, body: BodyOf<'changeError'>) =>
    bodyOf(client.PATCH('/console/api/errors/{id}', { params: { path: { id } }, body })),
  mergeErrors: (id: string, ids: string[]) =>
    bodyOf(client.POST('/console/api/errors/{id}/merge', { params: { path: { id } }, body: { ids } })),
  errorRules: (options?: Cancel) => bodyOf(client.GET('/console/api/error-rules', cancel(options))),
  replaceErrorRules: (body: BodyOf<'replaceErrorRules'>) => bodyOf(client.PUT('/console/api/error-rules', { body })),
}
