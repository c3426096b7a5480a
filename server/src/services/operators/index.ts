import type { ServiceTables } from '../../ground/model/service-tables.ts'

export type { Operator, OperatorRole } from './accounts/store.ts'
export { operatorsPersonStores } from './audit/person-store.ts'
export { operatorsError } from './errors.ts'
export { operatorsOnly, operatorsPlugin } from './http/plugin.ts'
export { createOperators, type Operators, type OperatorsDeps } from './operators.ts'
export { operatorsService } from './service.ts'
export { cookieScopeOf, sessionCookieNames } from './sessions/cookie.ts'
export { type OperatorsSettings, operatorsSettings } from './settings.ts'

/** Schema `clew_operators`. */
export const operatorsTables = {
  name: 'operators',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables
