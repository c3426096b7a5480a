import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { Tickets } from '../caller/tickets.ts'
import type { CallersDeps } from './callers.ts'
import { claimsOfChoice } from './callers.ts'
import type { Channels } from './channels.ts'
import type { Policies } from './policies.ts'
import {
  ChannelAnswer,
  ChannelsAnswer,
  maxTopicChars,
  Policy,
  Template,
  TicketAnswer,
  TicketBody,
  Topic,
} from './schemas.ts'

const tags = ['realtime']

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const channelsRoute = {
  operationId: 'realtimeChannels',
  tags,
  summary: 'The channels that are open, those with the most members; what row changes are asked for; the change stream',
  querystring: Type.Object({ search: Type.String({ maxLength: maxTopicChars, default: '' }) }),
  response: { 200: ChannelsAnswer },
}

const channelRoute = {
  operationId: 'realtimeChannel',
  tags,
  summary: 'One channel with its members and what they track',
  querystring: Type.Object({ topic: Topic, isPrivate: Type.Boolean({ default: false }) }),
  response: { 200: ChannelAnswer },
}

const ticketRoute = {
  operationId: 'joinRealtimeChannel',
  tags,
  summary: 'A ticket that joins one channel, as one of its callers would, over the console’s socket',
  body: TicketBody,
  response: { 200: TicketAnswer },
}

const policiesRoute = {
  operationId: 'realtimePolicies',
  tags,
  summary: 'The policies of realtime.messages, which decide in private channels',
  response: { 200: Type.Object({ policies: Type.Array(Policy) }) },
}

const templatesRoute = {
  operationId: 'realtimePolicyTemplates',
  tags,
  summary:
    'The policies that most private channels need, as SQL for one topic; with * at its end for all that begin so',
  querystring: Type.Object({ topic: Topic }),
  response: { 200: Type.Object({ templates: Type.Array(Template) }) },
}

const applyRoute = {
  operationId: 'applyRealtimePolicy',
  tags,
  summary: 'Run the SQL of a template',
  body: Type.Object({ templateId: Type.String(), topic: Topic }),
  response: { 204: Type.Null() },
}

const dropRoute = {
  operationId: 'dropRealtimePolicy',
  tags,
  summary: 'Drop a policy',
  params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }),
  response: { 204: Type.Null() },
}

/** The dependencies of `realtimeRoutes`. */
export interface RealtimeRoutesDeps extends CallersDeps {
  readonly channels: Channels
  readonly tickets: Pick<Tickets, 'make'>
  readonly policies: Policies
  readonly actions: OperatorActions
}

/** Realtime in the console: analysts see channels; developers and owners their members, and join; owners make policies. */
export function realtimeRoutes(deps: RealtimeRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    channelRoutes(app, deps)
    policyRoutes(app, deps)
  }
}

function channelRoutes(app: App, { channels, tickets, actions, sql }: RealtimeRoutesDeps): void {
  app.get('/realtime/channels', { schema: channelsRoute }, (request) => {
    actions.check(request, 'look')
    return channels.list(request.query.search)
  })

  app.get('/realtime/channel', { schema: channelRoute }, (request) => {
    // Who is in a channel, and what they tell of themselves, is data of the application.
    actions.check(request, 'read data')
    return channels.one(request.query)
  })

  app.post('/realtime/tickets', { schema: ticketRoute }, (request) => {
    const { topic, isPrivate, caller } = request.body
    const as = caller.kind === 'user' ? `user ${caller.user}` : caller.kind
    const target = `${isPrivate ? 'private' : 'public'} channel ${topic} as ${as}`
    // To be heard as a user, or as the project, is more than to read.
    const right = caller.kind === 'anon' ? 'read data' : 'change'
    return actions.run(request, { name: 'realtime.join', target, right }, async () => {
      const { token, expiresAt } = tickets.make(await claimsOfChoice(caller, { sql }), { topic, isPrivate })
      return { token, expiresAt: expiresAt.toISOString() }
    })
  })
}

function policyRoutes(app: App, { policies, actions }: RealtimeRoutesDeps): void {
  app.get('/realtime/policies', { schema: policiesRoute }, async (request) => {
    actions.check(request, 'look')
    return { policies: await policies.list() }
  })

  app.get('/realtime/policies/templates', { schema: templatesRoute }, async (request) => {
    actions.check(request, 'look')
    return { templates: [...policies.templates(request.query.topic)] }
  })

  app.post('/realtime/policies', { schema: applyRoute }, async (request, reply) => {
    const { templateId, topic } = request.body
    const target = `${templateId} for channel ${topic}`
    await actions.run(request, { name: 'policy.create', target, right: 'grant' }, () =>
      policies.apply(templateId, topic),
    )
    return reply.code(204).send(null)
  })

  app.delete('/realtime/policies/:name', { schema: dropRoute }, async (request, reply) => {
    const { name } = request.params
    await actions.run(request, { name: 'policy.drop', target: `${name} on realtime.messages`, right: 'grant' }, () =>
      policies.drop(name),
    )
    return reply.code(204).send(null)
  })
}
