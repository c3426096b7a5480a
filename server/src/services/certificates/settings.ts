import Type from 'typebox'
import { address, type Declared, nullable, setting, text, type Values } from '../../ground/settings/setting.ts'

/** The settings of certificates that are obtained by ACME. */
export const acmeSettings = {
  enabled: setting(Type.Boolean(), {
    default: false,
    description:
      'Whether the certificate for the names of public_url and console_url is obtained and renewed by ACME; both ports speak ' +
      'HTTPS then. Behind a proxy that does so, this stays off.',
  }),
  acceptTerms: setting(Type.Boolean(), {
    default: false,
    description: 'Whether you agree to the terms of service of the authority; without it none gives a certificate.',
  }),
  email: setting(nullable(text), {
    default: null,
    description: 'Where the authority writes about problems with the certificate.',
  }),
  directoryUrl: setting(address(['https']), {
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    description: 'The directory of the authority; that of Let’s Encrypt by default.',
  }),
  httpPort: setting(Type.Integer({ minimum: 1, maximum: 65535 }), {
    default: 80,
    description:
      'The port on which the authority’s challenges (HTTP-01) are answered, and everything else is led to HTTPS. The authority ' +
      'asks port 80.',
  }),
  renewDays: setting(Type.Integer({ minimum: 1, maximum: 60 }), {
    default: 30,
    description: 'Days before its end from which a certificate is renewed; a third of its life, where that is less.',
  }),
} as const satisfies Declared

/** The values of `acmeSettings`. */
export type AcmeSettings = Values<typeof acmeSettings>
