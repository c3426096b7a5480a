import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of masks. */
export const privacySettings = {
  maxMasks: setting(Type.Integer({ minimum: 1, maximum: 1_000 }), {
    limit: true,
    default: 200,
    description: 'Columns and properties of a project that are masked.',
  }),
  offeredColumns: setting(Type.Integer({ minimum: 10, maximum: 100_000 }), {
    limit: true,
    default: 5_000,
    description: 'Columns that the console offers when a mask is set.',
  }),
  offeredProperties: setting(Type.Integer({ minimum: 10, maximum: 10_000 }), {
    limit: true,
    default: 1_000,
    description: 'Names of properties that the console offers when a mask is set; any other is typed.',
  }),
} as const satisfies Declared

/** The values of `privacySettings`. */
export type PrivacySettings = Values<typeof privacySettings>
