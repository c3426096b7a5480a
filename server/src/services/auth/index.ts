import type { ServiceTables } from '../../ground/model/service-tables.ts'

export { createAccountEraser } from './admin/console/erase-account.ts'
export { type Auth, createAuth, type UserName } from './auth.ts'
export { checkAuthSecrets } from './check-secrets.ts'
export { authError } from './errors.ts'
export type { AuthDeps } from './foundation.ts'
export type { CheckSmsCode, SendSms, Sms, SmsChannel } from './model/sms.ts'
export { authPlugin } from './plugin.ts'
export { providerNames } from './providers/names.ts'
export { authService } from './service.ts'
export {
  type AuthSettings,
  authSettings,
  authSettingsOf,
  type ConfiguredAuthSettings,
  settleAuthSettings,
} from './settings.ts'
export { setupError } from './setup/errors.ts'
export { createKeyUses, type KeyUses } from './setup/key-uses.ts'
export { planSmsDelivery } from './sms-providers/delivery.ts'
export { authPersonStores } from './store/person-stores.ts'
export { openTrustedIssuers } from './third-party/open-trusted-issuers.ts'

/** Schema `auth`. */
export const authTables = {
  name: 'auth',
  postgres: new URL('./migrations/', import.meta.url),
  people: ['auth.users', 'auth.identities'],
} as const satisfies ServiceTables
