import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Nullable } from '../../ground/http/schemas.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { Analytics } from './analytics.ts'
import { withdrawalRoutes } from './erasure/routes.ts'
import { analyticsError } from './errors.ts'
import { eventRoutes } from './events/routes.ts'
import { type PeopleRoutesDeps, personRoutes } from './people/routes.ts'

const tags = ['people']
const PersonParams = Type.Object({ id: Type.String({ format: 'uuid' }) })
const DistinctId = Type.String({ minLength: 1, maxLength: 200 })
const idsShown = 1000
const mostSplit = 200

/** Persons in the console: analysts see ids, owners and developers separate them. */
export function peopleRoutes(
  analytics: Pick<
    Analytics,
    'people' | 'eventPages' | 'splitPerson' | 'distinctIdsOf' | 'groupTypes' | 'groupProperties' | 'erasures'
  >,
  { actions, ...others }: Omit<PeopleRoutesDeps, 'people'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    eventRoutes(app, { pages: analytics.eventPages, idsOf: analytics.distinctIdsOf, actions })
    personRoutes(app, { ...others, people: analytics.people, actions })
    const ids = {
      operationId: 'personIds',
      tags,
      summary: 'The ids of a person, the first thousand by name',
      params: PersonParams,
      response: { 200: Type.Object({ distinctIds: Type.Array(Type.String()) }) },
    }
    app.get('/people/:id/ids', { schema: ids }, async (request) => {
      actions.check(request, 'look')
      const distinctIds = await analytics.distinctIdsOf(request.params.id, idsShown)
      if (distinctIds === null) throw analyticsError('CLEW_PEOPLE_NOT_FOUND')
      return { distinctIds: [...distinctIds] }
    })

    const split = {
      operationId: 'splitPerson',
      tags,
      summary: 'Take ids away from a person into a new one',
      description: 'What is known of the person stays with it. Only `$merge_dangerously` joins the two again.',
      params: PersonParams,
      body: Type.Object({ distinctIds: Type.Array(DistinctId, { minItems: 1, maxItems: mostSplit }) }),
      response: { 200: Type.Object({ personId: Type.String({ description: 'The new person' }) }) },
    }
    app.post('/people/:id/split', { schema: split }, async (request) => {
      const { id: personId } = request.params
      const { distinctIds } = request.body
      const action = { name: 'person.split', target: `person ${personId}` }
      return actions.run(request, action, async () => {
        const outcome = await analytics.splitPerson({ personId, distinctIds })
        if (outcome.kind === 'not_theirs') throw analyticsError('CLEW_PEOPLE_NOT_THEIRS')
        if (outcome.kind === 'nothing_left') throw analyticsError('CLEW_PEOPLE_NOTHING_LEFT')
        return { personId: outcome.personId }
      })
    })
    groupRoutes(app, analytics, actions)
    withdrawalRoutes(app, analytics.erasures, actions)
  }
}

type ConsoleApp = Parameters<FastifyPluginAsyncTypebox>[0]

function groupRoutes(
  app: ConsoleApp,
  analytics: Pick<Analytics, 'groupTypes' | 'groupProperties'>,
  actions: OperatorActions,
): void {
  const types = {
    operationId: 'groupTypes',
    tags,
    summary: 'The types of groups, by their numbers',
    response: {
      200: Type.Object({ types: Type.Array(Type.Object({ index: Type.Integer(), type: Type.String() })) }),
    },
  }
  app.get('/groups', { schema: types }, async (request) => {
    actions.check(request, 'look')
    return { types: [...(await analytics.groupTypes())].map(([index, type]) => ({ index, type })) }
  })

  const group = {
    operationId: 'group',
    tags,
    summary: 'What is known of a group',
    params: Type.Object({ type: DistinctId, key: Type.String({ minLength: 1, maxLength: 400 }) }),
    response: {
      200: Type.Object({
        properties: Nullable(Type.Record(Type.String(), Type.Unknown()), {
          description: 'Null: `$groupidentify` never described it',
        }),
      }),
    },
  }
  app.get('/groups/:type/:key', { schema: group }, async (request) => {
    actions.check(request, 'read data')
    const { type, key } = request.params
    return { properties: await analytics.groupProperties(type, key) }
  })
}
