import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import type { IssueAnswers } from './answers.ts'
import type { IssueChanges, VersionedRules } from './changes.ts'
import {
  ExceptionDetail,
  ExceptionsPage,
  IssueChangeBody,
  IssueDetail,
  IssueSortSchema,
  IssueStateSchema,
  IssuesPage,
  RangeSchema,
  RulesBody,
} from './schemas.ts'
import { viewOf } from './view.ts'

const tags = ['errors']
const Id = Type.String({ format: 'uuid' })
const IdParams = Type.Object({ id: Id })
const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 50 })
const Before = Type.Optional(Type.String({ minLength: 1, maxLength: 120 }))
const Word = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const listRoute = {
  operationId: 'errors',
  tags,
  summary: 'Issues, each a group of exceptions, with what they come to in a range of time',
  querystring: Type.Object({
    state: Type.Optional(IssueStateSchema),
    q: Word,
    source: Word,
    release: Word,
    assigned: Type.Optional(Type.Literal('me')),
    sort: Type.Optional(IssueSortSchema),
    range: Type.Optional(RangeSchema),
    before: Before,
    limit: Limit,
  }),
  response: { 200: IssuesPage },
}

const detailRoute = {
  operationId: 'error',
  tags,
  summary: 'One issue: what its exceptions have in common, who met it, what was done about it',
  params: IdParams,
  response: { 200: IssueDetail },
}

const exceptionsRoute = {
  operationId: 'errorExceptions',
  tags,
  summary: 'The exceptions of an issue, the latest first',
  params: IdParams,
  querystring: Type.Object({ before: Before, limit: Limit }),
  response: { 200: ExceptionsPage },
}

const exceptionRoute = {
  operationId: 'errorException',
  tags,
  summary: 'One exception with its stack; the latest by `latest`',
  params: Type.Object({ id: Id, exception: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: { 200: ExceptionDetail },
}

const changeRoute = {
  operationId: 'changeError',
  tags,
  summary: 'Resolve, ignore, open again, or assign an issue',
  params: IdParams,
  body: IssueChangeBody,
  response: { 204: Type.Null() },
}

const mergeRoute = {
  operationId: 'mergeErrors',
  tags,
  summary: 'Give an issue the exceptions of others, which are no more',
  params: IdParams,
  body: Type.Object({ ids: Type.Array(Id, { minItems: 1, maxItems: 50 }) }),
  response: { 204: Type.Null() },
}

const rulesRoute = {
  operationId: 'errorRules',
  tags,
  summary: 'The rules by which exceptions are grouped or ignored, in their order',
  response: { 200: RulesBody },
}

const replaceRulesRoute = {
  operationId: 'replaceErrorRules',
  tags,
  summary: 'Put rules in place of all; the first that fits an exception decides',
  body: RulesBody,
  response: { 200: RulesBody },
}

/** Errors in the console: analysts see them without values, owners and developers change them. */
export function issueRoutes(
  answers: IssueAnswers,
  changes: IssueChanges,
  actions: OperatorActions,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    // The types are checked by the compiler; a serialiser cannot be built of schemas that one answer has twice.
    app.setSerializerCompiler(() => (data) => JSON.stringify(data))
    readRoutes(app, answers, actions)
    changeRoutes(app, answers, changes, actions)
    ruleRoutes(app, changes, actions)
  }
}

function readRoutes(app: App, answers: IssueAnswers, actions: OperatorActions): void {
  app.get('/errors', { schema: listRoute }, async (request) => {
    const view = viewOf(actions, request)
    const { state, q, source, release, assigned, sort = 'last seen', range = '24h', before, limit } = request.query
    const page = await answers.list({
      ...{ sort, range, limit },
      state: state ?? null,
      text: q ?? null,
      source: source ?? null,
      release: release ?? null,
      assignedTo: assigned === 'me' ? operatorOf(request) : null,
      before: before ?? null,
    })
    return { ...page, issues: page.issues.map(view.issue) }
  })

  app.get('/errors/:id', { schema: detailRoute }, async (request) => {
    const view = viewOf(actions, request)
    return view.detail(await answers.detail(request.params.id))
  })

  app.get('/errors/:id/exceptions', { schema: exceptionsRoute }, (request) => {
    actions.check(request, 'look')
    const { before = null, limit } = request.query
    return answers.exceptions(request.params.id, before, limit)
  })

  app.get('/errors/:id/exceptions/:exception', { schema: exceptionRoute }, async (request) => {
    const view = viewOf(actions, request)
    const { id, exception } = request.params
    return view.exception(await answers.exception(id, exception === 'latest' ? null : exception))
  })
}

function changeRoutes(app: App, answers: IssueAnswers, changes: IssueChanges, actions: OperatorActions): void {
  app.patch('/errors/:id', { schema: changeRoute }, async (request, reply) => {
    const { id } = request.params
    const { assigned, ...change } = request.body
    actions.check(request, 'change')
    const target = `error ${(await answers.find(id)).title}`
    const operator = operatorOf(request)
    const assignedTo = assigned === undefined ? {} : { assignedTo: assigned === null ? null : operator }
    await actions.run(request, { name: 'error.change', target }, () =>
      changes.change(id, { ...change, ...assignedTo }, operator),
    )
    return reply.code(204).send(null)
  })

  app.post('/errors/:id/merge', { schema: mergeRoute }, async (request, reply) => {
    const { id } = request.params
    const { ids } = request.body
    actions.check(request, 'change')
    const target = `error ${(await answers.find(id)).title}, with ${ids.length} more`
    await actions.run(request, { name: 'error.merge', target }, () => changes.merge(id, ids, operatorOf(request)))
    return reply.code(204).send(null)
  })
}

function ruleRoutes(app: App, changes: IssueChanges, actions: OperatorActions): void {
  app.get('/error-rules', { schema: rulesRoute }, async (request) => {
    actions.check(request, 'read data')
    return renderRules(await changes.rules())
  })

  app.put('/error-rules', { schema: replaceRulesRoute }, async (request) => {
    const { version, rules } = request.body
    const action = { name: 'error.rules', target: rules.length === 1 ? 'one rule' : `${rules.length} rules` }
    const replace = () => changes.replaceRules(version, rules, operatorOf(request))
    return renderRules(await actions.run(request, action, replace))
  })
}

/** The rules as an answer's type has them, whose lists may be written to. */
const renderRules = ({ version, rules }: VersionedRules) => ({
  version,
  rules: rules.map((rule) => ({ ...rule, conditions: [...rule.conditions] })),
})
