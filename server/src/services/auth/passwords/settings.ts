import Type from 'typebox'
import { address, type Declared, nullable, setting, type Values } from '../../../ground/settings/setting.ts'

/** The rules of passwords, and how many are hashed at a time. */
export const passwordSettings = {
  minimumPasswordLength: setting(Type.Integer({ minimum: 1, maximum: 72 }), {
    default: 6,
    description: 'The least length of a password, in bytes.',
  }),
  passwordRequirements: setting(
    Type.Enum(['', 'letters_digits', 'lower_upper_letters_digits', 'lower_upper_letters_digits_symbols']),
    { default: '', description: 'The kinds of characters a password must hold.' },
  ),
  passwordRequiredCharacters: setting(nullable(Type.String()), {
    default: null,
    description:
      'Further sets of characters, separated by colons, of which a password must hold one each; `\\:` is a colon.',
  }),
  passwordHibpEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether passwords known from breaches are rejected; five digits of their SHA-1 are sent out.',
  }),
  passwordHibpUrl: setting(address(['https', 'http']), {
    default: 'https://api.pwnedpasswords.com/range',
    description: 'Where the list of breached passwords is asked, as the Pwned Passwords API answers it.',
  }),
  passwordHibpFailClosed: setting(Type.Boolean(), {
    default: false,
    description: 'Whether every password counts as breached while the list cannot be asked.',
  }),
  passwordHibpTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 9 }), {
    limit: true,
    default: 2,
    description: 'How long the list may take to answer; beyond it the list counts as unavailable.',
  }),
  maxPasswordHibpAnswerBytes: setting(Type.Integer({ minimum: 1024, maximum: 16_777_216 }), {
    limit: true,
    default: 1_048_576,
    description: 'The largest answer of the list that is read.',
  }),
  securePasswordChange: setting(Type.Boolean(), {
    default: false,
    description: 'Whether a password is changed only within 24 hours of signing in, or with a code sent for it.',
  }),
  requireCurrentPassword: setting(Type.Boolean(), {
    default: false,
    description: 'Whether the current password must be sent with a new one, unless the session came of a link or code.',
  }),
  passwordHashConcurrency: setting(Type.Integer({ minimum: 1, maximum: 64 }), {
    limit: true,
    default: 2,
    description: 'How many passwords are hashed at a time, each on a thread of its own.',
  }),
  passwordHashQueue: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 500,
    description: 'How many sign-ins may wait for a hash; more are rejected at once.',
  }),
} as const satisfies Declared

/** The values of those settings. */
export type PasswordSettings = Values<typeof passwordSettings>
