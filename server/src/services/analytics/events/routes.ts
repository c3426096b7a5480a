import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { parsePropertyFilter } from '../properties/filter.ts'
import type { EventPages } from './events.ts'
import { EventDetail, EventProperties, EventSummary, eventRanges } from './schemas.ts'

type ConsoleApp = Parameters<FastifyPluginAsyncTypebox>[0]

const tags = ['events']
const Word = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const Range = Type.Enum([...eventRanges], { default: '7d' })

/** On properties; a name and a value of the longest, and the operator between them. */
const Filter = Type.String({ minLength: 1, maxLength: 1300 })
const Filters = Type.Optional(
  Type.Union([Filter, Type.Array(Filter, { maxItems: 10 })], {
    description: 'On properties, all of which hold: `plan.exact.pro`, `total.gt.20`, `coupon.is_set`',
  }),
)

const listRoute = {
  operationId: 'events',
  tags,
  summary: 'Events of a range of time up to now, newest first',
  querystring: Type.Object({
    event: Word,
    person: Type.Optional(Type.String({ format: 'uuid' })),
    session: Word,
    filter: Filters,
    range: Range,
    before: Type.Optional(Type.String({ maxLength: 60 })),
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  }),
  response: {
    200: Type.Object({
      events: Type.Array(EventSummary),
      next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
    }),
  },
}

const namesRoute = {
  operationId: 'eventNames',
  tags,
  summary: 'The names of events, the most frequent first',
  querystring: Type.Object({ range: Range }),
  response: {
    200: Type.Object({ names: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })) }),
  },
}

const propertiesRoute = {
  operationId: 'eventProperties',
  tags,
  summary: 'The properties of the newest events of a range, the most frequent first',
  querystring: Type.Object({ event: Word, range: Range }),
  response: { 200: EventProperties },
}

const oneRoute = {
  operationId: 'event',
  tags,
  summary: 'One event with all its properties',
  params: Type.Object({ id: Type.String({ maxLength: 60 }) }),
  response: { 200: EventDetail },
}

/** Ids of a person beyond these are left out of a filter: bound values travel in the address. */
const mostIds = 50

/** What the routes of events need. */
export interface EventRoutesDeps {
  readonly pages: EventPages
  /** The ids of a person; null where there is no such person. */
  readonly idsOf: (personId: string, limit: number) => Promise<readonly string[] | null>
  readonly actions: OperatorActions
}

/** Events, which analysts see. */
export function eventRoutes(app: ConsoleApp, { pages, idsOf, actions }: EventRoutesDeps): void {
  app.get('/events', { schema: listRoute }, async (request) => {
    actions.check(request, 'look')
    const { event = null, person, session = null, range, limit } = request.query
    const distinctIds = person === undefined ? null : ((await idsOf(person, mostIds)) ?? [])
    const filters = [request.query.filter ?? []].flat().map(parsePropertyFilter)
    const before = request.query.before ?? null
    return pages.list({ event, distinctIds, session, group: null, filters, without: [], range, before, limit })
  })

  app.get('/event-names', { schema: namesRoute }, async (request) => {
    actions.check(request, 'look')
    return { names: await pages.names(request.query.range) }
  })

  app.get('/event-properties', { schema: propertiesRoute }, (request) => {
    actions.check(request, 'look')
    const { event = null, range } = request.query
    return pages.properties(event, range)
  })

  app.get('/events/:id', { schema: oneRoute }, (request) => {
    actions.check(request, 'look')
    return pages.one(request.params.id)
  })
}
