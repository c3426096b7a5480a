import type { Mail, Mailer } from '../../../engines/mail/index.ts'
import type { AddressSettings } from '../http/settings.ts'
import type { DeliverLetter } from './deliver-letter.ts'
import type { MailKind } from './kinds.ts'
import type { Letter, LetterSide } from './letter.ts'
import { externalUrlFor, planLink } from './link.ts'
import { plainText } from './plain-text.ts'
import type { MailSettings } from './settings.ts'
import { renderHtml, renderPlain, type TemplateData } from './template/evaluate.ts'
import type { MailTexts, ParsedText } from './texts.ts'

type DeliverySettings = Pick<AddressSettings, 'externalUrl' | 'siteUrl'> & MailSettings

/** Renders letters by their texts and sends them. */
export function createDelivery(mail: Mailer, texts: MailTexts, settings: DeliverySettings): DeliverLetter {
  return async (letter, { context }) => {
    const reached = { ...settings, externalUrl: externalUrlFor(settings, context.headers) }
    for (const worded of await writeMails(texts, reached, letter)) await mail.send(worded)
  }
}

/** Words a letter: one mail for each side (auth §22). */
export async function writeMails(
  texts: MailTexts,
  settings: DeliverySettings,
  letter: Letter,
): Promise<readonly Mail[]> {
  const text = await texts.find(letter.kind)
  return recipientsOf(settings, letter).map(({ to, data }) => {
    const { subject, html } = renderText(text, texts.builtIn(letter.kind), data)
    return { to, kind: letter.kind, subject: oneLine(subject), html, text: plainText(html) }
  })
}

interface Recipient {
  readonly to: string
  readonly data: TemplateData
}

function recipientsOf(settings: DeliverySettings, letter: Letter): readonly Recipient[] {
  const { user } = letter
  const common = { SiteURL: settings.siteUrl, Email: user.email ?? '', Data: user.userMetadata }
  if ('sides' in letter)
    return letter.sides.map((side) => ({ to: side.to, data: { ...common, ...codeData(settings, letter, side) } }))
  const { oldEmail = '', oldPhone = '', provider = '', factorType = '' } = letter.happening
  const happening = { OldEmail: oldEmail, OldPhone: oldPhone, Provider: provider, FactorType: factorType }
  return [{ to: letter.to, data: { ...common, Phone: user.phone ?? '', ...happening } }]
}

function codeData(
  settings: DeliverySettings,
  { kind, redirectTo, newEmail }: Extract<Letter, { sides: unknown }>,
  { to, token, tokenHash }: LetterSide,
): TemplateData {
  if (kind === 'reauthentication') return { Token: token }
  return {
    Token: token,
    TokenHash: tokenHash,
    ConfirmationURL: planLink(settings, kind, tokenHash, redirectTo),
    RedirectTo: redirectTo,
    ...(kind === 'email_change' ? { NewEmail: newEmail, SendingTo: to } : {}),
  }
}

/** A text of one's own that grows beyond bounds with this user's data gives way to the built-in one. */
function renderText(text: ParsedText, usual: ParsedText, data: TemplateData): { subject: string; html: string } {
  try {
    return { subject: renderPlain(text.subject, data), html: renderHtml(text.html, data) }
  } catch {
    return { subject: renderPlain(usual.subject, data), html: renderHtml(usual.html, data) }
  }
}

/** A subject is one header: nothing in it may begin another (auth §35.35). */
const oneLine = (subject: string): string =>
  subject
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 500)

/** The name of a mail in the error when it could not be sent. */
export const mailName = (kind: MailKind): string => kind.replaceAll('_', ' ')
