import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of scheduled exports. */
export const exportsSettings = {
  maxExports: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 50,
    description: 'Scheduled exports of a project.',
  }),
  rowsPerFile: setting(Type.Integer({ minimum: 1000, maximum: 50_000_000 }), {
    limit: true,
    default: 500_000,
    description:
      'Rows of events or requests in one file of an export, and fifty times fewer messages of recordings; what was stored in one ' +
      'batch stays together.',
  }),
  runDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 90,
    description: 'Days for which the runs of exports are listed.',
  }),
  firstRetrySeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    default: 30,
    description:
      'Time before a file that could not be exported is tried again; each further wait is four times as long.',
  }),
  maxRetries: setting(Type.Integer({ minimum: 0, maximum: 20 }), {
    default: 6,
    description: 'Times that a file is tried again before its run has failed; the next run goes on where it was.',
  }),
  timeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    limit: true,
    default: 60,
    description: 'How long a bucket’s server may be silent within a request.',
  }),
} as const satisfies Declared

/** The values of `exportsSettings`. */
export type ExportsSettings = Values<typeof exportsSettings>
