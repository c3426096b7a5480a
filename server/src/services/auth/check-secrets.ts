import { hookSettingNames } from './hooks/settings.ts'
import { parseHookTarget } from './hooks/target.ts'
import type { AuthSettings } from './settings.ts'
import { createSmsProvider } from './sms-providers/provider.ts'

/**
 * Whether the secrets that the settings need are there, as a start asks.
 *
 * @throws TypeError naming the one that is missing
 */
export function checkAuthSecrets(settings: AuthSettings): void {
  createSmsProvider(settings)
  for (const [name, { uri, secrets }] of Object.entries(hookSettingNames)) {
    const address = settings[uri]
    if (address !== null) parseHookTarget(name, address, settings[secrets])
  }
  if (settings.captchaEnabled && settings.captchaSecret === null)
    throw new TypeError('Captchas are on, but auth captcha_secret is not set.')
  if (settings.samlEnabled && settings.samlPrivateKey === null)
    throw new TypeError('SAML is on, and saml_private_key is not set.')
}
