import type { Body } from '../model/call.ts'
import { authError } from '../model/errors.ts'
import type { SmsChannel } from '../model/sms.ts'
import { readText } from './body.ts'

/** A number as it is stored and looked for: without `+` and spaces; not yet known to be one. */
export const phoneDigits = (raw: string): string => raw.replace(/^\+/, '').replaceAll(' ', '')

/**
 * Reads a phone number (ITU-T E.164); `+` and spaces may be there and are dropped.
 *
 * @throws validation_failed
 */
export function parsePhone(raw: string): string {
  const digits = phoneDigits(raw)
  if (!/^[1-9]\d{1,14}$/.test(digits))
    throw authError('validation_failed', { message: 'Invalid phone number format (E.164 required)' })
  return digits
}

/** The sender of text messages. */
export interface ChannelSettings {
  readonly smsProvider: string
  readonly hookSendSmsUri: string | null
}

/** A hook sends as it likes; of the providers only Twilio has the channel (auth §22). */
const supportsWhatsapp = ({ smsProvider, hookSendSmsUri }: ChannelSettings): boolean =>
  hookSendSmsUri !== null || smsProvider === 'twilio' || smsProvider === 'twilio_verify'

/**
 * Reads how a message should travel; nothing said means a text message.
 *
 * @throws validation_failed
 */
export function parseChannel(body: Body, settings: ChannelSettings): SmsChannel {
  const channel = readText(body, 'channel')
  if (channel === '' || channel === 'sms') return 'sms'
  if (channel === 'whatsapp' && supportsWhatsapp(settings)) return channel
  throw authError('validation_failed', {
    message:
      "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if the provider knows it.",
  })
}
