import Type from 'typebox'
import {
  type Declared,
  matching,
  nullable,
  type Setting,
  setting,
  type Values,
} from '../../../ground/settings/setting.ts'
import { type MailKind, mailKinds, type SettingPrefix, settingPrefix } from './kinds.ts'
import { isTextPlace } from './read-text.ts'
import { isTemplate } from './template/parse.ts'

type NotificationPrefix = Extract<SettingPrefix, `emailNotification${string}`>

type OfEachMail = {
  readonly [Name in `${SettingPrefix}${'Subject' | 'Content' | 'ContentPath'}`]: Setting<string | null>
} & {
  readonly [Name in `${NotificationPrefix}Enabled`]: Setting<boolean>
}

const templateForm = nullable(matching({ allowed: 'a template of Go’s language', fits: isTemplate }))
const template = (description: string) => setting(templateForm, { default: null, description })

const placeForm = nullable(
  matching({
    allowed: 'a file, or an address: https, and not of a private network unless openly of this machine',
    fits: isTextPlace,
  }),
)
const place = (description: string) => setting(placeForm, { default: null, description })

function settingsOf(kind: MailKind): readonly (readonly [string, Setting<unknown>])[] {
  const prefix = settingPrefix(kind)
  const name = kind.replaceAll('_', ' ')
  return [
    ...(prefix.startsWith('emailNotification')
      ? [
          [
            `${prefix}Enabled`,
            setting(Type.Boolean(), { default: false, description: `Whether the ${name} is sent.` }),
          ] as const,
        ]
      : []),
    [`${prefix}Subject`, template(`Subject of the ${name} mail, a template.`)],
    [`${prefix}Content`, template(`HTML of the ${name} mail, a template.`)],
    [
      `${prefix}ContentPath`,
      place(`Where the HTML of the ${name} mail is: a file below the project’s folder, or an address.`),
    ],
  ]
}

/** The settings of mails; names follow `[auth.email.template.…]` and `[auth.email.notification.…]` of a `config.toml`. */
export const mailTextSettings = {
  emailExternalHosts: setting(
    Type.Array(
      matching({
        allowed: 'hosts, with their port if any',
        fits: (host) => URL.canParse(`http://${host}`) && new URL(`http://${host}`).host === host,
      }),
    ),
    {
      default: [],
      description:
        'Hosts that links in mails may lead to when `X-Forwarded-Host` names one, instead of the external URL’s.',
    },
  ),
  emailUrlPathConfirmation: setting(nullable(Type.String()), {
    default: null,
    description: 'Path of the link in confirmation mails, instead of /verify below the external URL.',
  }),
  emailUrlPathInvite: setting(nullable(Type.String()), {
    default: null,
    description: 'Path of the link in invitations, instead of /verify below the external URL.',
  }),
  emailUrlPathRecovery: setting(nullable(Type.String()), {
    default: null,
    description: 'Path of the link in recovery mails and magic links, instead of /verify below the external URL.',
  }),
  emailUrlPathEmailChange: setting(nullable(Type.String()), {
    default: null,
    description: 'Path of the link that confirms a change of address, instead of /verify below the external URL.',
  }),
  emailTemplateTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 30 }), {
    limit: true,
    default: 5,
    description: 'How long an address may take to answer with the text of a mail.',
  }),
  maxEmailTemplateBytes: setting(Type.Integer({ minimum: 1024, maximum: 16_777_216 }), {
    limit: true,
    default: 1_048_576,
    description: 'The longest text of a mail that is read from a file or an address.',
  }),
  // Below the number of auth’s connections: requests that send no mail need one, too.
  emailConcurrency: setting(Type.Integer({ minimum: 1, maximum: 5 }), {
    limit: true,
    default: 3,
    description:
      'How many requests may hold a transaction while the mail server takes its mail; others wait before theirs.',
  }),
  emailQueue: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 1000,
    description: 'How many requests may wait for their turn to send a mail; more are rejected at once.',
  }),
  // One entry for each kind, built from the same names as the type.
  ...(Object.fromEntries(mailKinds.flatMap(settingsOf)) as OfEachMail),
} satisfies Declared

export type MailSettings = Values<typeof mailTextSettings>
