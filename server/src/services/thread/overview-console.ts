import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { Overview, OverviewDay, Presence } from './schemas/overview.ts'
import type { Thread } from './thread.ts'

const tags = ['thread']

/** What is happening now, what did in a day, and the two numbers of it that every screen shows. */
export function overviewRoutes(
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  thread: Thread,
  actions: OperatorActions,
): void {
  const overview = { operationId: 'overview', tags, summary: 'What is happening now', response: { 200: Overview } }
  app.get('/overview', { schema: overview }, (request) => {
    actions.check(request, 'look')
    return thread.overview()
  })
  const day = {
    ...{ operationId: 'overviewDay', tags, response: { 200: OverviewDay } },
    summary: 'The last day by the hour, and the hour before it',
  }
  app.get('/overview/day', { schema: day }, (request) => {
    actions.check(request, 'look')
    return thread.overviewDay()
  })
  const presence = { operationId: 'presence', tags, summary: 'How many are here now', response: { 200: Presence } }
  app.get('/presence', { schema: presence }, (request) => {
    actions.check(request, 'look')
    return thread.presence()
  })
}
