export { accessPlugin } from './access-plugin.ts'
export { sessionCookieNames } from './cookie.ts'
export { operatorsError } from './errors.ts'
export { createOperators, type Operators, type OperatorsDeps } from './operators.ts'
export { operatorsOnly, operatorsPlugin } from './plugin.ts'
export { type OperatorsSettings, operatorsSettings } from './settings.ts'
export type { Operator, OperatorRole } from './store.ts'

/** The migrations of schema `clew_operators`. */
export const operatorsMigrations = new URL('./migrations/', import.meta.url)
