import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Sql } from '../../../../engines/postgres/index.ts'
import { Nullable } from '../../../../ground/http/schemas.ts'
import type { OperatorAction, OperatorActions } from '../../../../ground/model/operator-actions.ts'
import type { RequestContext } from '../../model/call.ts'
import type { UserRow } from '../../model/user.ts'
import type { ConsoleUser, ConsoleUsers } from './console.ts'
import { findOwnedRows } from './owned.ts'
import { Owned, UserDetail, UserId, UserState, UserSummary } from './schemas.ts'

const tags = ['users']
const Params = Type.Object({ id: UserId })
const Email = Type.String({ minLength: 3, maxLength: 320 })

/** What the console's part of users needs. */
export interface UserRoutesDeps {
  readonly users: ConsoleUsers
  /** Deletes a second factor. */
  readonly removeFactor: (context: RequestContext, userId: string, factorId: string) => Promise<unknown>
  /** Counts rows as the application's owner. */
  readonly reader: Pick<Sql, 'query'>
  readonly actions: OperatorActions
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/**
 * The application's users in the console: owners and developers see and change them; a link that signs in as a user is for
 * owners.
 */
export function userRoutes(deps: UserRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRoutes(app, deps)
    newUserRoutes(app, deps)
    changeRoutes(app, deps)
  }
}

const contextOf = (request: { getDecorator<T>(name: string): T }): RequestContext =>
  request.getDecorator<RequestContext>('requestContext')

function readRoutes(app: App, { users, reader, actions }: UserRoutesDeps): void {
  const list = {
    operationId: 'users',
    tags,
    summary: 'Users of the application, the latest first',
    querystring: Type.Object({
      text: Type.String({ maxLength: 200, default: '' }),
      state: Type.Optional(UserState),
      provider: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      signedInSince: Type.Optional(Type.String({ format: 'date-time' })),
      createdSince: Type.Optional(Type.String({ format: 'date-time' })),
      sort: Type.Optional(Type.Enum(['created', 'signed in'])),
      after: Type.Optional(UserId),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
    }),
    response: { 200: Type.Object({ users: Type.Array(UserSummary), next: Nullable(Type.String()) }) },
  }
  app.get('/users', { schema: list }, async (request) => {
    actions.check(request, 'read data')
    const { text, state = null, provider = null, after = null, limit, sort = 'created' } = request.query
    const { signedInSince, createdSince } = request.query
    const wanted = {
      ...{ text: text.trim(), state, provider, after, sort, limit: limit + 1 },
      ...{ signedInSince: dateOf(signedInSince), createdSince: dateOf(createdSince) },
    }
    const found = await users.list(contextOf(request), wanted)
    const shown = found.slice(0, limit).map(({ providers, createdAt, lastSignInAt, ...user }) => ({
      ...user,
      providers: [...providers],
      createdAt: instant(createdAt),
      lastSignInAt: instant(lastSignInAt),
    }))
    return { users: shown, next: found.length > limit ? (shown.at(-1)?.id ?? null) : null }
  })

  const one = {
    operationId: 'user',
    tags,
    summary: 'A user with identities, second factors and sessions',
    params: Params,
    response: { 200: UserDetail },
  }
  app.get('/users/:id', { schema: one }, async (request) => {
    actions.check(request, 'read data')
    const found = await users.find(contextOf(request), request.params.id)
    const { id } = found.user
    await actions.look(request, { name: 'user.open', target: nameOf(found.user), about: [id] })
    return renderDetail(found)
  })

  const owned = {
    operationId: 'ownedRows',
    tags,
    summary: 'The rows that name a user by a foreign key, and what becomes of them when the user is deleted',
    params: Params,
    response: { 200: Owned },
  }
  app.get('/users/:id/owned', { schema: owned }, async (request) => {
    actions.check(request, 'read data')
    const { user } = await users.find(contextOf(request), request.params.id)
    return { tables: [...(await findOwnedRows(reader, user.id))] }
  })
}

function newUserRoutes(app: App, { users, actions }: UserRoutesDeps): void {
  const Created = Type.Object({ id: Type.String() })
  const create = {
    operationId: 'createUser',
    tags,
    summary: 'Create a user whose address is confirmed',
    body: Type.Object({ email: Email, password: Type.String({ minLength: 1, maxLength: 1024 }) }),
    response: { 201: Created },
  }
  app.post('/users', { schema: create }, async (request, reply) => {
    const action = { name: 'user.create', target: `user ${request.body.email}` }
    const id = await actions.run(request, action, () => users.create(contextOf(request), request.body))
    return reply.code(201).send({ id })
  })

  const invite = {
    operationId: 'inviteUser',
    tags,
    summary: 'Invite a user by mail',
    body: Type.Object({ email: Email }),
    response: { 201: Created },
  }
  app.post('/users/invitations', { schema: invite }, async (request, reply) => {
    const { email } = request.body
    const action = { name: 'user.invite', target: `user ${email}` }
    const id = await actions.run(request, action, () => users.invite(contextOf(request), email))
    return reply.code(201).send({ id })
  })
}

