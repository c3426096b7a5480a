import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Flags } from '../../../ground/flags/flags.ts'
import { Nullable } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { evaluateFlags } from './flags.ts'
import { personKinds, personSorts } from './list-store.ts'
import type { People } from './people.ts'
import { PersonDetail, PersonFlags, PersonSummary } from './schemas.ts'
import type { UsersPort } from './users-port.ts'

type ConsoleApp = Parameters<FastifyPluginAsyncTypebox>[0]

const listRoute = {
  operationId: 'people',
  tags: ['people'],
  summary: 'People, those seen latest first',
  querystring: Type.Object({
    sort: Type.Optional(
      Type.Enum([...personSorts], { description: 'By when they were last seen, as without it, or first' }),
    ),
    kind: Type.Optional(Type.Enum([...personKinds])),
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: '^\\P{Cc}*$',
        description: 'Beginnings of words of a name or e-mail address, or the beginning of an id',
      }),
    ),
    before: Type.Optional(Type.String({ maxLength: 60 })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  }),
  response: {
    200: Type.Object({
      people: Type.Array(PersonSummary),
      next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
    }),
  },
}

const oneRoute = {
  operationId: 'person',
  tags: ['people'],
  summary: 'One person: who they are, and what is stored of them',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  response: { 200: PersonDetail },
}

const flagsRoute = {
  operationId: 'personFlags',
  tags: ['people'],
  summary: 'What a person gets of all flags, and why',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  response: { 200: PersonFlags },
}

/** What other services know of people. */
export interface PeopleRoutesDeps {
  readonly people: People
  readonly flags: Pick<Flags, 'evaluate'>
  readonly users: UsersPort
  readonly actions: OperatorActions
}

/** Who people are, which analysts see; how users sign in is for those who read the application's data. */
export function personRoutes(app: ConsoleApp, { people, flags, users, actions }: PeopleRoutesDeps): void {
  app.get('/people', { schema: listRoute }, (request) => {
    actions.check(request, 'look')
    const { sort = 'last_seen', kind = null, q = '', before = null, limit } = request.query
    return people.list({ sort, kind, text: q.trim() || null, before, limit })
  })

  app.get('/people/:id', { schema: oneRoute }, async (request) => {
    actions.check(request, 'look')
    const detail = await people.one(request.params.id)
    const { id, userId } = detail.person
    await actions.look(request, { name: 'person.open', target: `person ${id}`, about: [id, userId] })
    return { ...detail, user: await userOf(detail.person.userId, users, actions.may(request, 'read data')) }
  })

  app.get('/people/:id/flags', { schema: flagsRoute }, async (request) => {
    actions.check(request, 'look')
    return evaluateFlags(flags, await people.one(request.params.id))
  })
}

async function userOf(id: string | null, users: UsersPort, readsData: boolean): Promise<PersonDetail['user']> {
  if (id === null) return null
  const [names, account] = await Promise.all([users.byId([id]), readsData ? users.account(id) : null])
  const { email = null, name = null } = names.get(id) ?? {}
  return {
    ...{ id, email, name },
    account: account && {
      createdAt: account.createdAt.toISOString(),
      lastSignInAt: account.lastSignInAt?.toISOString() ?? null,
      bannedUntil: account.bannedUntil?.toISOString() ?? null,
      providers: [...account.providers],
      sessions: account.sessions,
    },
  }
}
