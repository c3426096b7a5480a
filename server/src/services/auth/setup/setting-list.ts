import { formOf, type SettingForm } from '../../../ground/settings/form.ts'
import { environmentName, tomlName } from '../../../ground/settings/names.ts'
import type { Declared } from '../../../ground/settings/setting.ts'
import { adminSettings } from '../admin/settings.ts'
import { captchaSettings } from '../captcha/settings.ts'
import { codeSettings } from '../codes/settings.ts'
import { factorSettings } from '../factors/settings.ts'
import { hookSettings } from '../hooks/settings.ts'
import { addressSettings } from '../http/settings.ts'
import { limitSettings } from '../limits/settings.ts'
import { mailTextSettings } from '../mails/settings.ts'
import { oauthServerSettings } from '../oauth-server/settings.ts'
import { passkeySettings } from '../passkeys/settings.ts'
import { passwordSettings } from '../passwords/settings.ts'
import { externalSettings } from '../providers/settings.ts'
import { sessionSettings } from '../sessions/settings.ts'
import { smsProviderSettings } from '../sms-providers/settings.ts'
import { ssoSettings } from '../sso/settings.ts'
import { thirdPartySettings } from '../third-party/settings.ts'
import { userSettings } from '../users/settings.ts'
import { web3Settings } from '../web3/settings.ts'
import { webauthnSettings } from '../webauthn/settings.ts'
import { pinnedBy, type SettingsFile } from './editing.ts'

/** A setting of sign-in, as the console shows it. */
export interface ListedSetting {
  /** As `clew.toml` spells it, in `[auth]`. */
  readonly name: string
  readonly environment: string
  readonly group: string
  readonly description: string
  /** JSON; null for a secret, and for one that has no value. */
  readonly value: string | null
  readonly isSecret: boolean
  /** Whether a value is set, or the default has one. */
  readonly isSet: boolean
  /** Where the value was said; null for the default. */
  readonly from: string | null
  readonly form: SettingForm
  /** Why the console does not write it; null where it does. */
  readonly pinned: string | null
  /** The value that the next start has, as JSON, where the file says another since the start: `null` for the default. */
  readonly waiting: string | null
  /** The line for `clew.toml`, with the value that it has, or a place to write one. */
  readonly line: string
}

/** The settings in the order of the page. */
const groups: Readonly<Record<string, Declared>> = {
  Addresses: addressSettings,
  Hooks: hookSettings,
  Limits: limitSettings,
  Users: { ...userSettings, ...adminSettings },
  Sessions: sessionSettings,
  Passwords: passwordSettings,
  Codes: codeSettings,
  'Second factors and passkeys': { ...factorSettings, ...passkeySettings, ...webauthnSettings },
  Providers: externalSettings,
  Mails: mailTextSettings,
  'Text messages': smsProviderSettings,
  'Single sign-on': ssoSettings,
  'OAuth server': oauthServerSettings,
  'Other issuers': { ...thirdPartySettings, ...web3Settings, ...captchaSettings },
}

/** The value of a setting of now, and of the next start where the file says another since this one, as JSON. */
export const jsonOf = (
  key: string,
  values: Readonly<Record<string, unknown>>,
  changed: Readonly<Record<string, unknown>>,
): Pick<ListedSetting, 'value' | 'waiting'> => ({
  value: values[key] == null ? null : JSON.stringify(values[key]),
  waiting: key in changed ? JSON.stringify(changed[key] ?? null) : null,
})

/**
 * Every setting of sign-in with its value.
 *
 * @param values the settings of this instance, by their declared names
 * @param places where each was said; defaults are not among them
 * @param changed what the file says since the start
 */
export const listSettings = (
  values: Readonly<Record<string, unknown>>,
  places: Readonly<Record<string, string>>,
  file: SettingsFile | null,
  changed: Readonly<Record<string, unknown>>,
): readonly ListedSetting[] =>
  Object.entries(groups).flatMap(([group, declared]) =>
    Object.entries(declared).map(([key, setting]) => {
      const { description, secret } = setting
      const { value, waiting } = jsonOf(key, values, changed)
      const name = tomlName(key)
      const isSecret = secret === true
      const environment = environmentName('auth', key)
      const from = places[key] ?? null
      return {
        ...{ name, group, description, isSecret, isSet: value !== null, environment, from },
        form: formOf(setting),
        pinned: pinnedBy(file, { isSecret, environment, from }),
        waiting: isSecret ? null : waiting,
        value: isSecret ? null : value,
        // Strings, numbers, booleans and lists of them are written alike in JSON and TOML.
        line: isSecret || value === null ? `${name} = "…"` : `${name} = ${value}`,
      }
    }),
  )

/** A setting by its name in `clew.toml`, with its declared one. */
export function findSetting(name: string): { readonly key: string; readonly setting: Declared[string] } | undefined {
  const all = Object.values(groups).flatMap((declared) => Object.entries(declared))
  const found = all.find(([key]) => tomlName(key) === name)
  return found === undefined ? undefined : { key: found[0], setting: found[1] }
}
