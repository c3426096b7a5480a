import type { SendSms } from '../model/sms.ts'
import { firstOf, isTaken, type PostForm, smsSendError, textOf } from './answer.ts'

/** Sends by MessageBird. See https://developers.messagebird.com/api/sms-messaging/ */
export function createMessagebird(
  post: PostForm,
  base: string,
  { originator, accessKey }: { readonly originator: string; readonly accessKey: string },
): SendSms {
  return async ({ phone, message }) => {
    const form = { originator, body: message, recipients: phone, type: 'sms', datacoding: 'unicode' }
    const answer = await post(`${base}/messages`, form, { authorization: `AccessKey ${accessKey}` })
    if (!isTaken(answer)) throw smsSendError(textOf(firstOf(answer.body.errors).description))
    const { id, recipients } = answer.body
    const sent = (recipients as { readonly totalSentCount?: unknown } | undefined)?.totalSentCount
    if (typeof sent !== 'number' || sent === 0) throw smsSendError('messagebird error: total sent count is 0')
    return { messageId: textOf(id) }
  }
}

/** Sends by Textlocal. See https://api.textlocal.in/docs/sendsms */
export function createTextlocal(
  post: PostForm,
  base: string,
  { sender, apiKey }: { readonly sender: string; readonly apiKey: string },
): SendSms {
  return async ({ phone, message }) => {
    const { body } = await post(`${base}/send`, { sender, apikey: apiKey, message, numbers: phone })
    if (body.status !== 'success') {
      const { message: words, code } = firstOf(body.errors)
      throw smsSendError(`textlocal error: ${textOf(words)} (code: ${textOf(code)})`)
    }
    return { messageId: textOf(firstOf(body.messages).id) }
  }
}

/** Sends by Vonage. See https://developer.vonage.com/en/api/sms */
export function createVonage(
  post: PostForm,
  base: string,
  { from, apiKey, apiSecret }: { readonly from: string; readonly apiKey: string; readonly apiSecret: string },
): SendSms {
  return async ({ phone, message }) => {
    const form = { from, to: phone, text: message, api_key: apiKey, api_secret: apiSecret }
    const isPlain = /^[ -~\s]*$/.test(message)
    const { body } = await post(`${base}/sms/json`, isPlain ? form : { ...form, type: 'unicode' })
    const { status, 'message-id': id, 'error-text': words } = firstOf(body.messages)
    if (status !== '0') throw smsSendError(`vonage error: ${textOf(words)} (status: ${textOf(status)})`)
    return { messageId: textOf(id) }
  }
}
