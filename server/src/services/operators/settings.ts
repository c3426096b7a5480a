import { type Declared, integer, type Values } from '../../ground/settings/setting.ts'

/** The settings of the console's accounts. */
export const operatorsSettings = {
  sessionDays: integer({
    default: 30,
    min: 1,
    max: 365,
    about: 'Days without a visit after which an operator must sign in again.',
  }),
  setupLinkHours: integer({
    default: 24,
    min: 1,
    max: 168,
    about: 'Hours for which the link that creates the owner can be used.',
  }),
  minimumPasswordLength: integer({
    default: 10,
    min: 8,
    max: 128,
    about: 'The least length of an operator’s password, in characters.',
  }),
  attemptsPerAccount: integer({
    default: 10,
    min: 1,
    max: 10_000,
    about: 'Sign-ins in fifteen minutes from one address to one account.',
  }),
  attemptsPerAddress: integer({
    default: 60,
    min: 1,
    max: 100_000,
    about: 'Sign-ins and uses of the set-up link in fifteen minutes from one address.',
  }),
} as const satisfies Declared

/** The values of `operatorsSettings`. */
export type OperatorsSettings = Values<typeof operatorsSettings>
