import Type from 'typebox'
import { address, type Declared, nullable, setting, type Values } from '../../../ground/settings/setting.ts'

const smsProviderNames = ['twilio', 'twilio_verify', 'messagebird', 'textlocal', 'vonage'] as const
export type SmsProviderName = (typeof smsProviderNames)[number]

const named = (about: string) => setting(nullable(Type.String()), { default: null, description: about })
const secret = (about: string) => setting(nullable(Type.String()), { default: null, secret: true, description: about })

/** The settings of who delivers text messages; names follow `[auth.sms.…]` of a `config.toml`. */
export const smsProviderSettings = {
  smsProvider: setting(Type.Enum(['', ...smsProviderNames]), {
    default: '',
    description: 'Who delivers text messages; without one they stay in the inbox of a local instance.',
  }),
  smsProviderUrl: setting(nullable(address(['https', 'http'])), {
    default: null,
    description: 'Where the provider is called, when that is not its own public address.',
  }),
  smsProviderTimeoutSeconds: setting(Type.Integer({ minimum: 1, maximum: 30 }), {
    limit: true,
    default: 8,
    description: 'How long one call to the provider may take.',
  }),
  maxSmsProviderAnswerBytes: setting(Type.Integer({ minimum: 1024, maximum: 1_048_576 }), {
    limit: true,
    default: 65_536,
    description: 'The largest answer of the provider that is read.',
  }),
  smsTwilioAccountSid: named('Twilio: the account.'),
  smsTwilioMessageServiceSid: named('Twilio: the messaging service, or the number, that sends.'),
  smsTwilioAuthToken: secret('Twilio: the token.'),
  smsTwilioContentSid: named('Twilio: the content template that WhatsApp messages use.'),
  smsTwilioVerifyAccountSid: named('Twilio Verify: the account.'),
  smsTwilioVerifyMessageServiceSid: named('Twilio Verify: the service.'),
  smsTwilioVerifyAuthToken: secret('Twilio Verify: the token.'),
  smsMessagebirdOriginator: named('MessageBird: the sender.'),
  smsMessagebirdAccessKey: secret('MessageBird: the key.'),
  smsTextlocalSender: named('Textlocal: the sender.'),
  smsTextlocalApiKey: secret('Textlocal: the key.'),
  smsVonageFrom: named('Vonage: the sender.'),
  smsVonageApiKey: named('Vonage: the key.'),
  smsVonageApiSecret: secret('Vonage: the secret of the key.'),
} satisfies Declared

export type SmsProviderSettings = Values<typeof smsProviderSettings>

/** The secrets among them. */
export const smsSecretNames = [
  'smsTwilioAuthToken',
  'smsTwilioVerifyAuthToken',
  'smsMessagebirdAccessKey',
  'smsTextlocalApiKey',
  'smsVonageApiSecret',
] as const satisfies readonly (keyof SmsProviderSettings)[]
