import type { CheckSmsCode, SendSms } from '../model/sms.ts'
import { createPostForm } from './answer.ts'
import { createMessagebird, createTextlocal, createVonage } from './others.ts'
import type { SmsProviderName, SmsProviderSettings } from './settings.ts'
import { createTwilio, createTwilioVerify } from './twilio.ts'

/** A provider that delivers text messages. */
export interface SmsProvider {
  readonly send: SendSms
  /** Only where the provider makes the codes itself. */
  readonly check?: CheckSmsCode
}

const addresses: Readonly<Record<SmsProviderName, string>> = {
  twilio: 'https://api.twilio.com',
  twilio_verify: 'https://verify.twilio.com',
  messagebird: 'https://rest.messagebird.com',
  textlocal: 'https://api.textlocal.in',
  vonage: 'https://rest.nexmo.com',
}

/**
 * The provider that the settings name (auth §22), or null.
 *
 * @throws TypeError when one of its own settings is missing
 */
export function createSmsProvider(settings: SmsProviderSettings): SmsProvider | null {
  const { smsProvider: name } = settings
  if (name === '') return null
  const post = createPostForm({
    timeoutMs: settings.smsProviderTimeoutSeconds * 1000,
    maxBytes: settings.maxSmsProviderAnswerBytes,
  })
  const base = settings.smsProviderUrl ?? addresses[name]
  switch (name) {
    case 'twilio':
      return {
        send: createTwilio(post, base, {
          accountSid: needed(settings, 'smsTwilioAccountSid'),
          authToken: needed(settings, 'smsTwilioAuthToken'),
          serviceSid: needed(settings, 'smsTwilioMessageServiceSid'),
          contentSid: settings.smsTwilioContentSid,
        }),
      }
    case 'twilio_verify':
      return createTwilioVerify(post, base, {
        accountSid: needed(settings, 'smsTwilioVerifyAccountSid'),
        authToken: needed(settings, 'smsTwilioVerifyAuthToken'),
        serviceSid: needed(settings, 'smsTwilioVerifyMessageServiceSid'),
        contentSid: null,
      })
    case 'messagebird': {
      const originator = needed(settings, 'smsMessagebirdOriginator')
      const accessKey = needed(settings, 'smsMessagebirdAccessKey')
      return { send: createMessagebird(post, base, { originator, accessKey }) }
    }
    case 'textlocal': {
      const sender = needed(settings, 'smsTextlocalSender')
      return { send: createTextlocal(post, base, { sender, apiKey: needed(settings, 'smsTextlocalApiKey') }) }
    }
    case 'vonage':
      return {
        send: createVonage(post, base, {
          from: needed(settings, 'smsVonageFrom'),
          apiKey: needed(settings, 'smsVonageApiKey'),
          apiSecret: needed(settings, 'smsVonageApiSecret'),
        }),
      }
    default:
      return name satisfies never
  }
}

type TextSetting = {
  [Name in keyof SmsProviderSettings]: SmsProviderSettings[Name] extends string | null ? Name : never
}[keyof SmsProviderSettings]

function needed(settings: SmsProviderSettings, name: TextSetting): string {
  const value = settings[name]
  if (value === null || value === '')
    throw new TypeError(`The SMS provider ${settings.smsProvider} needs the setting auth ${name}.`)
  return value
}
