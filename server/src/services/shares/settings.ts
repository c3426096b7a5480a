import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of links to sessions. */
export const sharesSettings = {
  maxHours: setting(Type.Integer({ minimum: 1, maximum: 8_760 }), {
    limit: true,
    default: 720,
    description: 'Hours for which a link to a session can be valid.',
  }),
  perSession: setting(Type.Integer({ minimum: 1, maximum: 1_000 }), {
    limit: true,
    default: 20,
    description: 'Valid links to one session.',
  }),
  concurrent: setting(Type.Integer({ minimum: 1, maximum: 1_000 }), {
    limit: true,
    default: 4,
    description: 'Shared sessions that are sent at a time, by each process.',
  }),
} as const satisfies Declared

/** The values of `sharesSettings`. */
export type SharesSettings = Values<typeof sharesSettings>
