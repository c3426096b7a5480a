import Type from 'typebox'
import { type Declared, matching, nullable, setting, type Values } from '../../../ground/settings/setting.ts'

const isOrigin = (part: string): boolean =>
  URL.canParse(part) && (new URL(part).origin === part || new URL(part).origin === 'null')

/** The domain and the origins of passkeys and security keys. */
export const webauthnSettings = {
  webauthnRpId: setting(nullable(Type.String()), {
    default: null,
    description: 'The domain that passkeys and security keys are bound to; by default the site URL’s host.',
  }),
  webauthnRpDisplayName: setting(nullable(Type.String()), {
    default: null,
    description: 'What the browser calls the application while a passkey is made; by default the domain.',
  }),
  webauthnRpOrigins: setting(Type.Array(matching({ allowed: 'origins (https://app.example.com)', fits: isOrigin })), {
    default: [],
    description: 'Where passkeys and security keys may be used from; the site URL’s origin when empty.',
  }),
  webauthnChallengeExpirySeconds: setting(Type.Integer({ minimum: 30, maximum: 3600 }), {
    default: 300,
    description: 'How long a passkey ceremony may take.',
  }),
} as const satisfies Declared

/** The values of those settings. */
export type WebauthnSettings = Values<typeof webauthnSettings>
