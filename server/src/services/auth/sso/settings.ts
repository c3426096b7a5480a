import { type Declared, flag, integer, optionalTextOf } from '../../../ground/settings/setting.ts'
import { isSamlKey } from './keys.ts'

const samlKey = (about: string) =>
  optionalTextOf({
    default: null,
    secret: true,
    of: { allowed: 'an RSA private key of 2048 bits or more, PKCS#1 in base64 or PEM', fits: isSamlKey },
    about,
  })

/** The settings of single sign-on by SAML 2.0. */
export const ssoSettings = {
  samlEnabled: flag({ default: false, about: 'Whether users may sign in through their organisation’s SAML provider.' }),
  samlPrivateKey: samlKey('What signs our requests, and reads encrypted assertions; needed where SAML is on.'),
  samlPrivateKeyNext: samlKey('The key that will take its place: announced, and tried for encrypted assertions.'),
  samlAllowEncryptedAssertions: flag({ default: false, about: 'Whether providers may encrypt assertions for us.' }),
  samlRelayStateValiditySeconds: integer({
    default: 120,
    min: 10,
    max: 3600,
    about: 'How long a user may take to sign in at their provider.',
  }),
  samlClockSkewSeconds: integer({
    default: 180,
    min: 0,
    max: 600,
    about: 'How far a provider’s clock may differ from ours.',
  }),
  samlMetadataTimeoutMs: integer({
    default: 5000,
    min: 100,
    max: 60_000,
    about: 'How long the answer of a provider’s metadata address may take.',
  }),
  samlMetadataMaxBytes: integer({
    default: 1_048_576,
    min: 1024,
    max: 16_777_216,
    about: 'The largest metadata document that is read.',
  }),
  rateLimitSso: integer({
    default: 30,
    min: 1,
    max: 1_000_000,
    about: 'Beginnings of single sign-on in five minutes from one address.',
  }),
  rateLimitSamlAssertion: integer({
    default: 15,
    min: 1,
    max: 1_000_000,
    about: 'SAML responses in five minutes from one address.',
  }),
} as const satisfies Declared
