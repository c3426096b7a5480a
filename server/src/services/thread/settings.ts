import Type from 'typebox'
import { setting, type Values } from '../../ground/settings/setting.ts'

/** What of the thread can be set. */
export const threadSettings = {
  requestRetentionDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 7,
    description: 'Days for which requests that only read are kept, with their statements.',
  }),
  changeRetentionDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 90,
    description: 'Days for which row changes, and the requests that may have made them, are kept.',
  }),
  exchanges: setting(Type.Enum(['none', 'headers', 'bodies']), {
    default: 'none',
    description:
      'What is kept of the headers and bodies of requests and answers, without secrets and what is masked: none, headers, ' +
      'or bodies, which are JSON, forms and plain text with their headers.',
  }),
  exchangeRetentionDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 3,
    description: 'Days for which headers and bodies are kept.',
  }),
  exchangeBodyKib: setting(Type.Integer({ minimum: 1, maximum: 256 }), {
    limit: true,
    default: 16,
    description: 'KiB of a body above which it is left out.',
  }),
  momentsPerSession: setting(Type.Integer({ minimum: 100, maximum: 100_000 }), {
    limit: true,
    default: 5000,
    description: 'Moments of one session that the console is given; what is beyond is said to be cut.',
  }),
  rememberedAuthSessions: setting(Type.Integer({ minimum: 100, maximum: 1_000_000 }), {
    limit: true,
    default: 20_000,
    description: 'Sign-ins whose recorded session is remembered, for their calls that do not name it.',
  }),
  rememberedObservations: setting(Type.Integer({ minimum: 1000, maximum: 10_000_000 }), {
    limit: true,
    default: 50_000,
    description:
      'Observations of sign-ins and links of persons that are remembered, so that they are not written again.',
  }),
  searchedSessions: setting(Type.Integer({ minimum: 100, maximum: 10_000 }), {
    limit: true,
    default: 1000,
    description: 'Most sessions that a search finds.',
  }),
  rankedSessions: setting(Type.Integer({ minimum: 100, maximum: 10_000 }), {
    limit: true,
    default: 1000,
    description: 'So many of the newest sessions are put in another order than the newest first.',
  }),
  chartedRequests: setting(Type.Integer({ minimum: 1000, maximum: 100_000_000 }), {
    limit: true,
    default: 2_000_000,
    description: 'Most requests, the newest of the time asked for, that the chart of requests counts.',
  }),
  namedRecordingMib: setting(Type.Integer({ minimum: 1, maximum: 1024 }), {
    limit: true,
    default: 64,
    description:
      'MiB of an unpacked recording that are read for the names of clicked elements when a session is opened.',
  }),
  idleGapMs: setting(Type.Integer({ minimum: 1000, maximum: 600_000 }), {
    default: 15_000,
    description: 'Milliseconds without activity after which the timeline shows a gap.',
  }),
  maxValueBytes: setting(Type.Integer({ minimum: 256, maximum: 16_777_216 }), {
    limit: true,
    default: 65_536,
    description: 'Bytes of a column’s value above which the row history leaves it out.',
  }),
  respectGpc: setting(Type.Boolean(), {
    default: true,
    description:
      'Whether a browser’s Global Privacy Control (`Sec-GPC: 1`) keeps its calls from being tied to a session or an anonymous visitor. The user of a call’s token is known in any case.',
  }),
  secretColumns: setting(Type.Array(Type.String()), {
    default: [
      '*password*',
      '*passwd*',
      '*passphrase*',
      '*secret*',
      '*token*',
      'hash',
      '*_hash',
      'hashed_*',
      '*api_key*',
      '*apikey*',
      '*private_key*',
      '*credential*',
      'salt',
      '*_salt',
      'otp',
      '*_otp',
      'otp_*',
      'cvv',
      'cvc',
    ],
    description:
      'Columns whose values are never kept: names, * for any letters, a schema or table before a dot where needed.',
  }),
}

/** The values of `threadSettings`. */
export type ThreadSettings = Values<typeof threadSettings>