function changeRoutes(app: App, deps: UserRoutesDeps): void {
  const { users, removeFactor, actions } = deps
  const change = {
    ban: ['banUser', 'Keep a user from signing in for a time', 'user.ban'],
    unban: ['unbanUser', 'Let a user sign in again', 'user.unban'],
    'sign-out': ['signOutUser', 'End all sessions of a user', 'user.sign_out'],
    reset: ['sendReset', 'Send a user the mail to choose another password', 'user.send_reset'],
  } as const
  const perform = (name: keyof typeof change, context: RequestContext, id: string, hours: number): Promise<void> => {
    if (name === 'sign-out') return users.signOut(context, id)
    if (name === 'reset') return users.sendReset(context, id)
    return users.ban(context, id, name === 'ban' ? `${hours}h` : 'none')
  }
  for (const name of ['ban', 'unban', 'sign-out', 'reset'] as const) {
    const [operationId, summary, action] = change[name]
    const Hours = Type.Integer({ minimum: 1, maximum: 876_000, default: 876_000 })
    const body = name === 'ban' ? { body: Type.Object({ hours: Hours }) } : {}
    const schema = { operationId, tags, summary, params: Params, ...body, response: { 204: Type.Null() } }
    app.post(`/users/:id/${name}`, { schema }, async (request, reply) => {
      const { id } = request.params
      const hours = hoursOf(request.body)
      actions.check(request, 'change')
      const target = await targetOf(users, contextOf(request), id)
      await actions.run(request, { name: action, ...target }, () => perform(name, contextOf(request), id, hours))
      return reply.code(204).send(null)
    })
  }
  linkRoute(app, deps)

  const factor = {
    operationId: 'removeUserFactor',
    tags,
    summary: 'Delete a second factor of a user',
    params: Type.Object({ id: UserId, factorId: UserId }),
    response: { 204: Type.Null() },
  }
  app.delete('/users/:id/factors/:factorId', { schema: factor }, async (request, reply) => {
    const { id, factorId } = request.params
    actions.check(request, 'change')
    const target = await targetOf(users, contextOf(request), id)
    const context = users.asAdministrator(contextOf(request))
    await actions.run(request, { name: 'user.remove_factor', ...target }, () => removeFactor(context, id, factorId))
    return reply.code(204).send(null)
  })

  const remove = {
    operationId: 'deleteUser',
    tags,
    summary: 'Delete a user, with what their foreign keys delete',
    params: Params,
    response: { 204: Type.Null() },
  }
  app.delete('/users/:id', { schema: remove }, async (request, reply) => {
    const { id } = request.params
    actions.check(request, 'change')
    const target = await targetOf(users, contextOf(request), id)
    await actions.run(request, { name: 'user.delete', ...target }, () => users.remove(contextOf(request), id))
    return reply.code(204).send(null)
  })
}

/** The link makes its reader the user: owners alone ask for one. */
function linkRoute(app: App, { users, actions }: UserRoutesDeps): void {
  const link = {
    operationId: 'signInLink',
    tags,
    summary: 'A link that signs in as the user, once',
    params: Params,
    response: { 200: Type.Object({ link: Type.String() }) },
  }
  app.post('/users/:id/link', { schema: link }, async (request, reply) => {
    const { id } = request.params
    actions.check(request, 'reveal')
    const target = await targetOf(users, contextOf(request), id)
    const action = { name: 'user.sign_in_link', ...target, right: 'reveal' } as const
    const made = await actions.run(request, action, () => users.signInLink(contextOf(request), id))
    reply.header('cache-control', 'no-store')
    return { link: made }
  })
}

const hoursOf = (body: unknown): number =>
  Number(typeof body === 'object' && body !== null ? Reflect.get(body, 'hours') : 0)

/** In words that stay readable when the user is gone. */
/** A user as the audit log names them: in words, and by the id. */
async function targetOf(
  users: ConsoleUsers,
  context: RequestContext,
  id: string,
): Promise<Pick<OperatorAction, 'target' | 'about'>> {
  const { user } = await users.find(context, id)
  return { target: nameOf(user), about: [user.id] }
}

const nameOf = ({ email, phone, id }: UserRow): string => `user ${email || phone || id}`

const dateOf = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text))
const instant = (date: Date | null): string | null => date?.toISOString() ?? null
const utc = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString())

function renderDetail({ user, isBanned, sessions }: ConsoleUser) {
  return {
    ...{ id: user.id, email: user.email || null, phone: user.phone || null, role: user.role || null },
    ...{ isBanned, isAnonymous: user.isAnonymous },
    ...{ appMetadata: { ...user.appMetadata }, userMetadata: { ...user.userMetadata } },
    ...instantsOf(user),
    identities: user.identities.map(({ id, provider, email, last_sign_in_at }) => ({
      ...{ id, provider, email },
      lastSignInAt: utc(last_sign_in_at),
    })),
    factors: user.factors.map(({ id, friendly_name, factor_type, status, created_at }) => ({
      ...{ id, name: friendly_name, type: factor_type, isVerified: status === 'verified' },
      createdAt: new Date(created_at).toISOString(),
    })),
    sessions: sessions.map(({ createdAt, refreshedAt, ...session }) => ({
      ...session,
      createdAt: instant(createdAt),
      refreshedAt: instant(refreshedAt),
    })),
  }
}

const instantsOf = (user: UserRow) => ({
  emailConfirmedAt: instant(user.emailConfirmedAt),
  phoneConfirmedAt: instant(user.phoneConfirmedAt),
  invitedAt: instant(user.invitedAt),
  createdAt: instant(user.createdAt),
  lastSignInAt: instant(user.lastSignInAt),
  bannedUntil: instant(user.bannedUntil),
})
