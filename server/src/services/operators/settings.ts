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
  invitationHours: setting(Type.Integer({ minimum: 1, maximum: 720 }), {
    default: 72,
    description: 'Hours for which the link of an invitation to the team can be used.',
  }),
  minimumPasswordLength: setting(Type.Integer({ minimum: 8, maximum: 128 }), {
    default: 10,
    description: 'The least length of an operator’s password, in characters.',
  }),
  attemptsPerAccount: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 10,
    description: 'Sign-ins from one address to one account within attempt_window_seconds.',
  }),
  attemptsPerAddress: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 60,
    description: 'Sign-ins and uses of the set-up link from one address within attempt_window_seconds.',
  }),
  attemptWindowSeconds: setting(Type.Integer({ minimum: 1, maximum: 86_400 }), {
    limit: true,
    default: 900,
    description: 'Seconds in which the attempts of an account or address are counted.',
  }),
  signInStepSeconds: setting(Type.Integer({ minimum: 30, maximum: 3600 }), {
    limit: true,
    default: 300,
    description:
      'Seconds between the password and the second factor, or between a passkey’s challenge and its response.',
  }),
  signInStepAttempts: setting(Type.Integer({ minimum: 1, maximum: 100 }), {
    limit: true,
    default: 5,
    description: 'Wrong second factors after which the password must be entered again.',
  }),
  openSignIns: setting(Type.Integer({ minimum: 10, maximum: 1_000_000 }), {
    limit: true,
    default: 1000,
    description: 'How many sign-ins may wait for their second factor; one more ends the oldest.',
  }),
  proofSeconds: setting(Type.Integer({ minimum: 30, maximum: 86_400 }), {
    limit: true,
    default: 600,
    description: 'Seconds after a proof of identity in which an operator may change second factors.',
  }),
  accessTokens: setting(Type.Integer({ minimum: 0, maximum: 10_000 }), {
    limit: true,
    default: 50,
    description: 'Access tokens that an operator may have.',
  }),
  sessionViews: setting(Type.Integer({ minimum: 0, maximum: 10_000 }), {
    limit: true,
    default: 100,
    description: 'Saved views of the sessions that an operator may have, and that the team may have.',
  }),
  auditDays: setting(Type.Integer({ minimum: 30, maximum: 36_500 }), {
    default: 730,
    description: 'Days for which the audit log keeps what operators did and looked at.',
  }),
  passwordHashQueue: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 100,
    description: 'How many sign-ins may wait for a hash; more are rejected at once.',
  }),
} as const satisfies Declared

/** The values of `operatorsSettings`. */
export type OperatorsSettings = Values<typeof operatorsSettings>
