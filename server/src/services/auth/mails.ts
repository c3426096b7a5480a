import type { Mail } from '../../engines/mail/index.ts'

/** The mails this service sends. */
export type MailKind = 'confirmation' | 'magic_link' | 'recovery' | 'email_change'

export interface MailVariables {
  readonly siteUrl: string
  readonly confirmationUrl: string
  readonly email: string
  /** The code to type. */
  readonly token: string
}

interface Words {
  readonly linkType: string
  readonly subject: string
  readonly title: string
  readonly lead: string
  readonly button: string
}

const words: Readonly<Record<MailKind, Words>> = {
  confirmation: {
    linkType: 'signup',
    subject: 'Confirm your e-mail address',
    title: 'Confirm your e-mail address',
    lead: 'Follow the link, or enter the code, to finish signing up.',
    button: 'Confirm address',
  },
  magic_link: {
    linkType: 'magiclink',
    subject: 'Your sign-in link',
    title: 'Sign in',
    lead: 'Follow the link, or enter the code, to sign in.',
    button: 'Sign in',
  },
  recovery: {
    linkType: 'recovery',
    subject: 'Reset your password',
    title: 'Reset your password',
    lead: 'Follow the link, or enter the code, to choose a new password. If you did not ask for it, do nothing.',
    button: 'Choose a new password',
  },
  email_change: {
    linkType: 'email_change',
    subject: 'Confirm the change of your e-mail address',
    title: 'Confirm the change of your e-mail address',
    lead: 'Follow the link, or enter the code, to agree to the change. If you did not ask for it, do nothing.',
    button: 'Confirm the change',
  },
}

/** Where the link in a mail leads: to `/verify`, which consumes the token and sends the browser on. */
export function planLink(externalUrl: string, kind: MailKind, tokenHash: string, redirectTo: string): string {
  const parameters = new URLSearchParams({ token: tokenHash, type: words[kind].linkType, redirect_to: redirectTo })
  return `${externalUrl}/verify?${parameters.toString()}`
}

/** Writes a mail; every variable is escaped for HTML. */
export function renderMail(kind: MailKind, { siteUrl, confirmationUrl, email, token }: MailVariables): Mail {
  const { subject, title, lead, button } = words[kind]
  return {
    to: email,
    subject,
    text: `${title}\n\n${lead}\n\n${confirmationUrl}\n\nCode: ${token}\n\n${siteUrl}\n`,
    html: `<!doctype html>
<html lang="en">
<body style="margin:0;padding:32px 16px;font:16px/1.5 system-ui,sans-serif;color:#222;background:#fff">
<div style="max-width:32rem;margin:0 auto">
<h2 style="font-size:20px;margin:0 0 12px">${escapeHtml(title)}</h2>
<p style="margin:0 0 20px">${escapeHtml(lead)}</p>
<p style="margin:0 0 20px"><a href="${escapeHtml(confirmationUrl)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#222;color:#fff;text-decoration:none">${escapeHtml(button)}</a></p>
<p style="margin:0 0 20px">Code: <strong style="font-size:22px;letter-spacing:3px">${escapeHtml(token)}</strong></p>
<p style="margin:0;color:#666;font-size:13px">Sent to ${escapeHtml(email)} by ${escapeHtml(siteUrl)}.</p>
</div>
</body>
</html>
`,
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
