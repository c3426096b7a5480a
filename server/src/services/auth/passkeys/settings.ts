import Type from 'typebox'
import { type Declared, setting, type Values } from '../../../ground/settings/setting.ts'

/** Passkeys. */
export const passkeySettings = {
  passkeyEnabled: setting(Type.Boolean(), { default: false, description: 'Whether users may sign in with passkeys.' }),
  passkeyMaxPerUser: setting(Type.Integer({ minimum: 1, maximum: 100 }), {
    limit: true,
    default: 10,
    description: 'Passkeys a user may have.',
  }),
} as const satisfies Declared

/** The values of those settings. */
export type PasskeySettings = Values<typeof passkeySettings>
