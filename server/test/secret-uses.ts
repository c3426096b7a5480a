import { createSecretKey, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { signToken } from '../src/ground/jwt/sign.ts'
import type { Received } from './receiver.ts'
import { jwtSecretOf, newPerson, type SecretsWorld, whsec } from './secrets-world.ts'

let lastPhone = 49_151_000_000

/** Captures an exception of a type that was not there before. */
async function captureException({ facts, call }: SecretsWorld): Promise<void> {
  const [uuid, timestamp] = [randomUUID(), new Date().toISOString()]
  const properties = { distinct_id: 'visitor', $exception_list: [{ type: `Error ${uuid}`, value: 'a tap drips' }] }
  const body = { api_key: facts.ingestToken, batch: [{ uuid, event: '$exception', timestamp, properties }] }
  const answered = await call('/ingest/batch/', { method: 'POST', body: JSON.stringify(body) })
  expect([answered.status, answered.ok ? '' : await answered.text()]).toEqual([200, ''])
}

/** Uploads a file, whose bytes go to the bucket. */
async function upload({ facts, call }: SecretsWorld): Promise<void> {
  const headers = { authorization: `Bearer ${facts.serviceRoleKey}`, 'content-type': 'text/plain' }
  const answered = await call(
    `/storage/v1/object/kept/${randomUUID()}`,
    { method: 'POST', headers, body: 'its text' },
    facts.serviceRoleKey,
  )
  expect([answered.status, answered.ok ? '' : await answered.text()]).toEqual([200, ''])
}

const texts = ['old', 'new'] as const

/** By which of both secrets a message is signed. */
const signers = (request: Received, of: (text: string) => string): string =>
  texts.filter((text) => isSigned(request, of(text))).join(' and ')

function isSigned({ body, headers }: Received, secret: string): boolean {
  try {
    // Of several signatures one must be good; hooks join theirs with a comma.
    const signature = String(headers['webhook-signature']).replaceAll(',v1', ' v1').replaceAll(', ', ' ')
    new Webhook(secret).verify(body, { ...(headers as Record<string, string>), 'webhook-signature': signature })
    return true
  } catch {
    return false
  }
}

const tokenOf = (text: string): string =>
  signToken(
    { role: 'anon', exp: 4_000_000_000 },
    { kid: null, algorithm: 'HS256', key: createSecretKey(Buffer.from(jwtSecretOf(text))) },
  )

/** A secret, and a way to see which one is used. */
export interface SecretUse {
  readonly variable: string
  /** Uses the secret as a client does, and tells what was used; throws where the call fails. */
  readonly use: (world: SecretsWorld) => Promise<string>
  /** What is told when the secret is another one, where it is more than its text. */
  readonly after?: string
}

/** Which of two credentials of a client are accepted. */
const accepted = async (calls: (text: string) => Promise<Response>): Promise<string> => {
  const answers = await Promise.all(texts.map(async (text) => ((await calls(text)).status < 300 ? text : '')))
  return answers.filter((text) => text !== '').join(' and ')
}

export const secretUses: readonly SecretUse[] = [
  {
    variable: 'CLEW_METRICS_TOKEN',
    use: ({ call }) => accepted((text) => call('/metrics', { headers: { authorization: `Bearer ${text}-token` } })),
  },
  {
    variable: 'CLEW_SECRET_KEY',
    use: ({ call, filesOf }) =>
      accepted((text) => {
        const key = filesOf(text).CLEW_SECRET_KEY ?? ''
        return call('/auth/v1/admin/users', { headers: { authorization: `Bearer ${key}` } }, key)
      }),
  },
  {
    variable: 'CLEW_REST_JWT_SECRET',
    use: ({ call }) =>
      accepted((text) => call('/rest/v1/orders?limit=1', { headers: { authorization: `Bearer ${tokenOf(text)}` } })),
  },
  {
    variable: 'CLEW_MAIL_SMTP_PASS',
    async use({ post, passwordsSeen }) {
      await post('/auth/v1/otp', { email: newPerson().email })
      return passwordsSeen.at(-1) ?? ''
    },
  },
  {
    // Receivers learn of the new one while both sign.
    variable: 'CLEW_NET_WEBHOOK_SECRET',
    use: async ({ sentTo, database }) =>
      signers(await sentTo('/webhook', () => database.query('insert into orders values (gen_random_uuid())')), whsec),
    after: 'old and new',
  },
  {
    variable: 'CLEW_AUTH_HOOK_CUSTOM_ACCESS_TOKEN_SECRETS',
    use: async ({ sentTo, post }) => signers(await sentTo('/hook', () => post('/auth/v1/signup', newPerson())), whsec),
  },
  {
    variable: 'CLEW_AUTH_CAPTCHA_SECRET',
    use: async ({ sentTo, post }) => (await sentTo('/captcha', () => post('/auth/v1/signup', newPerson()))).body,
  },
  {
    variable: 'CLEW_AUTH_SMS_TWILIO_AUTH_TOKEN',
    async use({ sentTo, post }) {
      lastPhone += 1
      const { headers } = await sentTo('/sms', () => post('/auth/v1/otp', { phone: String(lastPhone) }))
      return Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString()
    },
  },
  {
    variable: 'CLEW_AUTH_EXTERNAL_GITHUB_SECRET',
    async use({ call, sentTo }) {
      const begun = await call('/auth/v1/authorize?provider=github')
      const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
      // The browser that left is the one that comes back.
      const cookie = begun.headers
        .getSetCookie()
        .map((one) => one.split(';')[0])
        .join('; ')
      const { body, headers } = await sentTo('/github/login/oauth', () =>
        call(`/auth/v1/callback?code=a-code&state=${state}`, { headers: { cookie } }),
      )
      return `${body} ${Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64')}`
    },
  },
  {
    variable: 'CLEW_TELEMETRY_HEADERS',
    use: async ({ call, sentTo }) =>
      String((await sentTo('/collector', () => call('/auth/v1/settings'))).headers.authorization),
  },
  {
    variable: 'CLEW_LOG_HTTP_HEADERS',
    use: async ({ call, sentTo }) =>
      String((await sentTo('/log', () => call('/auth/v1/settings'))).headers.authorization),
  },
  {
    variable: 'CLEW_LOG_HTTP_URL',
    use: async ({ call, sentTo }) => (await sentTo('/log', () => call('/auth/v1/settings'))).path,
  },
  {
    variable: 'CLEW_ALERTS_WEBHOOK_URL',
    use: async ({ callAsOwner, sentTo }) => (await sentTo('/alerts', () => callAsOwner('/alerts/test'))).path,
  },
  {
    variable: 'CLEW_ISSUES_ALERT_WEBHOOK_URL',
    async use(world) {
      // Of a minute one alert is sent at most: this one does not wait for its turn.
      const fail = async () => {
        await world.superuser.query('update clew_issues.alerting set last_sent_at = null')
        await captureException(world)
      }
      return (await world.sentTo('/errors', fail)).path
    },
  },
  {
    variable: 'CLEW_STORAGE_S3_ACCESS_KEY_ID',
    use: async (world) => String((await world.sentTo('/s3', () => upload(world))).headers.authorization),
  },
  {
    variable: 'CLEW_MIGRATIONS_VAULT',
    async use({ database }) {
      const { rows } = await database.query(`select decrypted_secret from vault.decrypted_secrets where name = 'token'`)
      return rows[0].decrypted_secret
    },
  },
]
