import {
  type Declared,
  flag,
  integer,
  optionalAddress,
  optionalText,
  type Setting,
  type Values,
} from '../../ground/settings/setting.ts'
import { parseHeaderLists } from './headers.ts'

/** A text of a form of its own, or nothing. */
function formed(
  common: { readonly about: string; readonly allowed: string },
  fits: (value: string) => boolean,
): Setting<string | null> {
  const inner = optionalText({ default: null, about: common.about })
  return {
    ...inner,
    allowed: common.allowed,
    read(raw) {
      const value = inner.read(raw)
      return typeof value === 'string' && !fits(value) ? undefined : value
    },
  }
}

/** The settings of sending mail and of the development inbox. */
export const mailSettings = {
  inboxKeep: integer({
    default: 1000,
    min: 1,
    max: 100_000,
    about: 'How many mails the inbox keeps; the oldest go first.',
  }),
  adminEmail: formed(
    { about: 'The address mails come from; needed to send by SMTP.', allowed: 'an e-mail address, or nothing' },
    (value) => /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(value),
  ),
  senderName: formed(
    { about: 'The name mails come from.', allowed: 'a text on one line, or nothing' },
    (value) => !/\p{Cc}/u.test(value),
  ),
  smtpUrl: optionalAddress({
    schemes: ['smtp', 'smtps'],
    default: null,
    secret: true,
    about: 'The mail server as an address, smtp://user:password@host:587; instead of the settings one by one.',
  }),
  smtpHost: optionalText({
    default: null,
    about: 'The mail server; without one, mails stay in the inbox.',
  }),
  smtpPort: integer({ default: 587, min: 1, max: 65_535, about: 'Its port; 465 speaks TLS from the first byte.' }),
  smtpUser: optionalText({ default: null, about: 'Who signs in at the mail server.' }),
  smtpPass: optionalText({ default: null, secret: true, about: 'The password at the mail server.' }),
  smtpRequireTls: flag({
    default: true,
    about: 'Whether nothing is sent without TLS; a server on this machine is trusted without.',
  }),
  smtpTimeoutSeconds: integer({
    default: 8,
    min: 1,
    max: 60,
    about: 'How long the mail server may take; the request waits for it.',
  }),
  smtpHeaders: formed(
    {
      about: 'Further headers of mails as JSON, a name with a list of values; $messageType is what the mail is about.',
      allowed: 'a JSON object of lists of texts, or nothing',
    },
    (value) => parseHeaderLists(value) !== null,
  ),
} as const satisfies Declared

/** The values of `mailSettings`. */
export type MailSettings = Values<typeof mailSettings>
