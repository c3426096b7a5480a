import Type from 'typebox'
import {
  address,
  type Declared,
  type Form,
  matching,
  nullable,
  setting,
  type Values,
} from '../../ground/settings/setting.ts'
import { parseHeaderLists } from './headers.ts'

const formed = (form: Form, description: string) => setting(nullable(matching(form)), { default: null, description })

/** The settings of sending mail and of the development inbox. */
export const mailSettings = {
  inboxKeep: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 1000,
    description: 'How many mails the inbox keeps; the oldest go first.',
  }),
  inboxPageMails: setting(Type.Integer({ minimum: 50, maximum: 100_000 }), {
    limit: true,
    default: 1000,
    description: 'Most mails in one answer of the inbox’s API, whatever `limit` asks for.',
  }),
  adminEmail: formed(
    { allowed: 'an e-mail address', fits: (text) => /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(text) },
    'The address mails come from; needed to send by SMTP.',
  ),
  senderName: formed(
    { allowed: 'a text on one line', fits: (text) => !/\p{Cc}/u.test(text) },
    'The name mails come from.',
  ),
  smtpUrl: setting(nullable(address(['smtp', 'smtps'])), {
    default: null,
    secret: true,
    description: 'The mail server as an address, smtp://user:password@host:587; instead of the settings one by one.',
  }),
  smtpHost: setting(nullable(Type.String()), {
    default: null,
    description: 'The mail server; without one, mails stay in the inbox.',
  }),
  smtpPort: setting(Type.Integer({ minimum: 1, maximum: 65_535 }), {
    default: 587,
    description: 'Its port; 465 speaks TLS from the first byte.',
  }),
  smtpUser: setting(nullable(Type.String()), { default: null, description: 'Who signs in at the mail server.' }),
  smtpPass: setting(nullable(Type.String()), {
    default: null,
    secret: true,
    description: 'The password at the mail server.',
  }),
  smtpRequireTls: setting(Type.Boolean(), {
    default: true,
    description: 'Whether nothing is sent without TLS; a server on this machine is trusted without.',
  }),
  smtpTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 60 }), {
    limit: true,
    default: 8,
    description: 'How long the mail server may take; the request waits for it.',
  }),
  smtpHeaders: formed(
    { allowed: 'a JSON object of lists of texts', fits: (text) => parseHeaderLists(text) !== null },
    'Further headers of mails as JSON, a name with a list of values; $messageType is what the mail is about.',
  ),
} as const satisfies Declared

/** The values of `mailSettings`. */
export type MailSettings = Values<typeof mailSettings>
