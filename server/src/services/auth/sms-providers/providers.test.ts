import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startAuth } from '../../../../test/auth-service.ts'
import { test as withDatabase } from '../../../../test/harness.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { type AuthSettings, authSettings, settleAuthSettings } from '../settings.ts'
import { createSmsProvider } from './provider.ts'

const sms = {
  phone: '4915112345678',
  message: 'Your code is 123456',
  otp: '123456',
  userId: 'u',
  channel: 'sms',
} as const

interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly form: Readonly<Record<string, string>>
}

/** A provider's API, answering what it is told. */
async function startProvider(answer: { status?: number; body: unknown }) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    asked.push({
      path: request.url ?? '',
      authorization: request.headers.authorization,
      form: Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString())),
    })
    const { body } = answer
    response.writeHead(answer.status ?? 200).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answer }
}

const accounts: Partial<AuthSettings> = {
  smsTwilioAccountSid: 'AC1',
  smsTwilioAuthToken: 'tok',
  smsTwilioMessageServiceSid: 'MG1',
  smsTwilioVerifyAccountSid: 'AC2',
  smsTwilioVerifyAuthToken: 'tok2',
  smsTwilioVerifyMessageServiceSid: 'VA1',
  smsMessagebirdOriginator: 'Clew',
  smsMessagebirdAccessKey: 'key',
  smsTextlocalSender: 'CLEW',
  smsTextlocalApiKey: 'key',
  smsVonageFrom: 'Clew',
  smsVonageApiKey: 'key',
  smsVonageApiSecret: 'secret',
}

const settingsFor = (
  smsProvider: AuthSettings['smsProvider'],
  smsProviderUrl: string,
  more: Partial<AuthSettings> = {},
) => ({
  ...settleAuthSettings(readSettings(authSettings, []).values, false),
  ...accounts,
  smsProvider,
  smsProviderUrl,
  ...more,
})

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

/** What each provider documents as its request and its answer. */
const taken = [
  [
    'twilio',
    { status: 201, body: { sid: 'SM1', status: 'queued', error_code: null, error_message: null } },
    {
      path: '/2010-04-01/Accounts/AC1/Messages.json',
      authorization: basic('AC1:tok'),
      form: { To: '+4915112345678', From: 'MG1', Channel: 'sms', Body: sms.message },
    },
    'SM1',
  ],
  [
    'twilio_verify',
    { status: 201, body: { sid: 'VE1', status: 'pending', valid: false } },
    {
      path: '/v2/Services/VA1/Verifications',
      authorization: basic('AC2:tok2'),
      form: { To: '+4915112345678', Channel: 'sms' },
    },
    'VE1',
  ],
  [
    'messagebird',
    { status: 201, body: { id: 'mb1', recipients: { totalSentCount: 1 } } },
    {
      path: '/messages',
      authorization: 'AccessKey key',
      form: { originator: 'Clew', body: sms.message, recipients: sms.phone, type: 'sms', datacoding: 'unicode' },
    },
    'mb1',
  ],
  [
    'textlocal',
    { body: { status: 'success', messages: [{ id: 'tl1' }] } },
    { path: '/send', form: { sender: 'CLEW', apikey: 'key', message: sms.message, numbers: sms.phone } },
    'tl1',
  ],
  [
    'vonage',
    { body: { 'message-count': '1', messages: [{ 'message-id': 'vo1', status: '0' }] } },
    {
      path: '/sms/json',
      form: { from: 'Clew', to: sms.phone, text: sms.message, api_key: 'key', api_secret: 'secret' },
    },
    'vo1',
  ],
] as const

test.for(taken)('%s is asked as it documents and its id is answered', async ([name, answer, request, messageId]) => {
  const provider = await startProvider(answer)
  const { send } = createSmsProvider(settingsFor(name, provider.url)) ?? {}
  expect(await send?.(sms)).toEqual({ messageId })
  expect(provider.asked).toMatchObject([request])
  expect(Object.keys(provider.asked[0]?.form ?? {}).sort()).toEqual(Object.keys(request.form).sort())
})

test.for([
  [
    'twilio',
    { status: 400, body: { code: 21211, message: 'Invalid To number', more_info: 'https://t.example/21211' } },
    'Invalid To number More information: https://t.example/21211',
  ],
  [
    'twilio',
    { status: 201, body: { sid: 'SM1', status: 'failed', error_message: 'blocked', error_code: 30004 } },
    'blocked 30004',
  ],
  ['twilio_verify', { status: 429, body: { message: 'Max send attempts reached' } }, 'Max send attempts reached'],
  [
    'messagebird',
    { status: 422, body: { errors: [{ code: 9, description: 'no (correct) recipients found' }] } },
    'no (correct) recipients',
  ],
  ['messagebird', { status: 201, body: { id: 'x', recipients: { totalSentCount: 0 } } }, 'total sent count is 0'],
  ['messagebird', { status: 500, body: {} }, 'provider: '],
  [
    'textlocal',
    { body: { status: 'failure', errors: [{ code: 80, message: 'Invalid template' }] } },
    'Invalid template (code: 80)',
  ],
  ['vonage', { body: { messages: [{ status: '4', 'error-text': 'Bad Credentials' }] } }, 'Bad Credentials (status: 4)'],
  ['vonage', { body: { messages: [] } }, 'vonage error'],
  ['vonage', { status: 502, body: '<html>' }, 'could not be reached'],
  ['twilio', { status: 200, body: 'null' }, 'could not be reached'],
] as const)('what %s does not take is refused with its words: %j', async ([name, answer, words]) => {
  const provider = await startProvider(answer)
  const { send } = createSmsProvider(settingsFor(name, provider.url)) ?? {}
  await expect(send?.(sms)).rejects.toMatchObject({
    code: 'sms_send_failed',
    status: 422,
    message: expect.stringContaining(words),
  })
})

