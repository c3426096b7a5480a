import { isPolicyOrigin } from '../../ground/http/origins.ts'
import { integer, list, type Values } from '../../ground/settings/setting.ts'

/** The settings of session recordings. */
export const replaySettings = {
  retentionDays: integer({
    default: 30,
    min: 1,
    max: 3650,
    about: 'How long recordings are kept, in days after they arrived.',
  }),
  assetOrigins: list({
    of: { allowed: 'origins (https://cdn.example.com, https://*.example.com)', fits: isPolicyOrigin },
    default: [],
    about:
      'Further origins that recordings may load pictures, fonts and style sheets from while they are watched, besides ' +
      'those of the public URL, the site URL and the addresses that links may lead to.',
  }),
} as const

/** The values of `replaySettings`. */
export type ReplaySettings = Values<typeof replaySettings>
