import type { Mailer } from '../../../engines/mail/index.ts'
import type { Redirects } from '../http/redirect.ts'
import { type MailKind, mailKinds, settingPrefix } from '../mails/kinds.ts'
import type { Letter } from '../mails/letter.ts'
import type { MailSettings } from '../mails/settings.ts'
import type { MailTexts } from '../mails/texts.ts'
import { writeMails } from '../mails/write.ts'
import { authError } from '../model/errors.ts'
import { blankUser } from '../model/user.ts'
import { missingSetting } from '../providers/create-providers.ts'
import { providerNames } from '../providers/names.ts'
import { type ExternalSettings, providerConfig } from '../providers/settings.ts'
import { createSettingChanges, type SettingChange } from './changes.ts'
import type { SettingsFile } from './editing.ts'
import { type ListedSetting, listSettings } from './setting-list.ts'

export interface SetupDeps {
  readonly settings: ExternalSettings & MailSettings & { readonly externalUrl: string; readonly siteUrl: string }
  /** Where settings were said, by their declared names. */
  readonly places: Readonly<Record<string, string>>
  /** Null where the console writes no settings. */
  readonly file: SettingsFile | null
  readonly redirects: Redirects
  readonly mail: Mailer
  readonly texts: MailTexts
  /** Whether a hook words and sends mails in place of the texts. */
  readonly hasMailHook: boolean
  readonly now: () => Date
}

/** A provider that users may sign in with. */
export interface ListedProvider {
  readonly name: string
  readonly enabled: boolean
  /** Where the provider sends users back to: to be named there. */
  readonly redirectUri: string
  readonly clientId: string | null
  readonly hasSecret: boolean
  /** What is missing until users can sign in with it; null where it is ready. */
  readonly missing: string | null
}

/** A mail that auth sends. */
export interface ListedMail {
  readonly kind: MailKind
  /** Notifications are off until they are switched on. */
  readonly enabled: boolean
  /** Where its HTML is from: `built-in`, `setting`, or the file or address. */
  readonly source: string
  /** The prefix of its settings, as `clew.toml` spells it. */
  readonly prefix: string
}

/** A mail as it would be sent, with an example's data. */
export interface MailPreview {
  readonly subject: string
  readonly html: string
  readonly text: string
}

/** How sign-in is set up, as the console shows it. Settings are read at the start: what is written holds from the next on. */
export interface AuthSetup {
  settings(): Promise<readonly ListedSetting[]>
  /**
   * Writes a setting into `clew.toml`.
   *
   * @throws CLEW_AUTH_SETTING_NOT_FOUND, CLEW_AUTH_SETTING_PINNED, CLEW_AUTH_SETTING_VALUE, CLEW_AUTH_SETTING_FILE,
   *   CLEW_AUTH_SETTING_CHANGED
   */
  change(name: string, change: SettingChange, operator: string): Promise<void>
  providers(): readonly ListedProvider[]
  /** Where a link with this `redirect_to` leads, and whether that is the address itself. */
  redirect(url: string): { readonly isAllowed: boolean; readonly leadsTo: string }
  mails(): readonly ListedMail[]
  readonly hasMailHook: boolean
  preview(kind: MailKind, to: string): Promise<MailPreview>
  /** Sends an example's mail. @throws unexpected_failure where the mail server refuses */
  sendTest(kind: MailKind, to: string): Promise<void>
}

export function createSetup(deps: SetupDeps): AuthSetup {
  const { settings, places, file, redirects, mail, texts, hasMailHook, now } = deps
  const values = settings as Readonly<Record<string, unknown>>
  const examples = (kind: MailKind, to: string) => writeMails(texts, settings, letterOf(kind, to, settings.siteUrl))
  return {
    hasMailHook,
    settings: async () => listSettings(values, places, file, (await file?.changed()) ?? {}),
    change: createSettingChanges({ values, places, file, now }),
    providers: () =>
      providerNames.map((name) => {
        const config = providerConfig(settings, name)
        return {
          ...{ name, enabled: config.enabled, clientId: config.clientId[0] ?? null, hasSecret: config.secret !== null },
          redirectUri: config.redirectUri ?? `${settings.externalUrl}/callback`,
          missing: missingSetting(settings, name, { ...config, enabled: true }),
        }
      }),
    redirect: (url) => ({ isAllowed: redirects.isAllowed(url), leadsTo: redirects.choose([url]) }),
    mails: () =>
      mailKinds.map((kind) => {
        const prefix = settingPrefix(kind)
        const content = values[`${prefix}Content`] ?? null
        const path = values[`${prefix}ContentPath`] ?? null
        return {
          kind,
          enabled: !prefix.startsWith('emailNotification') || values[`${prefix}Enabled`] === true,
          source: content !== null ? 'setting' : path === null ? 'built-in' : String(path),
          prefix: prefix.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        }
      }),
    async preview(kind, to) {
      const [first] = await examples(kind, to)
      if (first === undefined) throw authError('validation_failed', { message: 'This mail has no recipient.' })
      const { subject, html, text } = first
      return { subject, html, text }
    },
    async sendTest(kind, to) {
      for (const { subject, ...worded } of await examples(kind, to))
        await mail.send({ ...worded, subject: `[Test] ${subject}` })
    },
  }
}

/** A letter to an example’s user, whose code opens nothing. */
function letterOf(kind: MailKind, to: string, siteUrl: string): Letter {
  const user = { ...blankUser, id: '00000000-0000-0000-0000-000000000000', email: to, phone: '15551234567' }
  const example = { oldEmail: 'before@example.com', oldPhone: '15557654321', provider: 'github', factorType: 'totp' }
  if (isNotification(kind)) return { kind, user, to, happening: example }
  const side = { to, token: '123456', tokenHash: 'example' }
  return { kind, user, sides: [side], newEmail: 'after@example.com', redirectTo: siteUrl }
}

const isNotification = (kind: MailKind): kind is Extract<MailKind, `${string}_notification`> =>
  kind.endsWith('_notification')
