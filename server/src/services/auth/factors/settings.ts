import { type Declared, flag, integer, list, optionalText, text } from '../../../ground/settings/setting.ts'

const isOrigin = (part: string): boolean =>
  URL.canParse(part) && (new URL(part).origin === part || new URL(part).origin === 'null')

/** The settings of second factors and passkeys; names follow `[auth.mfa]` and `[auth.webauthn]` of `config.toml`. */
export const factorSettings = {
  mfaMaxEnrolledFactors: integer({ default: 10, min: 0, max: 100, about: 'Factors a user may have, verified or not.' }),
  mfaMaxVerifiedFactors: integer({ default: 10, min: 0, max: 100, about: 'Verified factors a user may have.' }),
  mfaChallengeExpirySeconds: integer({
    default: 300,
    min: 30,
    max: 3600,
    about: 'How long the challenge of a factor can be answered.',
  }),
  mfaFactorExpirySeconds: integer({
    default: 300,
    min: 30,
    max: 86_400,
    about: 'After how long a factor that was never challenged makes way for another one.',
  }),
  mfaTotpEnrollEnabled: flag({ default: true, about: 'Whether authenticator apps may be enrolled.' }),
  mfaTotpVerifyEnabled: flag({ default: true, about: 'Whether codes of authenticator apps are accepted.' }),
  mfaPhoneEnrollEnabled: flag({ default: false, about: 'Whether phones may be enrolled as second factors.' }),
  mfaPhoneVerifyEnabled: flag({ default: false, about: 'Whether codes sent to second-factor phones are accepted.' }),
  mfaPhoneOtpLength: integer({ default: 6, min: 6, max: 10, about: 'Digits of a code sent to a second-factor phone.' }),
  mfaPhoneTemplate: text({
    default: 'Your code is {{ .Code }}',
    about: 'The text of a message with a second factor’s code.',
  }),
  mfaPhoneMaxFrequencySeconds: integer({
    default: 60,
    min: 0,
    max: 86_400,
    about: 'The least time between two messages to one second-factor phone.',
  }),
  mfaWebAuthnEnrollEnabled: flag({ default: false, about: 'Whether security keys may be enrolled as second factors.' }),
  mfaWebAuthnVerifyEnabled: flag({ default: false, about: 'Whether security keys are accepted as second factors.' }),
  rateLimitMfa: integer({
    default: 15,
    min: 1,
    max: 1_000_000,
    about:
      'Challenges, and answers to them, in a minute from one address, each counted by itself; answers for one factor likewise.',
  }),
  passkeyEnabled: flag({ default: false, about: 'Whether users may sign in with passkeys.' }),
  passkeyMaxPerUser: integer({ default: 10, min: 1, max: 100, about: 'Passkeys a user may have.' }),
  webauthnRpId: optionalText({
    default: null,
    about: 'The domain that passkeys and security keys are bound to; the site URL’s host when not given.',
  }),
  webauthnRpDisplayName: optionalText({
    default: null,
    about: 'What the browser calls the application while a passkey is made; the domain when not given.',
  }),
  webauthnRpOrigins: list({
    of: { allowed: 'origins (https://app.example.com)', fits: isOrigin },
    default: [],
    about: 'Where passkeys and security keys may be used from; the site URL’s origin when empty.',
  }),
  webauthnChallengeExpirySeconds: integer({
    default: 300,
    min: 30,
    max: 3600,
    about: 'How long a passkey ceremony may take.',
  }),
} as const satisfies Declared
