import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of the console's accounts. */
export const operatorsSettings = {
  sessionDays: setting(Type.Integer({ minimum: 1, maximum: 365 }), {
    default: 30,
    description: 'Days without a visit after which an operator must sign in again.',
  }),
  setupLinkHours: setting(Type.Integer({ minimum: 1, maximum: 168 }), {
    default: 24,
    description: 'Hours for which the link that creates the owner can be used.',
  }),
  minimumPasswordLength: setting(Type.Integer({ minimum: 8, maximum: 128 }), {
    default: 10,
    description: 'The least length of an operator’s password, in characters.',
  }),
  attemptsPerAccount: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 10,
    description: 'Sign-ins in fifteen minutes from one address to one account.',
  }),
  attemptsPerAddress: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 60,
    description: 'Sign-ins and uses of the set-up link in fifteen minutes from one address.',
  }),
} as const satisfies Declared

/** The values of `operatorsSettings`. */
export type OperatorsSettings = Values<typeof operatorsSettings>
