import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Flags } from '../../../ground/flags/flags.ts'
import { Nullable } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { EventSummary } from '../events/schemas.ts'
import { renderFlags } from '../people/flags.ts'
import type { GroupPages } from './pages.ts'
import { GroupDetail, GroupFlags, GroupPerson, GroupSession, GroupSummary } from './schemas.ts'

type ConsoleApp = Parameters<FastifyPluginAsyncTypebox>[0]

const tags = ['groups']
const TypeName = Type.String({ minLength: 1, maxLength: 400 })
const TypeParams = Type.Object({ type: TypeName })
const GroupParams = Type.Object({ type: TypeName, key: Type.String({ minLength: 1, maxLength: 400 }) })
const Before = Type.Optional(Type.String({ maxLength: 420 }))
const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 50 })
const Next = Nullable(Type.String(), { description: 'Send it as `before` for the next page' })

const typesRoute = {
  operationId: 'groupTypes',
  tags,
  summary: 'The types of groups, by their numbers',
  response: {
    200: Type.Object({ types: Type.Array(Type.Object({ index: Type.Integer(), type: Type.String() })) }),
  },
}
const listRoute = {
  operationId: 'groups',
  tags,
  summary: 'Groups of a type, those seen latest first',
  params: TypeParams,
  querystring: Type.Object({
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: '^\\P{Cc}*$',
        description: 'The beginning of a key, or beginnings of words of the name',
      }),
    ),
    before: Before,
    limit: Limit,
  }),
  response: { 200: Type.Object({ groups: Type.Array(GroupSummary), next: Next }) },
}
const oneRoute = {
  operationId: 'group',
  tags,
  summary: 'One group: what is known of it, and what its events come to',
  params: GroupParams,
  response: { 200: GroupDetail },
}
const peopleRoute = {
  operationId: 'groupPeople',
  tags,
  summary: 'Who was seen in a group in the last 90 days, the latest first',
  params: GroupParams,
  response: { 200: Type.Object({ people: Type.Array(GroupPerson) }) },
}
const sessionsRoute = {
  operationId: 'groupSessions',
  tags,
  summary: 'Sessions of the last 90 days whose events named a group, those seen latest first',
  params: GroupParams,
  querystring: Type.Object({ before: Before, limit: Limit }),
  response: { 200: Type.Object({ sessions: Type.Array(GroupSession), next: Next }) },
}
const eventsRoute = {
  operationId: 'groupEvents',
  tags,
  summary: 'Events that named a group, newest first',
  params: GroupParams,
  querystring: Type.Object({
    event: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    before: Before,
    limit: Limit,
  }),
  response: { 200: Type.Object({ events: Type.Array(EventSummary), next: Next }) },
}
const flagsRoute = {
  operationId: 'groupFlags',
  tags,
  summary: 'What a group gets of the flags that count groups of its type, and why',
  params: GroupParams,
  response: { 200: GroupFlags },
}

/** What the routes of groups need. */
export interface GroupRoutesDeps {
  readonly pages: GroupPages
  readonly types: () => Promise<ReadonlyMap<number, string>>
  readonly flags: Pick<Flags, 'evaluate' | 'keysOverGroups'>
  readonly actions: OperatorActions
}

/** Groups, which analysts see as they see people. */
export function groupRoutes(app: ConsoleApp, { pages, types, flags, actions }: GroupRoutesDeps): void {
  app.get('/groups', { schema: typesRoute }, async (request) => {
    actions.check(request, 'look')
    return { types: [...(await types())].map(([index, type]) => ({ index, type })) }
  })

  app.get('/groups/:type', { schema: listRoute }, (request) => {
    actions.check(request, 'look')
    const { q = '', before = null, limit } = request.query
    return pages.list({ type: request.params.type, text: q.trim() || null, before, limit })
  })

  app.get('/groups/:type/:key', { schema: oneRoute }, (request) => {
    actions.check(request, 'look')
    return pages.one(request.params)
  })

  app.get('/groups/:type/:key/people', { schema: peopleRoute }, async (request) => {
    actions.check(request, 'look')
    return { people: await pages.people(request.params) }
  })

  app.get('/groups/:type/:key/sessions', { schema: sessionsRoute }, (request) => {
    actions.check(request, 'look')
    const { before = null, limit } = request.query
    return pages.sessions(request.params, before, limit)
  })

  app.get('/groups/:type/:key/events', { schema: eventsRoute }, (request) => {
    actions.check(request, 'look')
    const { event = null, before = null, limit } = request.query
    return pages.events({ ...request.params, event, before, limit })
  })

  app.get('/groups/:type/:key/flags', { schema: flagsRoute }, async (request) => {
    actions.check(request, 'look')
    const { type, key } = request.params
    const keys = await flags.keysOverGroups(type)
    const evaluated = await flags.evaluate({
      ...{ distinctId: '', anonymousId: null, deviceId: null, groups: { [type]: key }, personProperties: {} },
      ...{ groupProperties: {}, keys, runtime: null, contexts: [] },
    })
    return { flags: renderFlags(evaluated) }
  })
}
