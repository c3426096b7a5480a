import { type BodyOf, bodyOf, type Cancel, cancel, client } from '../client.ts'

/** The requests of operators for their own access: the first owner, signing in, factors, passkeys and tokens. */
export const accountsApi = {
  setup: (options?: Cancel) => bodyOf(client.GET('/console/api/setup', cancel(options))),
  claim: (body: BodyOf<'claimSetup'>) => bodyOf(client.POST('/console/api/setup', { body })),
  operator: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/session', cancel(options)))).operator,
  signIn: (body: BodyOf<'signIn'>) => bodyOf(client.POST('/console/api/session', { body })),
  signInWithFactor: async (body: BodyOf<'signInWithFactor'>) =>
    (await bodyOf(client.POST('/console/api/session/factor', { body }))).operator,
  signOut: () => bodyOf(client.DELETE('/console/api/session')),
  access: (options?: Cancel) => bodyOf(client.GET('/console/api/access', cancel(options))),
  endSession: (id: string) => bodyOf(client.DELETE('/console/api/access/sessions/{id}', { params: { path: { id } } })),
  endOtherSessions: () => bodyOf(client.DELETE('/console/api/access/sessions')),
  askForProof: () => bodyOf(client.POST('/console/api/access/proof/options')),
  prove: (body: BodyOf<'prove'>) => bodyOf(client.POST('/console/api/access/proof', { body })),
  beginTotp: () => bodyOf(client.POST('/console/api/access/totp')),
  confirmTotp: (code: string) => bodyOf(client.POST('/console/api/access/totp/confirm', { body: { code } })),
  removeTotp: () => bodyOf(client.DELETE('/console/api/access/totp')),
  beginPasskey: () => bodyOf(client.POST('/console/api/access/passkeys/options')),
  addPasskey: (body: BodyOf<'addPasskey'>) => bodyOf(client.POST('/console/api/access/passkeys', { body })),
  renamePasskey: (id: string, name: string) =>
    bodyOf(client.PATCH('/console/api/access/passkeys/{id}', { params: { path: { id } }, body: { name } })),
  removePasskey: (id: string) =>
    bodyOf(client.DELETE('/console/api/access/passkeys/{id}', { params: { path: { id } } })),
  renewRecoveryCodes: () => bodyOf(client.POST('/console/api/access/recovery-codes')),
  accessTokens: (options?: Cancel) => bodyOf(client.GET('/console/api/access/tokens', cancel(options))),
  createAccessToken: (body: BodyOf<'createAccessToken'>) => bodyOf(client.POST('/console/api/access/tokens', { body })),
  revokeAccessToken: (id: string) =>
    bodyOf(client.DELETE('/console/api/access/tokens/{id}', { params: { path: { id } } })),
}
