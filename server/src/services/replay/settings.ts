import Type from 'typebox'
import { isPolicyOrigin } from '../../ground/http/origins.ts'
import { matching, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of session recordings. */
export const replaySettings = {
  retentionDays: setting(Type.Integer({ minimum: 1, maximum: 3650 }), {
    default: 30,
    description: 'How long recordings are kept, in days after they arrived.',
  }),
  errorsPerSession: setting(Type.Integer({ minimum: 10, maximum: 100_000 }), {
    limit: true,
    default: 500,
    description:
      'Errors in a session’s recorded console that are compared with its captured exceptions; further ones are only counted.',
  }),
  outlinedMessages: setting(Type.Integer({ minimum: 100, maximum: 1_000_000 }), {
    limit: true,
    default: 50_000,
    description:
      'Parts of a recording that the console is told of: its messages, or where there are more, the minutes of each tab. A recording that has more of both is read from its beginning to its end.',
  }),
  maxPagePictureMib: setting(Type.Integer({ minimum: 1, maximum: 256 }), {
    limit: true,
    default: 16,
    description:
      'MiB of a recording that are read to draw the page of a heat map; an earlier moment is drawn where it takes more.',
  }),
  maxRecordingFileMib: setting(Type.Integer({ minimum: 1, maximum: 65_536 }), {
    limit: true,
    default: 2048,
    description: 'MiB that a recording which is imported from a file may unpack to.',
  }),
  assetOrigins: setting(
    Type.Array(matching({ allowed: 'origins (https://cdn.example.com, https://*.example.com)', fits: isPolicyOrigin })),
    {
      default: [],
      description:
        'Further origins that recordings may load pictures, fonts and style sheets from while they are watched, besides ' +
        'those of the public URL, the site URL and the addresses that links may lead to.',
    },
  ),
} as const

/** The values of `replaySettings`. */
export type ReplaySettings = Values<typeof replaySettings>
