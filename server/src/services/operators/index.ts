export type { Operator, OperatorRole } from './accounts/store.ts'
export { operatorsError } from './errors.ts'
export { accessPlugin } from './http/access-plugin.ts'
export { operatorsOnly, operatorsPlugin } from './http/plugin.ts'
export { createOperators, type Operators, type OperatorsDeps } from './operators.ts'
export { sessionCookieNames } from './sessions/cookie.ts'
export { type OperatorsSettings, operatorsSettings } from './settings.ts'

/** The migrations of schema `clew_operators`. */
export const operatorsMigrations = new URL('./migrations/', import.meta.url)
