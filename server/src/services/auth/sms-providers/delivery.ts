import { madeOf } from '../../../ground/settings/live.ts'
import type { CheckSmsCode, SendSms } from '../model/sms.ts'
import { createSmsProvider, type SmsProvider } from './provider.ts'
import { type SmsProviderSettings, smsSecretNames } from './settings.ts'

/** How text messages are delivered, and checked where the provider makes the codes; empty for not at all. */
export interface SmsDelivery {
  readonly sendSms?: SendSms
  readonly checkSmsCode?: CheckSmsCode
}

/**
 * How text messages are delivered: by the provider of the settings; where there is none, by `deliverLocally`, and without
 * that not at all.
 *
 * @throws TypeError when one of the provider's own settings is missing
 */
export function planSmsDelivery(
  settings: SmsProviderSettings,
  deliverLocally: ((phone: string, message: string) => Promise<void>) | null,
): SmsDelivery {
  const secrets = (): string => smsSecretNames.map((name) => settings[name]).join('\n')
  const provider = madeOf(secrets, () => createSmsProvider(settings))
  const first = provider()
  if (first !== null) {
    const of = (): SmsProvider => provider() ?? first
    return {
      sendSms: (message) => of().send(message),
      ...(first.check === undefined ? {} : { checkSmsCode: async (code) => (await of().check?.(code)) === true }),
    }
  }
  if (deliverLocally === null) return {}
  return {
    async sendSms({ phone, message }) {
      await deliverLocally(phone, message)
      return { messageId: '' }
    },
  }
}
