import Type from 'typebox'
import { type Declared, matching, nullable, setting, type Values } from '../../../ground/settings/setting.ts'
import { isSamlKey } from './saml/keys.ts'

const samlKey = (about: string) =>
  setting(
    nullable(
      matching({ allowed: 'an RSA private key of 2048 bits or more, PKCS#1 in base64 or PEM', fits: isSamlKey }),
    ),
    { default: null, secret: true, description: about },
  )

/** The settings of single sign-on by SAML 2.0. */
export const ssoSettings = {
  samlEnabled: setting(Type.Boolean(), {
    default: false,
    description: 'Whether users may sign in through their organisation’s SAML provider.',
  }),
  samlPrivateKey: samlKey('What signs our requests, and reads encrypted assertions; needed where SAML is on.'),
  samlPrivateKeyNext: samlKey('The key that will take its place: announced, and tried for encrypted assertions.'),
  samlAllowEncryptedAssertions: setting(Type.Boolean(), {
    default: false,
    description: 'Whether providers may encrypt assertions for us.',
  }),
  samlRelayStateValiditySeconds: setting(Type.Integer({ minimum: 10, maximum: 3600 }), {
    default: 120,
    description: 'How long a user may take to sign in at their provider.',
  }),
  samlClockSkewSeconds: setting(Type.Integer({ minimum: 0, maximum: 600 }), {
    default: 180,
    description: 'How far a provider’s clock may differ from ours.',
  }),
  samlMetadataTimeoutMs: setting(Type.Integer({ minimum: 100, maximum: 60_000 }), {
    limit: true,
    default: 5000,
    description: 'How long the answer of a provider’s metadata address may take.',
  }),
  maxSamlMetadataBytes: setting(Type.Integer({ minimum: 1024, maximum: 16_777_216 }), {
    limit: true,
    default: 1_048_576,
    description: 'The largest metadata document that is read.',
  }),
  rateLimitSso: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 30,
    description: 'Beginnings of single sign-on in five minutes from one address.',
  }),
  rateLimitSamlAssertion: setting(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
    limit: true,
    default: 15,
    description: 'SAML responses in five minutes from one address.',
  }),
} as const satisfies Declared

export type SsoSettings = Values<typeof ssoSettings>
