import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Operator } from '../accounts/store.ts'
import type { Operators } from '../operators.ts'
import { IdParams } from './access-schemas.ts'
import { Empty } from './schemas.ts'

const tags = ['team']

const draft = {
  name: Type.String({ minLength: 1, maxLength: 80, pattern: '^\\P{Cc}*$' }),
  search: Type.Record(
    Type.String({ pattern: '^[A-Za-z]{1,40}$' }),
    Type.Union([Type.String({ maxLength: 200 }), Type.Number(), Type.Boolean()]),
    { maxProperties: 30, description: 'The parts of the filter, as the address of the list has them' },
  ),
  isShared: Type.Boolean({ description: 'Whether it is the team’s' }),
}

const SessionViewSchema = Type.Object(
  {
    ...draft,
    id: Type.String(),
    createdBy: Type.String({ description: 'E-mail address' }),
    isMine: Type.Boolean({ description: 'Whether you may change and delete it' }),
  },
  { $id: 'SessionView' },
)

/** The routes of named filters of the list of sessions, for those who may look at sessions. */
export function viewRoutes({ views, actions }: Pick<Operators, 'views' | 'actions'>): FastifyPluginAsyncTypebox {
  return async (app) => {
    const list = {
      operationId: 'sessionViews',
      tags,
      summary: 'Your views of the sessions and those of the team, by name',
      response: { 200: Type.Object({ views: Type.Array(SessionViewSchema) }) },
    }
    app.get('/session-views', { schema: list }, async (request) => {
      actions.check(request, 'look')
      const found = await views.list(request.getDecorator<Operator>('operator'))
      return { views: found.map(({ operatorId: _owner, ...view }) => view) }
    })

    const create = {
      operationId: 'createSessionView',
      tags,
      summary: 'Save a view of the sessions, for yourself or for the team',
      body: Type.Object(draft),
      response: { 201: Type.Object({ id: Type.String() }) },
    }
    app.post('/session-views', { schema: create }, async (request, reply) => {
      const { name, isShared } = request.body
      const action = { name: 'view.create', target: nameOf(name, isShared), right: 'look' } as const
      const operator = request.getDecorator<Operator>('operator')
      const id = await actions.run(request, action, () => views.create(operator, request.body))
      return reply.code(201).send({ id })
    })

    const change = {
      operationId: 'changeSessionView',
      tags,
      summary: 'Rename a view of the sessions, give it another filter, share it or keep it for yourself',
      params: IdParams,
      body: Type.Object(draft),
      response: { 204: Empty },
    }
    app.put('/session-views/:id', { schema: change }, async (request, reply) => {
      const { name, isShared } = request.body
      const action = { name: 'view.change', target: nameOf(name, isShared), right: 'look' } as const
      const operator = request.getDecorator<Operator>('operator')
      await actions.run(request, action, () => views.change(operator, request.params.id, request.body))
      return reply.code(204).send(null)
    })

    const remove = {
      operationId: 'removeSessionView',
      tags,
      summary: 'Delete a view of the sessions',
      params: IdParams,
      response: { 204: Empty },
    }
    app.delete('/session-views/:id', { schema: remove }, async (request, reply) => {
      actions.check(request, 'look')
      const operator = request.getDecorator<Operator>('operator')
      const { id } = request.params
      const { name, isShared } = await views.find(operator, id)
      const action = { name: 'view.delete', target: nameOf(name, isShared), right: 'look' } as const
      await actions.run(request, action, () => views.remove(operator, id))
      return reply.code(204).send(null)
    })
  }
}

const nameOf = (name: string, isShared: boolean): string => `${isShared ? 'the team’s view' : 'view'} ${name}`
