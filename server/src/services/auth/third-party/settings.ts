import Type from 'typebox'
import { type Declared, matching, setting, type Values } from '../../../ground/settings/setting.ts'
import { isIssuer } from './issuer.ts'

/** Issuers whose tokens are accepted beside our own. */
export const thirdPartySettings = {
  thirdPartyIssuers: setting(Type.Array(matching({ allowed: 'issuers (https://…)', fits: isIssuer })), {
    default: [],
    description:
      'Others whose tokens the application’s calls may carry, by their `iss`; their keys are found by OpenID discovery. They sign nobody in here, and make nobody an administrator.',
  }),
  thirdPartyAudiences: setting(Type.Array(Type.String()), {
    default: [],
    description: 'What the `aud` of such tokens must be one of; anything where nothing is said.',
  }),
  thirdPartyTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 60 }), {
    limit: true,
    default: 5,
    description: 'How long an issuer may take to answer with its keys.',
  }),
  maxThirdPartyAnswerBytes: setting(Type.Integer({ minimum: 1024, maximum: 16_777_216 }), {
    limit: true,
    default: 262_144,
    description: 'The largest answer of an issuer that is read.',
  }),
} as const satisfies Declared

/** The values of those settings. */
export type ThirdPartySettings = Values<typeof thirdPartySettings>
