export { type Auth, createAuth, type UserName } from './auth.ts'
export type { AuthDeps } from './deps.ts'
export { authError } from './errors.ts'
export type { CheckSmsCode, SendSms, Sms, SmsChannel } from './model/sms.ts'
export { authDiscoveryPlugin, authPlugin } from './plugin.ts'
export { providerNames } from './providers/names.ts'
export { type AuthSettings, authSettings, type GivenAuthSettings, settleAuthSettings } from './settings.ts'
export { createSmsProvider } from './sms-providers/provider.ts'
export { createTrustedIssuers } from './third-party/trusted-issuers.ts'

/** The migrations of schema `auth`. */
export const authMigrations = new URL('./migrations/', import.meta.url)

/** Tables of PostgreSQL that hold who has an account: what a recording of visits brings along. */
export const authPeopleTables = ['auth.users', 'auth.identities'] as const
