import type { CheckSmsCode, SendSms } from '../model/sms.ts'
import { basic, isTaken, type PostForm, type ProviderAnswer, smsSendError, textOf } from './answer.ts'

export interface TwilioAccount {
  readonly accountSid: string
  readonly authToken: string
  /** The messaging service, a number, or the verification service. */
  readonly serviceSid: string
  readonly contentSid: string | null
}

/** Sends by Twilio's Programmable Messaging. See https://www.twilio.com/docs/messaging/api/message-resource */
export function createTwilio(post: PostForm, base: string, account: TwilioAccount): SendSms {
  const { accountSid, authToken, serviceSid, contentSid } = account
  const url = `${base}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`
  return async ({ phone, message, channel, otp }) => {
    const isNumber = /^\+?[1-9]\d{1,14}$/.test(serviceSid.replaceAll(' ', ''))
    const content =
      contentSid === null || channel === 'sms'
        ? { Body: message }
        : { ContentSid: contentSid, ContentVariables: JSON.stringify({ '1': otp }) }
    const ends =
      channel === 'sms'
        ? { To: `+${phone}`, From: serviceSid }
        : { To: `whatsapp:+${phone}`, From: isNumber ? `whatsapp:${serviceSid}` : serviceSid }
    const answer = await post(url, { ...ends, Channel: channel, ...content }, basic(accountSid, authToken))
    if (!isTaken(answer)) throw smsSendError(wordsOf(answer))
    const { status, sid, error_message: message_, error_code: code } = answer.body
    if (status === 'failed' || status === 'undelivered') throw smsSendError(`${textOf(message_)} ${textOf(code)}`)
    return { messageId: textOf(sid) }
  }
}

/** Sends by Twilio Verify, which makes the codes and checks them. See https://www.twilio.com/docs/verify/api */
export function createTwilioVerify(
  post: PostForm,
  base: string,
  { accountSid, authToken, serviceSid }: TwilioAccount,
): { readonly send: SendSms; readonly check: CheckSmsCode } {
  const service = `${base}/v2/Services/${encodeURIComponent(serviceSid)}`
  const headers = basic(accountSid, authToken)
  return {
    async send({ phone, channel }) {
      const answer = await post(`${service}/Verifications`, { To: `+${phone}`, Channel: channel }, headers)
      if (!isTaken(answer)) throw smsSendError(wordsOf(answer))
      return { messageId: textOf(answer.body.sid) }
    },
    async check({ phone, code }) {
      const answer = await post(`${service}/VerificationCheck`, { To: `+${phone}`, Code: code }, headers)
      // 404: nothing is waiting to be verified, or it was verified already.
      return isTaken(answer) && answer.body.status === 'approved' && answer.body.valid === true
    },
  }
}

const wordsOf = ({ body }: ProviderAnswer): string =>
  `${textOf(body.message)}${body.more_info === undefined ? '' : ` More information: ${textOf(body.more_info)}`}`
