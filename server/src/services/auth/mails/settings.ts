import { type Declared, flag, integer, list, optionalText, type Setting } from '../../../ground/settings/setting.ts'
import { type MailKind, mailKinds, type SettingPrefix, settingPrefix } from './kinds.ts'
import { isTextPlace } from './read-text.ts'
import { isTemplate } from './template/parse.ts'

type NotificationPrefix = Extract<SettingPrefix, `emailNotification${string}`>

type OfEachMail = {
  readonly [Name in `${SettingPrefix}${'Subject' | 'Content' | 'ContentPath'}`]: Setting<string | null>
} & {
  readonly [Name in `${NotificationPrefix}Enabled`]: Setting<boolean>
}

/** A text of a form of its own, or nothing. */
function formed(about: string, allowed: string, fits: (value: string) => boolean): Setting<string | null> {
  const inner = optionalText({ default: null, about })
  return {
    ...inner,
    allowed: `${allowed}, or nothing`,
    read(raw) {
      const value = inner.read(raw)
      return typeof value === 'string' && !fits(value) ? undefined : value
    },
  }
}

const template = (about: string) => formed(about, 'a template of Go’s language', isTemplate)

const place = (about: string) =>
  formed(about, 'a file, or an address: https, and not of a private network unless openly of this machine', isTextPlace)

function settingsOf(kind: MailKind): readonly (readonly [string, Setting<unknown>])[] {
  const prefix = settingPrefix(kind)
  const name = kind.replaceAll('_', ' ')
  return [
    ...(prefix.startsWith('emailNotification')
      ? [[`${prefix}Enabled`, flag({ default: false, about: `Whether the ${name} is sent.` })] as const]
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
  emailExternalHosts: list({
    of: {
      allowed: 'hosts, with their port if any',
      fits: (host) => URL.canParse(`http://${host}`) && new URL(`http://${host}`).host === host,
    },
    default: [],
    about: 'Hosts that links in mails may lead to when `X-Forwarded-Host` names one, instead of the external URL’s.',
  }),
  emailUrlPathConfirmation: optionalText({
    default: null,
    about: 'Path of the link in confirmation mails, instead of /verify below the external URL.',
  }),
  emailUrlPathInvite: optionalText({ default: null, about: 'The same for invitations.' }),
  emailUrlPathRecovery: optionalText({ default: null, about: 'The same for recovery mails and magic links.' }),
  emailUrlPathEmailChange: optionalText({ default: null, about: 'The same for changes of address.' }),
  // Below the number of connections the room has in all: whoever needs no mail must get one.
  emailConcurrency: integer({
    default: 3,
    min: 1,
    max: 5,
    about: 'How many requests may hold a transaction while the mail server takes its mail; others wait before theirs.',
  }),
  emailQueue: integer({
    default: 1000,
    min: 1,
    max: 100_000,
    about: 'How many requests may wait for their turn to send a mail; more are refused at once.',
  }),
  // One entry for each kind, built from the same names as the type.
  ...(Object.fromEntries(mailKinds.flatMap(settingsOf)) as OfEachMail),
} satisfies Declared
