import { integer, type Values } from '../../ground/settings/setting.ts'

/** The settings of session recordings. */
export const replaySettings = {
  retentionDays: integer({
    default: 30,
    min: 1,
    max: 3650,
    about: 'How long recordings are kept, in days after they arrived.',
  }),
} as const

export type ReplaySettings = Values<typeof replaySettings>
