import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from '../client.ts'
import type { MailKind } from '../schemas.ts'

/** The requests of the application's users and of the inbox. */
export const usersApi = {
  users: (query: QueryOf<'users'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/users', { params: { query }, ...cancel(options) })),
  user: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/users/{id}', { params: { path: { id } }, ...cancel(options) })),
  ownedRows: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/users/{id}/owned', { params: { path: { id } }, ...cancel(options) })),
  createUser: (body: BodyOf<'createUser'>) => bodyOf(client.POST('/console/api/users', { body })),
  inviteUser: (body: BodyOf<'inviteUser'>) => bodyOf(client.POST('/console/api/users/invitations', { body })),
  banUser: (id: string, hours: number) =>
    bodyOf(client.POST('/console/api/users/{id}/ban', { params: { path: { id } }, body: { hours } })),
  unbanUser: (id: string) => bodyOf(client.POST('/console/api/users/{id}/unban', { params: { path: { id } } })),
  signOutUser: (id: string) => bodyOf(client.POST('/console/api/users/{id}/sign-out', { params: { path: { id } } })),
  sendReset: (id: string) => bodyOf(client.POST('/console/api/users/{id}/reset', { params: { path: { id } } })),
  signInLink: (id: string) => bodyOf(client.POST('/console/api/users/{id}/link', { params: { path: { id } } })),
  removeUserFactor: (id: string, factorId: string) =>
    bodyOf(client.DELETE('/console/api/users/{id}/factors/{factorId}', { params: { path: { id, factorId } } })),
  deleteUser: (id: string) => bodyOf(client.DELETE('/console/api/users/{id}', { params: { path: { id } } })),
  mails: (query: QueryOf<'mails'>, options?: Cancel) =>
    bodyOf(client.GET('/console/api/mails', { params: { query }, ...cancel(options) })),
  mail: (id: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/mails/{id}', { params: { path: { id } }, ...cancel(options) })),
  emptyInbox: () => bodyOf(client.DELETE('/console/api/mails')),
  authSetup: (options?: Cancel) => bodyOf(client.GET('/console/api/auth/setup', cancel(options))),
  /** @param body the value, null for the default, and the one that it replaces */
  changeAuthSetting: (name: string, body: { readonly value: string | null; readonly replaces: string | null }) =>
    bodyOf(client.PUT('/console/api/auth/setup/settings/{name}', { params: { path: { name } }, body })),
  rotateTokenKeys: (algorithm: BodyOf<'rotateTokenKeys'>['algorithm']) =>
    bodyOf(client.POST('/console/api/auth/setup/keys/rotation', { body: { algorithm } })),
  rotateApiKey: (name: BodyOf<'rotateApiKey'>['name']) =>
    bodyOf(client.POST('/console/api/auth/setup/api-keys/rotation', { body: { name } })),
  revokeApiKey: (id: string) =>
    bodyOf(client.DELETE('/console/api/auth/setup/api-keys/{id}', { params: { path: { id } } })),
  rootKeys: (options?: Cancel) => bodyOf(client.GET('/console/api/secrets/root-keys', cancel(options))),
  /** @param ends whether what is still kept under it ends */
  retireRootKey: (id: string, ends: boolean) =>
    bodyOf(client.DELETE('/console/api/secrets/root-keys/{id}', { params: { path: { id }, query: { ends } } })),
  instanceSecrets: (options?: Cancel) => bodyOf(client.GET('/console/api/secrets', cancel(options))),
  reloadSecrets: () => bodyOf(client.POST('/console/api/secrets/reload')),
  rotateSecret: (name: BodyOf<'rotateSecret'>['name']) =>
    bodyOf(client.POST('/console/api/secrets/rotation', { body: { name } })),
  revokeIngestToken: (id: string) =>
    bodyOf(client.DELETE('/console/api/secrets/ingest-tokens/{id}', { params: { path: { id } } })),
  tryRedirect: (url: string) => bodyOf(client.POST('/console/api/auth/setup/redirect', { body: { url } })),
  previewMail: (kind: MailKind, options?: Cancel) =>
    bodyOf(client.GET('/console/api/auth/setup/mails/{kind}', { params: { path: { kind } }, ...cancel(options) })),
  sendTestMail: (kind: MailKind) =>
    bodyOf(client.POST('/console/api/auth/setup/mails/{kind}/test', { params: { path: { kind } } })),
}
