import Type from 'typebox'
import { type Declared, nullable, setting, type Values } from '../../ground/settings/setting.ts'

/** What is kept beyond the days and budgets of its kind. */
export const retentionSettings = {
  sessionsWithErrorsDays: setting(nullable(Type.Integer({ minimum: 1, maximum: 3650 })), {
    default: null,
    description:
      'Days after an error for which all that is kept of its session stays: recording, events, requests, row changes and ' +
      'exceptions. By default a session with errors is kept as any other.',
  }),
  maxHolds: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 200,
    description: 'Legal holds that are open at a time.',
  }),
} as const satisfies Declared

/** The values of `retentionSettings`. */
export type RetentionSettings = Values<typeof retentionSettings>
