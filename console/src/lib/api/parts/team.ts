import { type BodyOf, bodyOf, type Cancel, cancel, client } from '../client.ts'

/** The requests of the team, and of those who are invited to it. */
export const teamApi = {
  team: (options?: Cancel) => bodyOf(client.GET('/console/api/team', cancel(options))),
  inviteOperator: (body: BodyOf<'inviteOperator'>) => bodyOf(client.POST('/console/api/team/invitations', { body })),
  withdrawInvitation: (id: string) =>
    bodyOf(client.DELETE('/console/api/team/invitations/{id}', { params: { path: { id } } })),
  changeRole: (id: string, body: BodyOf<'changeRole'>) =>
    bodyOf(client.PATCH('/console/api/team/members/{id}', { params: { path: { id } }, body })),
  removeOperator: (id: string, erase: boolean) =>
    bodyOf(
      client.DELETE('/console/api/team/members/{id}', { params: { path: { id }, query: erase ? { erase } : {} } }),
    ),
  findInvitation: (token: string) => bodyOf(client.POST('/console/api/invitation', { body: { token } })),
  joinTeam: (body: BodyOf<'joinTeam'>) => bodyOf(client.POST('/console/api/invitation/account', { body })),
}