test.for([
  [
    'a service',
    { smsTwilioMessageServiceSid: 'MG1' },
    { To: 'whatsapp:+4915112345678', From: 'MG1', Body: sms.message },
  ],
  ['a number', { smsTwilioMessageServiceSid: '+1 555 0100' }, { From: 'whatsapp:+1 555 0100', Body: sms.message }],
  ['a content template', { smsTwilioContentSid: 'HX1' }, { ContentSid: 'HX1', ContentVariables: '{"1":"123456"}' }],
] as const)('WhatsApp goes out by %s', async ([, more, form]) => {
  const provider = await startProvider({ status: 201, body: { sid: 'SM1', status: 'queued' } })
  const { send } = createSmsProvider(settingsFor('twilio', provider.url, more)) ?? {}
  await send?.({ ...sms, channel: 'whatsapp' })
  expect(provider.asked[0]?.form).toMatchObject({ ...form, Channel: 'whatsapp' })
})

test('letters beyond ASCII are announced to Vonage', async () => {
  const provider = await startProvider({ body: { messages: [{ status: '0' }] } })
  const { send } = createSmsProvider(settingsFor('vonage', provider.url)) ?? {}
  await send?.({ ...sms, message: 'Código: 123456' })
  expect(provider.asked[0]?.form).toMatchObject({ type: 'unicode', text: 'Código: 123456' })
})

test.for([
  [{ status: 200, body: { status: 'approved', valid: true } }, true],
  [{ status: 200, body: { status: 'pending', valid: false } }, false],
  [{ status: 200, body: { status: 'approved', valid: 'true' } }, false],
  [{ status: 404, body: { code: 20404, message: 'not found' } }, false],
] as const)('Twilio Verify answers %j: the code counts as %s', async ([answer, right]) => {
  const provider = await startProvider(answer)
  const { check } = createSmsProvider(settingsFor('twilio_verify', provider.url)) ?? {}
  expect(await check?.({ phone: sms.phone, code: '123456' })).toBe(right)
  expect(provider.asked).toMatchObject([
    { path: '/v2/Services/VA1/VerificationCheck', form: { To: '+4915112345678', Code: '123456' } },
  ])
})

test('no provider, and one whose settings are not complete', () => {
  expect(createSmsProvider(settingsFor('', ''))).toBeNull()
  for (const name of ['twilio', 'twilio_verify', 'messagebird', 'textlocal', 'vonage'] as const)
    expect(() =>
      createSmsProvider({ ...settleAuthSettings(readSettings(authSettings, []).values, false), smsProvider: name }),
    ).toThrow(name)
})

withDatabase('Twilio Verify signs a number in by the code it made itself', async ({ db }) => {
  const provider = await startProvider({ status: 201, body: { sid: 'VE1', status: 'pending', valid: false } })
  const settings = settingsFor('twilio_verify', provider.url, { smsEnableSignup: true, smsEnableConfirmations: true })
  const { send, check } = createSmsProvider(settings) ?? {}
  if (send === undefined || check === undefined) throw new Error('There is no provider.')
  const auth = await startAuth(db, settings, { sendSms: send, checkSmsCode: check })
  const asked = await auth.call('POST', '/otp', { body: { phone: '+4915112345678' } })
  expect([asked.status, asked.body]).toEqual([200, { message_id: 'VE1' }])
  const verify = () => auth.call('POST', '/verify', { body: { type: 'sms', phone: sms.phone, token: '654321' } })
  provider.answer.status = 200
  expect((await verify()).body.error_code).toBe('otp_expired')
  provider.answer.body = { status: 'approved', valid: true }
  expect((await verify()).body.user?.phone).toBe(sms.phone)
})

withDatabase('a message that no provider takes leaves no user behind', async ({ db }) => {
  const provider = await startProvider({ status: 400, body: { message: 'Invalid To number' } })
  const settings = settingsFor('twilio', provider.url, { smsEnableSignup: true, smsEnableConfirmations: true })
  const { send } = createSmsProvider(settings) ?? {}
  const auth = await startAuth(db, settings, send === undefined ? {} : { sendSms: send })
  const refused = await auth.call('POST', '/signup', { body: { phone: sms.phone, password: 'a good password' } })
  expect([refused.status, refused.body.error_code]).toEqual([422, 'sms_send_failed'])
  const { rows } = await db.admin.query({ text: 'select 1 from auth.users', values: [] })
  expect(rows).toEqual([])
})
