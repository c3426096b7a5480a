import type { AuthDeps } from '../deps.ts'
import type { AuthSettings } from '../settings.ts'
import { createSmsProvider } from './provider.ts'

/**
 * How text messages are delivered: by the provider of the settings; where there is none, by `deliverLocally`, and without
 * that not at all.
 *
 * @throws TypeError when one of the provider's own settings is missing
 */
export function planSmsDelivery(
  settings: AuthSettings,
  deliverLocally: ((phone: string, message: string) => Promise<void>) | null,
): Pick<AuthDeps, 'sendSms' | 'checkSmsCode'> {
  const provider = createSmsProvider(settings)
  if (provider !== null)
    return { sendSms: provider.send, ...(provider.check === undefined ? {} : { checkSmsCode: provider.check }) }
  if (deliverLocally === null) return {}
  return {
    async sendSms({ phone, message }) {
      await deliverLocally(phone, message)
      return { messageId: '' }
    },
  }
}
