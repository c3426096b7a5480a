import Type from 'typebox'
import { type Declared, nullable, setting, text, type Values } from '../../../ground/settings/setting.ts'

/** The rules of signing up, and of its addresses. */
export const userSettings = {
  jwtAudience: setting(text, {
    default: 'authenticated',
    description: 'The `aud` of users and tokens where the request names none.',
  }),
  jwtDefaultRole: setting(text, { default: 'authenticated', description: 'The PostgreSQL role of new users.' }),
  enableSignup: setting(Type.Boolean(), { default: true, description: 'Whether new users may sign up.' }),
  enableAnonymousSignIns: setting(Type.Boolean(), {
    default: false,
    description: 'Whether users may sign up without an address.',
  }),
  emailEnableSignup: setting(Type.Boolean(), {
    default: true,
    description: 'Whether users may sign up and in by e-mail.',
  }),
  emailEnableMagicLink: setting(Type.Boolean(), {
    default: true,
    description: 'Whether a link or code sent by mail signs users in.',
  }),
  emailEnableConfirmations: setting(nullable(Type.Boolean()), {
    default: null,
    description:
      'Whether an e-mail address must be confirmed before its user can sign in; where nothing is said in production only.',
  }),
  emailAuthorizedAddresses: setting(Type.Array(Type.String()), {
    default: [],
    description: 'The only addresses that mails are sent to; empty for any.',
  }),
  emailExtendedValidation: setting(Type.Boolean(), {
    default: false,
    description:
      'Whether addresses in domains that are set aside (example.com, .test) are rejected where a mail would be sent.',
  }),
  smsEnableSignup: setting(Type.Boolean(), {
    default: false,
    description: 'Whether users may sign up and in by phone.',
  }),
  smsEnableConfirmations: setting(nullable(Type.Boolean()), {
    default: null,
    description:
      'Whether a phone number must be confirmed by a code before its user can sign in; where nothing is said in production only.',
  }),
} as const satisfies Declared

/** The values of those settings. */
export type ConfiguredUserSettings = Values<typeof userSettings>

/** The settings of users once it is known whether the project is in production. */
export type UserSettings = Omit<ConfiguredUserSettings, 'emailEnableConfirmations' | 'smsEnableConfirmations'> & {
  readonly emailEnableConfirmations: boolean
  readonly smsEnableConfirmations: boolean
}
