import Type from 'typebox'
import { setting, type Values } from '../../ground/settings/setting.ts'

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
} as const

/** The values of `issuesSettings`. */
export type IssuesSettings = Values<typeof issuesSettings>
