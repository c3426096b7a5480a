import { type Declared, integer, type Values } from '../../ground/settings/setting.ts'

/** The settings of the development inbox. */
export const mailSettings = {
  inboxKeep: integer({
    default: 1000,
    min: 1,
    max: 100_000,
    about: 'How many mails the inbox keeps; the oldest go first.',
  }),
} as const satisfies Declared

export type MailSettings = Values<typeof mailSettings>
