import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { clientOf } from '../sessions/client.ts'
import type { Team } from '../team/team.ts'
import { RoleSchema, SignedInSchema, tags } from './operator-schemas.ts'
import { SecretText, ShortText } from './schemas.ts'

/** The open routes of those who were invited. A token comes in a body, since addresses are logged. */
export function joinRoutes(team: Team): FastifyPluginAsyncTypebox {
  return async (app) => {
    const look = {
      operationId: 'findInvitation',
      tags,
      summary: 'What the token of an invitation invites to',
      body: Type.Object({ token: SecretText }),
      response: { 200: Type.Object({ email: Type.String(), role: RoleSchema, invitedBy: Type.String() }) },
    }
    app.post('/invitation', { schema: look }, async (request) => {
      const { email, role, invitedBy } = await team.invitation(request.body.token, clientOf(request))
      return { email, role, invitedBy }
    })

    const join = {
      operationId: 'joinTeam',
      tags,
      summary: 'Create the account that an invitation’s token is for',
      body: Type.Object({ token: SecretText, name: ShortText, password: SecretText }),
      response: { 201: SignedInSchema },
    }
    app.post('/invitation/account', { schema: join }, async (request, reply) => {
      const { operator, cookies } = await team.join(request.body, clientOf(request))
      return reply
        .code(201)
        .header('set-cookie', [...cookies])
        .send({ operator })
    })
  }
}
