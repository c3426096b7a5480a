import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { Queues } from './queues.ts'
import { MessageStateSchema, MessagesPage, Queue, QueuesPage } from './schemas.ts'

const tags = ['queues']
const Name = Type.String({ minLength: 1, maxLength: 100 })
const Id = Type.String({ pattern: '^[0-9]{1,18}$' })
const QueueParams = Type.Object({ name: Name })
const MessageParams = Type.Object({ name: Name, id: Id })
const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 100 })
const mostSeconds = 31_536_000
const nothing = { 204: Type.Null() }

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const listRoute = {
  operationId: 'queues',
  tags,
  summary: 'Queues by name with their numbers',
  querystring: Type.Object({ limit: Limit, after: Type.Optional(Name) }),
  response: { 200: QueuesPage },
}

const oneRoute = { operationId: 'queue', tags, summary: 'One queue', params: QueueParams, response: { 200: Queue } }

const messagesRoute = {
  operationId: 'queueMessages',
  tags,
  summary: 'Messages of a queue in one state, newest first',
  params: QueueParams,
  querystring: Type.Object({ state: MessageStateSchema, limit: Limit, before: Type.Optional(Id) }),
  response: { 200: MessagesPage },
}

const sendRoute = {
  operationId: 'sendMessage',
  tags,
  summary: 'Send a message',
  params: QueueParams,
  body: Type.Object({
    message: Type.String({ minLength: 1, maxLength: 1_000_000, description: 'JSON' }),
    delaySeconds: Type.Integer({ minimum: 0, maximum: mostSeconds, default: 0 }),
  }),
  response: { 201: Type.Object({ id: Type.String() }) },
}

const purgeRoute = {
  operationId: 'purgeQueue',
  tags,
  summary: 'Delete every message of a queue that is not archived',
  params: QueueParams,
  response: { 200: Type.Object({ purged: Type.Integer() }) },
}

const removeRoute = {
  operationId: 'deleteMessage',
  tags,
  summary: 'Delete a message',
  params: MessageParams,
  response: nothing,
}

const archiveRoute = {
  operationId: 'archiveMessage',
  tags,
  summary: 'Move a message to the archive',
  params: MessageParams,
  response: nothing,
}

const setVisibleRoute = {
  operationId: 'setMessageVisible',
  tags,
  summary: 'Make a message visible now',
  params: MessageParams,
  response: nothing,
}

const replayRoute = {
  operationId: 'replayMessage',
  tags,
  summary: 'Send a dead letter back to the queue that it came from',
  params: MessageParams,
  response: nothing,
}

const replayAllRoute = {
  operationId: 'replayMessages',
  tags,
  summary: 'Send dead letters back to where they came from, oldest first, a thousand at most',
  params: QueueParams,
  response: { 200: Type.Object({ replayed: Type.Integer() }) },
}

/** Queues in the console: analysts see their numbers, owners and developers their messages. */
export function queueRoutes(queues: Queues, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    queueReads(app, queues, actions)
    queueActions(app, queues, actions)
    messageActions(app, queues, actions)
  }
}

function queueReads(app: App, queues: Queues, actions: OperatorActions): void {
  app.get('/queues', { schema: listRoute }, (request) => {
    actions.check(request, 'look')
    const { limit, after = null } = request.query
    return queues.list({ limit, after })
  })

  app.get('/queues/:name', { schema: oneRoute }, (request) => {
    actions.check(request, 'look')
    return queues.queue(request.params.name)
  })

  app.get('/queues/:name/messages', { schema: messagesRoute }, (request) => {
    actions.check(request, 'read data')
    const { state, limit, before = null } = request.query
    return queues.messages(request.params.name, state, { limit, before })
  })
}

function queueActions(app: App, queues: Queues, actions: OperatorActions): void {
  app.post('/queues/:name/messages', { schema: sendRoute }, async (request, reply) => {
    const { name } = request.params
    const { message, delaySeconds } = request.body
    const action = { name: 'queue.send', target: `queue ${name}` }
    const id = await actions.run(request, action, () => queues.send(name, message, delaySeconds))
    return reply.code(201).send({ id })
  })

  app.post('/queues/:name/replays', { schema: replayAllRoute }, async (request) => {
    const { name } = request.params
    const action = { name: 'queue.replay', target: `queue ${name}` }
    return { replayed: await actions.run(request, action, () => queues.replay(name, null)) }
  })

  app.delete('/queues/:name/messages', { schema: purgeRoute }, async (request) => {
    const { name } = request.params
    return {
      purged: await actions.run(request, { name: 'queue.purge', target: `queue ${name}` }, () => queues.purge(name)),
    }
  })
}

function messageActions(app: App, queues: Queues, actions: OperatorActions): void {
  app.delete('/queues/:name/messages/:id', { schema: removeRoute }, async (request, reply) => {
    const { name, id } = request.params
    const action = { name: 'queue.delete', target: `queue ${name}, message ${id}` }
    await actions.run(request, action, () => queues.delete(name, id))
    return reply.code(204).send(null)
  })

  app.post('/queues/:name/messages/:id/archive', { schema: archiveRoute }, async (request, reply) => {
    const { name, id } = request.params
    const action = { name: 'queue.archive', target: `queue ${name}, message ${id}` }
    await actions.run(request, action, () => queues.archive(name, id))
    return reply.code(204).send(null)
  })

  app.post('/queues/:name/messages/:id/replays', { schema: replayRoute }, async (request, reply) => {
    const { name, id } = request.params
    const action = { name: 'queue.replay', target: `queue ${name}, message ${id}` }
    await actions.run(request, action, () => queues.replay(name, id))
    return reply.code(204).send(null)
  })

  app.post('/queues/:name/messages/:id/visible', { schema: setVisibleRoute }, async (request, reply) => {
    const { name, id } = request.params
    const action = { name: 'queue.set_visible', target: `queue ${name}, message ${id}` }
    await actions.run(request, action, () => queues.setVisible(name, id))
    return reply.code(204).send(null)
  })
}
