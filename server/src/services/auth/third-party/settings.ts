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
} as const satisfies Declared

/** The values of those settings. */
export type ThirdPartySettings = Values<typeof thirdPartySettings>
