import Type from 'typebox'
import { withValues } from '../../ground/settings/live.ts'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'
import { adminSettings } from './admin/settings.ts'
import { captchaSettings } from './captcha/settings.ts'
import { codeSettings } from './codes/settings.ts'
import { factorSettings } from './factors/settings.ts'
import { hookSettings } from './hooks/settings.ts'
import { addressSettings } from './http/settings.ts'
import { limitSettings } from './limits/settings.ts'
import { mailTextSettings } from './mails/settings.ts'
import { oauthServerSettings } from './oauth-server/settings.ts'
import { passkeySettings } from './passkeys/settings.ts'
import { passwordSettings } from './passwords/settings.ts'
import { externalSettings } from './providers/settings.ts'
import { sessionSettings } from './sessions/settings.ts'
import { smsProviderSettings } from './sms-providers/settings.ts'
import { ssoSettings } from './sso/settings.ts'
import { thirdPartySettings } from './third-party/settings.ts'
import { userSettings } from './users/settings.ts'
import { web3Settings } from './web3/settings.ts'
import { webauthnSettings } from './webauthn/settings.ts'

/** The settings of sign-in; names follow the `[auth]` part of a project's `config.toml`. */
export const authSettings = {
  enabled: setting(Type.Boolean(), {
    default: true,
    description:
      'Whether /auth/v1 is served; it answers 501 where not. Tokens are verified and the tables of auth are there all the same.',
  }),
  ...addressSettings,
  ...userSettings,
  ...sessionSettings,
  ...thirdPartySettings,
  ...passwordSettings,
  ...mailTextSettings,
  ...codeSettings,
  ...smsProviderSettings,
  ...limitSettings,
  ...adminSettings,
  ...captchaSettings,
  ...hookSettings,
  ...oauthServerSettings,
  ...externalSettings,
  ...factorSettings,
  ...passkeySettings,
  ...webauthnSettings,
  ...ssoSettings,
  ...web3Settings,
} as const satisfies Declared

/** As the sources have them, with what depends on the mode still open. */
export type ConfiguredAuthSettings = Values<typeof authSettings>

/** With the settings decided that depend on the mode. */
export type AuthSettings = Omit<ConfiguredAuthSettings, 'emailEnableConfirmations' | 'smsEnableConfirmations'> & {
  readonly emailEnableConfirmations: boolean
  readonly smsEnableConfirmations: boolean
}

/** Decides what depends on the mode: in production an address must be confirmed unless the settings say otherwise. */
export const settleAuthSettings = (configured: ConfiguredAuthSettings, production: boolean): AuthSettings =>
  withValues(configured, {
    emailEnableConfirmations: configured.emailEnableConfirmations ?? production,
    smsEnableConfirmations: configured.smsEnableConfirmations ?? production,
  })

/** How an instance runs decides the settings that are left open. */
export interface AuthInstance {
  readonly production: boolean
  /** Where browsers reach the API, without a slash at the end. */
  readonly apiUrl: string
}

/**
 * The settings of one instance. A default address cannot know the instance's own: where no other is configured, links lead to
 * `apiUrl`. Production limits calls by their address.
 */
export const authSettingsOf = (
  configured: ConfiguredAuthSettings,
  { production, apiUrl }: AuthInstance,
): AuthSettings =>
  withValues(settleAuthSettings(configured, production), {
    externalUrl:
      configured.externalUrl === authSettings.externalUrl.default ? `${apiUrl}/auth/v1` : configured.externalUrl,
    siteUrl: configured.siteUrl === authSettings.siteUrl.default ? apiUrl : configured.siteUrl,
    rateLimitByAddress: configured.rateLimitByAddress || production,
  })
