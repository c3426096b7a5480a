import type { MailKind } from './kinds.ts'

/** A mail's subject and HTML, both templates. */
export interface MailText {
  readonly subject: string
  readonly html: string
}

interface Words {
  readonly subject: string
  readonly title: string
  /** HTML; may hold values. */
  readonly lead: string
  /** The words on the button; absent where there is no link. */
  readonly button?: string
  readonly hasCode?: boolean
  /** What to do when it was not oneself. */
  readonly note: string
  /** The value that names who gets it. */
  readonly to?: string
}

const ignore = 'If you did not ask for this, you can ignore this mail: nothing changes.'
const alarm = 'If this was not you, choose a new password and tell the people who run the application.'
const site = '<a href="{{ .SiteURL }}" class="quiet" style="color:#6b675f">{{ .SiteURL }}</a>'

const words: Readonly<Record<MailKind, Words>> = {
  confirmation: {
    subject: 'Confirm your e-mail address',
    title: 'Confirm your e-mail address',
    lead: 'Follow the link, or enter the code, to finish signing up.',
    button: 'Confirm address',
    hasCode: true,
    note: ignore,
  },
  invite: {
    subject: 'You have been invited',
    title: 'You have been invited',
    lead: 'Somebody has made an account for you. Follow the link, or enter the code, to accept it.',
    button: 'Accept the invitation',
    hasCode: true,
    note: 'If you do not want it, you can ignore this mail.',
  },
  magic_link: {
    subject: 'Your sign-in link',
    title: 'Sign in',
    lead: 'Follow the link, or enter the code, to sign in. It works once, and not for long.',
    button: 'Sign in',
    hasCode: true,
    note: ignore,
  },
  recovery: {
    subject: 'Reset your password',
    title: 'Reset your password',
    lead: 'Follow the link, or enter the code, to choose a new password.',
    button: 'Choose a new password',
    hasCode: true,
    note: ignore,
  },
  email_change: {
    subject: 'Confirm the change of your e-mail address',
    title: 'Confirm the change of your e-mail address',
    lead: 'Follow the link, or enter the code, to agree to the change{{ if .Email }} from <strong>{{ .Email }}</strong>{{ end }} to <strong>{{ .NewEmail }}</strong>.',
    button: 'Confirm the change',
    hasCode: true,
    note: ignore,
    to: '.SendingTo',
  },
  reauthentication: {
    subject: '{{ .Token }} is your code',
    title: 'Confirm that it is you',
    lead: 'Enter the code where you were asked for it. It works once, and not for long.',
    hasCode: true,
    note: ignore,
  },
  password_changed_notification: {
    subject: 'Your password was changed',
    title: 'Your password was changed',
    lead: 'The password of your account <strong>{{ .Email }}</strong> has just been changed.',
    note: alarm,
  },
  email_changed_notification: {
    subject: 'Your e-mail address was changed',
    title: 'Your e-mail address was changed',
    lead: 'The address of your account was changed from <strong>{{ .OldEmail }}</strong> to <strong>{{ .Email }}</strong>.',
    note: alarm,
    to: '.OldEmail',
  },
  phone_changed_notification: {
    subject: 'Your phone number was changed',
    title: 'Your phone number was changed',
    lead: 'The phone number of your account was changed{{ if .OldPhone }} from <strong>{{ .OldPhone }}</strong>{{ end }} to <strong>{{ .Phone }}</strong>.',
    note: alarm,
  },
  identity_linked_notification: {
    subject: 'A way to sign in was added',
    title: 'A way to sign in was added',
    lead: 'You can sign in to your account <strong>{{ .Email }}</strong> with <strong>{{ .Provider }}</strong> from now on.',
    note: alarm,
  },
  identity_unlinked_notification: {
    subject: 'A way to sign in was removed',
    title: 'A way to sign in was removed',
    lead: 'You can no longer sign in to your account <strong>{{ .Email }}</strong> with <strong>{{ .Provider }}</strong>.',
    note: alarm,
  },
  mfa_factor_enrolled_notification: {
    subject: 'A second factor was added',
    title: 'A second factor was added',
    lead: 'A second factor of the kind <strong>{{ .FactorType }}</strong> was added to your account.',
    note: alarm,
  },
  mfa_factor_unenrolled_notification: {
    subject: 'A second factor was removed',
    title: 'A second factor was removed',
    lead: 'The second factor of the kind <strong>{{ .FactorType }}</strong> was removed from your account.',
    note: alarm,
  },
}

/** The text of a mail where no setting says otherwise; written as anybody would write a template. */
export function defaultText(kind: MailKind): MailText {
  const { subject, title, lead, button, hasCode = false, note, to = '.Email' } = words[kind]
  return {
    subject,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) {
  .paper { background: #171613 !important }
  .card { background: #1f1d1a !important; border-color: #35322c !important }
  .ink { color: #ece8e0 !important }
  .quiet { color: #a09a8e !important }
  .line { border-color: #35322c !important }
  .button { background: #ece8e0 !important; color: #171613 !important }
}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#fbfaf7">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" style="background:#fbfaf7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border:1px solid #e4e0d7;border-radius:12px">
<tr><td class="ink" style="padding:32px 28px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#23211e;text-align:left;overflow-wrap:anywhere">
<h1 class="ink" style="margin:0 0 12px;font-size:21px;line-height:1.3;color:#23211e">${title}</h1>
<p style="margin:0 0 24px">${lead}</p>
${button === undefined ? '' : renderButton(button)}${hasCode ? code : ''}<p class="quiet line" style="margin:0;padding:20px 0 0;border-top:1px solid #e4e0d7;font-size:13px;color:#6b675f">${note}</p>
</td></tr>
</table>
<p class="quiet" style="margin:16px 0 0;font:13px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#6b675f;overflow-wrap:anywhere">Sent to {{ ${to} }} by ${site}</p>
</td></tr>
</table>
</body>
</html>
`,
  }
}

const renderButton = (label: string): string =>
  `<p style="margin:0 0 24px"><a class="button" href="{{ .ConfirmationURL }}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#23211e;color:#ffffff;font-weight:600;text-decoration:none">${label}</a></p>
`

const code = `<p style="margin:0 0 24px"><span class="quiet" style="color:#6b675f">Code:</span> <strong style="font:600 26px/1.2 ui-monospace,'SF Mono',Menlo,Consolas,monospace;letter-spacing:4px">{{ .Token }}</strong></p>
`
