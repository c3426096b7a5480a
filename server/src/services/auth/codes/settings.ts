import Type from 'typebox'
import { type Declared, nullable, pairs, setting, text, type Values } from '../../../ground/settings/setting.ts'

/** Codes and links that are sent by mail and by text message. */
export const codeSettings = {
  emailDoubleConfirmChanges: setting(Type.Boolean(), {
    default: true,
    description: 'Whether a change of address must be confirmed at the current address, too.',
  }),
  emailOtpLength: setting(Type.Integer({ minimum: 6, maximum: 10 }), {
    default: 6,
    description: 'Digits of a code sent by mail.',
  }),
  emailOtpExpirySeconds: setting(Type.Integer({ minimum: 30, maximum: 86_400 }), {
    default: 3600,
    description: 'How long a code or link sent by mail can be used.',
  }),
  smsTemplate: setting(text, {
    default: 'Your code is {{ .Code }}',
    description: 'The text of a message with a code.',
  }),
  smsOtpLength: setting(Type.Integer({ minimum: 6, maximum: 10 }), {
    default: 6,
    description: 'Digits of a code sent by text message.',
  }),
  smsOtpExpirySeconds: setting(Type.Integer({ minimum: 10, maximum: 86_400 }), {
    default: 60,
    description: 'How long a code sent by text message can be used.',
  }),
  otpMaxWrongGuesses: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 10,
    description:
      'Wrong guesses after which a code sent by mail or message is void: from the network that asked for it, and from all others together, each counted by itself. The link beside it stays good.',
  }),
  smsTestOtp: setting(
    pairs({
      allowed: 'numbers with their codes (4152127777=123456)',
      fits: (pair) => /^\d{7,15}=\d{6,10}$/.test(pair),
    }),
    {
      default: [],
      description:
        'Numbers whose code is always the given one, and which are sent nothing; in clew.toml a table or a list.',
    },
  ),
  smsTestOtpValidUntil: setting(nullable(Type.String()), {
    default: null,
    description: 'The instant (ISO 8601) after which the test numbers are numbers like any other.',
  }),
  flowStateExpirySeconds: setting(Type.Integer({ minimum: 300, maximum: 3600 }), {
    default: 300,
    description: 'How long the code of a PKCE flow can be exchanged.',
  }),
} as const satisfies Declared

/** The values of those settings. */
export type CodeSettings = Values<typeof codeSettings>
