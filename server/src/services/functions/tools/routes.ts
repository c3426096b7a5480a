import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { isFunctionName } from '../source/names.ts'
import { type CallersDeps, tokenOf } from './callers.ts'
import { toolError } from './errors.ts'
import { type InvokeDeps, invoke } from './invoke.ts'
import { type SaveDeps, saveFile } from './save.ts'

const tags = ['functions']
const NameParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) })
const maxTextChars = 4 * 1024 * 1024

const Caller = Type.Union([
  Type.Object({ kind: Type.Union([Type.Literal('none'), Type.Literal('anon'), Type.Literal('service_role')]) }),
  Type.Object({
    kind: Type.Literal('user'),
    user: Type.String({ minLength: 1, maxLength: 320, description: 'E-mail address or id' }),
  }),
])

const invokeRoute = {
  operationId: 'invokeFunction',
  tags,
  summary: 'Call a function, as one of its callers would',
  params: NameParams,
  body: Type.Object({
    method: Type.String({ pattern: '^(GET|POST|PUT|PATCH|DELETE|OPTIONS|HEAD)$' }),
    path: Type.String({ maxLength: 4096, pattern: '^([/?][\\x21-\\x7e]*)?$', description: 'Behind its name' }),
    headers: Type.Array(
      Type.Object({
        name: Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$" }),
        value: Type.String({ maxLength: 8192, pattern: '^[\\t\\x20-\\x7e]*$' }),
      }),
      { maxItems: 100 },
    ),
    body: Nullable(Type.String({ maxLength: maxTextChars })),
    caller: Caller,
  }),
  response: {
    200: Type.Object({
      status: Type.Integer(),
      headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
      body: Nullable(Type.String(), { description: 'Null: it is no text' }),
      sizeBytes: Type.Integer(),
      isCut: Type.Boolean({ description: 'Only the beginning of the body was read' }),
      durationMs: Type.Number(),
      requestId: Nullable(Type.String({ description: 'The request in the thread' })),
    }),
  },
}

const saveRoute = {
  operationId: 'saveFunctionFile',
  tags,
  summary: 'Write a file that a function has in the project folder; in local mode only',
  params: NameParams,
  body: Type.Object({
    path: Type.String({ minLength: 1, maxLength: 1024, description: 'Relative to the project' }),
    text: Type.String({ maxLength: maxTextChars }),
  }),
  response: { 204: Type.Null() },
}

const QueueTrigger = Type.Object({
  name: Type.String(),
  attempts: Type.Integer(),
  backoffMs: Type.Number({
    description: 'The pause before the second attempt; each further one is four times as long',
  }),
  concurrency: Type.Integer(),
  timeoutSeconds: Type.Number(),
})

const triggersRoute = {
  operationId: 'functionTriggers',
  tags,
  summary: 'What the settings have call a function',
  params: NameParams,
  response: {
    200: Type.Object({
      saves: Type.Boolean({ description: 'Whether its files can be written here' }),
      queue: Nullable(QueueTrigger),
      hooks: Type.Array(Type.String({ description: 'The hook of auth, as the settings name it' })),
    }),
  },
}

/** What has a function called, as far as the settings say. */
export interface SettingsTriggers {
  readonly queue: Static<typeof QueueTrigger> | null
  readonly hooks: readonly string[]
}

/** What the tools need of the instance. */
export interface ToolsDeps extends InvokeDeps, CallersDeps, SaveDeps {
  readonly triggersOf: (name: string) => SettingsTriggers
}

/** What operators try with functions: call one as anybody, edit its files, see what calls it. */
export function functionTools(deps: ToolsDeps, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/functions/:name/invocations', { schema: invokeRoute, bodyLimit: 2 * maxTextChars }, async (request) => {
      const { name } = request.params
      const { method, path, headers, body, caller } = request.body
      if (!isFunctionName(name)) throw toolError('CLEW_FUNCTIONS_NO_SOURCE')
      const as = caller.kind === 'user' ? `user ${caller.user}` : caller.kind
      // To act as a user, or as the project, is more than to change a row.
      const right = caller.kind === 'none' || caller.kind === 'anon' ? 'read data' : 'change'
      const action = { name: 'function.invoke', target: `function ${name} as ${as}`, right } as const
      return actions.run(request, action, async () => {
        const token = await tokenOf(caller, deps)
        const named = Object.fromEntries(headers.map((header) => [header.name.toLowerCase(), header.value]))
        const answer = await invoke({ name, method, path, headers: named, body, token }, deps)
        return { ...answer, headers: [...answer.headers] }
      })
    })

    app.put('/functions/:name/file', { schema: saveRoute, bodyLimit: 2 * maxTextChars }, async (request, reply) => {
      const { name } = request.params
      const { path, text } = request.body
      const action = { name: 'function.save', target: `function ${name}, ${path}` }
      await actions.run(request, action, () => saveFile({ name, path, text }, deps))
      return reply.code(204).send(null)
    })

    app.get('/functions/:name/triggers', { schema: triggersRoute }, (request) => {
      actions.check(request, 'look')
      const { queue, hooks } = deps.triggersOf(request.params.name)
      return { saves: deps.saves, queue, hooks: [...hooks] }
    })
  }
}
