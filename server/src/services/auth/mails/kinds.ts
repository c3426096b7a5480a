/** The mails that carry a code, with the type their link says (auth §22); null for no link. */
export const linkTypes = {
  confirmation: 'signup',
  invite: 'invite',
  magic_link: 'magiclink',
  recovery: 'recovery',
  email_change: 'email_change',
  reauthentication: null,
} as const

/** The mails that tell what has happened; each is off until it is switched on. */
const notificationKinds = [
  'password_changed',
  'email_changed',
  'phone_changed',
  'identity_linked',
  'identity_unlinked',
  'mfa_factor_enrolled',
  'mfa_factor_unenrolled',
] as const

export type CodeMailKind = keyof typeof linkTypes
export type LinkMailKind = Exclude<CodeMailKind, 'reauthentication'>
export type NotificationKind = (typeof notificationKinds)[number]
/** The protocol's own name of a mail. */
export type MailKind = CodeMailKind | `${NotificationKind}_notification`

export const codeMailKinds = [
  'confirmation',
  'invite',
  'magic_link',
  'recovery',
  'email_change',
  'reauthentication',
] as const

export const mailKinds: readonly MailKind[] = [
  ...codeMailKinds,
  ...notificationKinds.map((kind) => `${kind}_notification` as const),
]

type Pascal<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Capitalize<Head>}${Pascal<Tail>}`
  : Capitalize<Text>

/** The prefix of the settings of a mail. */
export type SettingPrefix = `emailTemplate${Pascal<CodeMailKind>}` | `emailNotification${Pascal<NotificationKind>}`

const pascal = (text: string): string =>
  text.replaceAll(/(?:^|_)([a-z])/g, (_whole, letter: string) => letter.toUpperCase())

/** `emailTemplateMagicLink` for `magic_link`, `emailNotificationPasswordChanged` for `password_changed_notification`. */
export function settingPrefix(kind: MailKind): SettingPrefix {
  const notification = notificationKinds.find((name) => kind === `${name}_notification`)
  // The same words, put together the same way as in the type.
  return (
    notification === undefined ? `emailTemplate${pascal(kind)}` : `emailNotification${pascal(notification)}`
  ) as SettingPrefix
}
