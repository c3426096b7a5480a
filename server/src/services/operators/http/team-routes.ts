import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Operator } from '../accounts/store.ts'
import type { Operators } from '../operators.ts'
import { IdParams, Instant } from './access-schemas.ts'
import { RoleSchema } from './operator-schemas.ts'
import { Empty, Nullable, ShortText } from './schemas.ts'

const tags = ['team']

const MemberSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    role: RoleSchema,
    createdAt: Instant,
    lastSeenAt: Nullable(Instant),
    hasSecondFactor: Type.Boolean(),
  },
  { $id: 'Member' },
)

const InvitationSchema = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role: RoleSchema,
    invitedBy: Type.String(),
    createdAt: Instant,
    expiresAt: Instant,
  },
  { $id: 'Invitation' },
)

type TeamRoutesDeps = Pick<Operators, 'team' | 'actions'>

const manage = { right: 'manage team', needsProof: true } as const

/** The routes of the team: who is in it, for those who may look; invitations, roles and removals for owners. */
export function teamRoutes(operators: TeamRoutesDeps): FastifyPluginAsyncTypebox {
  const { team, actions } = operators
  return async (app) => {
    const list = {
      operationId: 'team',
      tags,
      summary: 'The operators of the console, and who is invited',
      response: {
        200: Type.Object({ members: Type.Array(MemberSchema), invitations: Type.Array(InvitationSchema) }),
      },
    }
    app.get('/team', { schema: list }, async (request) => {
      actions.check(request, 'look')
      const { members, invitations } = await team.list()
      return {
        members: members.map(({ createdAt, lastSeenAt, ...member }) => ({
          ...member,
          createdAt: createdAt.toISOString(),
          lastSeenAt: lastSeenAt?.toISOString() ?? null,
        })),
        invitations: invitations.map(({ createdAt, expiresAt, ...invitation }) => ({
          ...invitation,
          createdAt: createdAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
        })),
      }
    })

    await app.register(invitationRoutes(operators))
    await app.register(memberRoutes(operators))
  }
}

function invitationRoutes({ team, actions }: TeamRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    const invite = {
      operationId: 'inviteOperator',
      tags,
      summary: 'Invite a person to the team: the link is answered this once, and mailed',
      body: Type.Object({ email: ShortText, role: RoleSchema }),
      response: { 201: Type.Object({ url: Type.String(), expiresAt: Instant, isMailed: Type.Boolean() }) },
    }
    app.post('/team/invitations', { schema: invite }, async (request, reply) => {
      const { email, role } = request.body
      const action = { ...manage, name: 'operator.invite', target: `${email.trim()} as ${role}` }
      const { expiresAt, ...made } = await actions.run(request, action, () =>
        team.invite(request.getDecorator<Operator>('operator'), email, role),
      )
      return reply.code(201).send({ ...made, expiresAt: expiresAt.toISOString() })
    })

    const withdraw = {
      operationId: 'withdrawInvitation',
      tags,
      summary: 'Withdraw an invitation: its link opens nothing any more',
      params: IdParams,
      response: { 204: Empty },
    }
    app.delete('/team/invitations/:id', { schema: withdraw }, async (request, reply) => {
      const { id } = request.params
      const email = (await team.list()).invitations.find((each) => each.id === id)?.email ?? id
      const action = { name: 'operator.withdraw', target: email, right: 'manage team' as const }
      await actions.run(request, action, () => team.withdraw(id))
      return reply.code(204).send(null)
    })
  }
}

function memberRoutes({ team, actions }: TeamRoutesDeps): FastifyPluginAsyncTypebox {
  const emailOf = async (id: string): Promise<string> =>
    (await team.list()).members.find((each) => each.id === id)?.email ?? id
  return async (app) => {
    const change = {
      operationId: 'changeRole',
      tags,
      summary: 'Give an operator another role',
      params: IdParams,
      body: Type.Object({ role: RoleSchema }),
      response: { 204: Empty },
    }
    app.patch('/team/members/:id', { schema: change }, async (request, reply) => {
      const { id } = request.params
      const { role } = request.body
      const action = { ...manage, name: 'operator.role', target: `${await emailOf(id)} to ${role}` }
      await actions.run(request, action, () => team.changeRole(id, role))
      return reply.code(204).send(null)
    })

    const remove = {
      operationId: 'removeOperator',
      tags,
      summary: 'Remove an operator, their sessions, second factors and access tokens',
      params: IdParams,
      querystring: Type.Object({
        erase: Type.Optional(
          Type.Boolean({ description: 'Keep a pseudonym in place of their address in the audit log' }),
        ),
      }),
      response: { 204: Empty },
    }
    app.delete('/team/members/:id', { schema: remove }, async (request, reply) => {
      const { id } = request.params
      const action = { ...manage, name: 'operator.remove', target: await emailOf(id) }
      await actions.run(request, action, () => team.remove(id, request.query.erase === true))
      return reply.code(204).send(null)
    })
  }
}
