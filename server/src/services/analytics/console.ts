import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Analytics } from './analytics.ts'
import { withdrawalRoutes } from './erasure/routes.ts'
import { analyticsError } from './errors.ts'
import { eventRoutes } from './events/routes.ts'
import { type GroupRoutesDeps, groupRoutes } from './groups/routes.ts'
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
    'people' | 'eventPages' | 'groupPages' | 'splitPerson' | 'distinctIdsOf' | 'groupTypes' | 'erasures'
  >,
  { actions, ...others }: Omit<PeopleRoutesDeps, 'people'> & Pick<GroupRoutesDeps, 'flags'>,
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
    groupRoutes(app, { pages: analytics.groupPages, types: analytics.groupTypes, flags: others.flags, actions })
    withdrawalRoutes(app, analytics.erasures, actions)
  }
}
