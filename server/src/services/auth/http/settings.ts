import Type from 'typebox'
import { address, type Declared, matching, setting, type Values } from '../../../ground/settings/setting.ts'
import { isGlob } from './glob.ts'

/** Where the service and its application are, and how long a call may take. */
export const addressSettings = {
  externalUrl: setting(address(['https', 'http']), {
    default: 'http://127.0.0.1:54321/auth/v1',
    description:
      'Where browsers reach this service, with its prefix: the base of the links in mails and the issuer of tokens.',
  }),
  siteUrl: setting(address(), {
    default: 'http://127.0.0.1:3000',
    description: 'The application: where a link in a mail leads when the request did not name another allowed address.',
  }),
  additionalRedirectUrls: setting(Type.Array(matching({ allowed: 'globs', fits: isGlob })), {
    default: ['https://127.0.0.1:3000'],
    description: 'Further addresses a link may lead to, as globs: * within a segment, ** across segments.',
  }),
  requestTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 300 }), {
    limit: true,
    default: 10,
    description: 'How long a call may take until it is answered that it took too long.',
  }),
  maxBodyBytes: setting(Type.Integer({ minimum: 1024, maximum: 16_777_216 }), {
    limit: true,
    default: 1_048_576,
    description: 'The largest request body that is read.',
  }),
} as const satisfies Declared

/** The values of those settings. */
export type AddressSettings = Values<typeof addressSettings>
