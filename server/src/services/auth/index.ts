export { type Auth, createAuth, type UserName } from './auth.ts'
export type { AuthDeps } from './deps.ts'
export { authError } from './errors.ts'
export { authPlugin } from './plugin.ts'
export { type AuthSettings, authSettings } from './settings.ts'

/** The migrations of schema `auth`. */
export const authMigrations = new URL('./migrations/', import.meta.url)
