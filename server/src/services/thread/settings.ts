import { flag, integer, list, type Values } from '../../ground/settings/setting.ts'

/** What of the thread can be set. */
export const threadSettings = {
  requestRetentionDays: integer({
    default: 7,
    min: 1,
    max: 3650,
    about: 'Days for which requests that only read are kept, with their statements.',
  }),
  changeRetentionDays: integer({
    default: 90,
    min: 1,
    max: 3650,
    about: 'Days for which row changes, and the requests that may have made them, are kept.',
  }),
  momentsPerSession: integer({
    default: 5000,
    min: 100,
    max: 100_000,
    about: 'Moments of one session that the console is given; what is beyond is said to be cut.',
  }),
  idleGapMs: integer({
    default: 15_000,
    min: 1000,
    max: 600_000,
    about: 'Milliseconds without activity after which the timeline shows a gap.',
  }),
  maxValueBytes: integer({
    default: 65_536,
    min: 256,
    max: 16_777_216,
    about: 'Bytes of a column’s value above which the row history leaves it out.',
  }),
  respectGpc: flag({
    default: true,
    about:
      'Whether a browser’s Global Privacy Control (`Sec-GPC: 1`) keeps its calls from being tied to a session or an anonymous visitor. The user of a call’s token is known in any case.',
  }),
  secretColumns: list({
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
    about:
      'Columns whose values are never kept: names, * for any letters, a schema or table before a dot where needed.',
  }),
}

/** The values of `threadSettings`. */
export type ThreadSettings = Values<typeof threadSettings>
