import { authError } from './errors.ts'

/** How a text message travels; `whatsapp` only where the provider knows it. */
export type SmsChannel = 'sms' | 'whatsapp'

/** A text message to send. */
export interface Sms {
  /** Digits of an E.164 number, without `+`. */
  readonly phone: string
  /** The text, the code already in it. */
  readonly message: string
  readonly channel: SmsChannel
  readonly userId: string
  /** The code alone, for providers and hooks that word the message themselves. */
  readonly otp: string
}

/**
 * Hands a message to its provider; resolves when it is accepted for delivery.
 *
 * @returns the provider's id of the message; empty when it gives none
 * @throws  sms_send_failed
 */
export type SendSms = (sms: Sms) => Promise<{ readonly messageId: string }>

/** Asks a provider that makes its codes itself whether one is right. */
export type CheckSmsCode = (typed: { readonly phone: string; readonly code: string }) => Promise<boolean>

/** Stands in where no provider is configured. */
export const sendNoSms: SendSms = async () => {
  throw authError('sms_send_failed', { message: 'Error sending sms: no SMS provider is configured' })
}
