import Type from 'typebox'
import { type Declared, setting, text, type Values } from '../../../ground/settings/setting.ts'

/** The settings of second factors and passkeys; names follow `[auth.mfa]` and `[auth.webauthn]` of `config.toml`. */
export const factorSettings = {
  mfaMaxEnrolledFactors: setting(Type.Integer({ minimum: 0, maximum: 100 }), {
    limit: true,
    default: 10,
    description: 'Factors a user may have, verified or not.',
  }),
  mfaMaxVerifiedFactors: setting(Type.Integer({ minimum: 0, maximum: 100 }), {
    limit: true,
    default: 10,
    description: 'Verified factors a user may have.',
  }),
  mfaChallengeExpirySeconds: setting(Type.Integer({ minimum: 30, maximum: 3600 }), {
    default: 300,
    description: 'How long the challenge of a factor can be answered.',
  }),
  mfaFactorExpirySeconds: setting(Type.Integer({ minimum: 30, maximum: 86_400 }), {
    default: 300,
    description: 'After how long a factor that was never challenged makes way for another one.',
  }),
  mfaTotpEnrollEnabled: setting(Type.Boolean(), {
    default: true,
    description: 'Whether authenticator apps may be enrolled.',
  }),
  mfaTotpVerifyEnabled: setting(Type.Boolean(), {
    default: true,
    description: 'Whether codes of authenticator apps are accepted.',
  }),
  mfaPhoneEnrollEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether phones may be enrolled as second factors.',
  }),
  mfaPhoneVerifyEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether codes sent to second-factor phones are accepted.',
  }),
  mfaPhoneOtpLength: setting(Type.Integer({ minimum: 6, maximum: 10 }), {
    default: 6,
    description: 'Digits of a code sent to a second-factor phone.',
  }),
  mfaPhoneTemplate: setting(text, {
    default: 'Your code is {{ .Code }}',
    description: 'The text of a message with a second factor’s code.',
  }),
  mfaPhoneMaxFrequencySeconds: setting(Type.Integer({ minimum: 0, maximum: 86_400 }), {
    limit: true,
    default: 60,
    description: 'The least time between two messages to one second-factor phone.',
  }),
  mfaWebAuthnEnrollEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether security keys may be enrolled as second factors.',
  }),
  mfaWebAuthnVerifyEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether security keys are accepted as second factors.',
  }),
  rateLimitMfa: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 15,
    description:
      'Challenges, and answers to them, in a minute from one address, each counted by itself; answers for one factor likewise.',
  }),
} as const satisfies Declared

export type FactorSettings = Values<typeof factorSettings>
