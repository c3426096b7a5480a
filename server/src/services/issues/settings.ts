import Type from 'typebox'
import { address, nullable, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of errors. */
export const issuesSettings = {
  retentionDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 90,
    description: 'Days for which exceptions are kept, and issues after they were last seen.',
  }),
  maxIssues: setting(Type.Integer({ minimum: 100, maximum: 1_000_000 }), {
    limit: true,
    default: 20_000,
    description: 'Issues that are kept; beyond them those that were not seen for the longest time are deleted.',
  }),
  maxRules: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 200,
    description: 'Rules by which exceptions are grouped or ignored.',
  }),
  maxSourceMapMib: setting(Type.Integer({ minimum: 1, maximum: 512 }), {
    limit: true,
    default: 64,
    description: 'The largest source map, unpacked, in MiB.',
  }),
  sourceMapsMib: setting(Type.Integer({ minimum: 1, maximum: 1_048_576 }), {
    limit: true,
    default: 1024,
    description: 'MiB of source maps, packed, that are kept in the database; beyond them the oldest ones are deleted.',
  }),
  alertMails: setting(Type.Array(Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$' })), {
    default: [],
    description: 'Addresses that are mailed when an error is new or comes back.',
  }),
  alertWebhookUrl: setting(nullable(address(['https', 'http'])), {
    default: null,
    secret: true,
    description:
      'An address that is sent a JSON body when an error is new or comes back, with a `text` as chat services take it. ' +
      'Private hosts need an entry in allowed_hosts of [net].',
  }),
  alertMinutes: setting(Type.Integer({ minimum: 1, maximum: 10_080 }), {
    default: 5,
    description: 'Minutes from one alert to the next: what happens in between is told in one.',
  }),
} as const

/** The values of `issuesSettings`. */
export type IssuesSettings = Values<typeof issuesSettings>
