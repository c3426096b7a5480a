import Type from 'typebox'
import { type Declared, matching, nullable, setting, type Values } from '../../../ground/settings/setting.ts'
import { parseAllowance } from './quota.ts'

const allowance = {
  allowed: 'a number (30) or a number in a time (100/24h)',
  fits: (raw: string) => parseAllowance(raw) !== undefined,
}

/** Limits by address, by user and by project. */
export const limitSettings = {
  emailMaxFrequencySeconds: setting(Type.Integer({ minimum: 0, maximum: 86_400 }), {
    limit: true,
    default: 1,
    description: 'The least time between two mails of one kind to one user.',
  }),
  smsMaxFrequencySeconds: setting(Type.Integer({ minimum: 0, maximum: 86_400 }), {
    limit: true,
    default: 5,
    description: 'The least time between two messages of one kind to one user.',
  }),
  rateLimitByAddress: setting(Type.Boolean(), {
    default: false,
    description: 'Whether calls are limited by the address they come from; on in production.',
  }),
  rateLimitSignInSignUps: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 30,
    description: 'Sign-ups, mails and changes of a user in five minutes from one address, each counted by itself.',
  }),
  rateLimitTokenRefresh: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 150,
    description:
      'Sign-ins and refreshes in five minutes from one address; exchanges of the OAuth server likewise, counted by themselves.',
  }),
  rateLimitTokenVerifications: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 30,
    description:
      'Codes and links tried in five minutes from one address; of wrong codes for one contact as many are answered as wrong, more as too many.',
  }),
  rateLimitAnonymousUsers: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 30,
    description: 'Anonymous sign-ups in an hour from one address.',
  }),
  rateLimitEmailSent: setting(nullable(matching(allowance)), {
    limit: true,
    default: null,
    description:
      'Mails of the whole project, as `30` (an hour) or `100/24h`; 0 for none. Where nothing is said 30 an hour if calls are limited by address, else any number. Not counted while addresses need no confirmation.',
  }),
  rateLimitSmsSent: setting(nullable(matching(allowance)), {
    limit: true,
    default: null,
    description: 'Text messages of the whole project, likewise.',
  }),
} as const satisfies Declared

/** The values of those settings. */
export type LimitSettings = Values<typeof limitSettings>
