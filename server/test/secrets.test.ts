import { createSecretKey, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken } from '../src/ground/jwt/sign.ts'
import { type Instance, startInstance } from '../src/instance/index.ts'
import { readAllSettings } from '../src/settings/index.ts'
import { freePort } from './free-port.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'
import { connectSuperuser } from './superuser.ts'

/** Everything that the instance calls: each service has its path. */
let outside: Receiver
let mailServer: SMTPServer
const passwordsSeen: string[] = []
let folder: string
let instance: Instance | undefined
let facts: Awaited<ReturnType<Instance['status']>>
let database: pg.Client
/** The superuser, who may read the log of operators. */
let superuser: pg.Client

const whsec = (text: string): string => `whsec_${Buffer.from(`${text} of the receiver, long`).toString('base64')}`
const jwtSecretOf = (text: string): string => `${text} secret of tokens with more than 32 characters`

/** What the receivers answer, by the beginning of the path. */
function answer({ path, body }: Received): unknown {
  if (path.startsWith('/captcha')) return { success: true }
  if (path.startsWith('/hook')) return { claims: JSON.parse(body).claims }
  if (path.startsWith('/sms')) return { sid: '1', status: 'queued' }
  return {}
}

const filesOf = (text: string): Readonly<Record<string, string>> => ({
  CLEW_METRICS_TOKEN: `${text}-token`,
  CLEW_MAIL_SMTP_PASS: `${text}-password`,
  CLEW_NET_WEBHOOK_SECRET: whsec(text),
  CLEW_AUTH_HOOK_CUSTOM_ACCESS_TOKEN_SECRETS: `v1,${whsec(text)}`,
  CLEW_AUTH_CAPTCHA_SECRET: `${text}-captcha`,
  CLEW_AUTH_SMS_TWILIO_AUTH_TOKEN: `${text}-twilio`,
  CLEW_AUTH_EXTERNAL_GITHUB_SECRET: `${text}-github`,
  CLEW_TELEMETRY_HEADERS: JSON.stringify({ authorization: `${text}-collector` }),
  CLEW_LOG_HTTP_HEADERS: JSON.stringify({ authorization: `${text}-lines` }),
  CLEW_LOG_HTTP_URL: `${outside.url}/log-${text}`,
  CLEW_REST_JWT_SECRET: jwtSecretOf(text),
  CLEW_SECRET_KEY: `sb_secret_${text}_0123456789012345678901234567890123456789`,
  CLEW_ALERTS_WEBHOOK_URL: `${outside.url}/alerts-${text}`,
  CLEW_ISSUES_ALERT_WEBHOOK_URL: `${outside.url}/errors-${text}`,
  CLEW_STORAGE_S3_ACCESS_KEY_ID: `${text}-bucket`,
  CLEW_MIGRATIONS_VAULT: JSON.stringify({ token: `${text}-in-the-vault` }),
})

/** The mail server as an address: while there is one, the settings one by one say nothing. */
const smtpUrlOf = (text: string): string =>
  `smtp://app:${text}-in-the-address@127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`

const fileOf = (variable: string): string => join(folder, variable)
const write = (variable: string, text: string): Promise<void> => writeFile(fileOf(variable), `${text}\n`)

const otherSettings = () => ({
  CLEW_MAIL_SMTP_HOST: '127.0.0.1',
  CLEW_MAIL_SMTP_PORT: String((mailServer.server.address() as AddressInfo).port),
  CLEW_MAIL_SMTP_USER: 'app',
  CLEW_MAIL_ADMIN_EMAIL: 'hello@app.example',
  CLEW_AUTH_HOOK_CUSTOM_ACCESS_TOKEN_URI: `${outside.url}/hook`,
  CLEW_AUTH_CAPTCHA_ENABLED: 'true',
  CLEW_AUTH_CAPTCHA_URL: `${outside.url}/captcha`,
  CLEW_AUTH_SMS_PROVIDER: 'twilio',
  CLEW_AUTH_SMS_PROVIDER_URL: `${outside.url}/sms`,
  CLEW_AUTH_SMS_TWILIO_ACCOUNT_SID: 'account',
  CLEW_AUTH_SMS_TWILIO_MESSAGE_SERVICE_SID: 'service',
  CLEW_AUTH_SMS_ENABLE_SIGNUP: 'true',
  CLEW_AUTH_RATE_LIMIT_SMS_SENT: '100000/1h',
  CLEW_AUTH_RATE_LIMIT_EMAIL_SENT: '100000/1h',
  CLEW_AUTH_EXTERNAL_GITHUB_ENABLED: 'true',
  CLEW_AUTH_EXTERNAL_GITHUB_CLIENT_ID: 'client',
  CLEW_AUTH_EXTERNAL_GITHUB_URL: `${outside.url}/github`,
  CLEW_STORAGE_BACKEND: 's3',
  CLEW_STORAGE_S3_BUCKET: 'files',
  CLEW_STORAGE_S3_ENDPOINT: `${outside.url}/s3`,
  CLEW_STORAGE_S3_FORCE_PATH_STYLE: 'true',
  CLEW_STORAGE_S3_SECRET_ACCESS_KEY: 'the secret of the access key',
  CLEW_TELEMETRY_ENDPOINT: `${outside.url}/collector`,
  CLEW_LOG_ACCESS: 'true',
  CLEW_LOG_LEVEL: 'silent',
  CLEW_LOG_FILE: join(folder, 'log'),
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-secrets-'))
  outside = await startReceiver((response, request) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(request))),
  )
  mailServer = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, done) {
      passwordsSeen.push(password ?? '')
      done(null, { user: username ?? '' })
    },
    onData(stream, _session, done) {
      stream.on('data', () => undefined)
      stream.on('end', () => done())
    },
  })
  await new Promise<void>((done) => mailServer.listen(0, '127.0.0.1', () => done()))
  const files = Object.entries({ ...filesOf('old'), CLEW_MAIL_SMTP_URL: '' })
  for (const [variable, text] of files) await write(variable, text)
  const environment = {
    ...otherSettings(),
    ...Object.fromEntries(files.map(([variable]) => [`${variable}_FILE`, fileOf(variable)])),
  }
  const ports = { port: await freePort(), dbPort: await freePort(), consolePort: await freePort() }
  // Secrets of the vault are those of a project.
  await mkdir(join(folder, 'supabase'))
  const flags = { data: join(folder, 'data'), project: folder, ...ports }
  const read = () => readAllSettings({ flags, environment, workingDirectory: folder })
  const { settings, problems, places, secretFiles } = read()
  expect(problems).toEqual([])
  instance = await startInstance({
    ...{ settings, places, secretFiles: [] },
    reread: async () => read(),
    report: () => undefined,
    progress: () => undefined,
    onStop: () => undefined,
  })
  expect(secretFiles).toHaveLength(files.length)
  facts = await instance.status()
  database = new pg.Client(facts.dbUrl ?? '')
  await database.connect()
  superuser = await connectSuperuser(join(folder, 'data'), facts.dbUrl)
  await database.query(`
    insert into storage.buckets (id, name) values ('kept', 'kept');
    create table orders (id uuid primary key);
    create trigger on_order after insert on orders for each row
      execute function supabase_functions.http_request('${outside.url}/webhook', 'POST', '{}', '{}', '5000')`)
}, 120_000)

afterAll(async () => {
  await Promise.all([database?.end(), superuser?.end()])
  await instance?.close()
  outside.close()
  await new Promise<void>((done) => mailServer.close(() => done()))
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}, 60_000)

const call = (path: string, init: RequestInit = {}, key = facts.publishableKey) =>
  fetch(`${facts.apiUrl}${path}`, { redirect: 'manual', ...init, headers: { apikey: key, ...init.headers } })

const post = async (path: string, body: object): Promise<void> => {
  const sent = { ...body, gotrue_meta_security: { captcha_token: 'a token' } }
  const answered = await call(path, { method: 'POST', body: JSON.stringify(sent) })
  expect([path, answered.status, answered.ok ? '' : await answered.text()]).toEqual([path, 200, ''])
}

const newPerson = () => ({ email: `${randomUUID()}@app.example`, password: 'a long enough secret' })
let lastPhone = 49_151_000_000

/** Calls the console as its owner, who is made with the first call. */
async function callAsOwner(path: string): Promise<void> {
  const { origin } = new URL(facts.consoleUrl)
  const send = (to: string, body: object, headers: Record<string, string>) =>
    fetch(`${facts.consoleUrl}/api${to}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
    })
  if (ownersCookie === '') {
    const token = new URL((await instance?.ownerLink()) ?? '').searchParams.get('token')
    const owner = { name: 'Ann', email: 'ann@app.example', password: 'a long and calm password' }
    const made = await send('/setup', { token, ...owner }, {})
    ownersCookie = made.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }
  const answered = await send(path, {}, { cookie: ownersCookie })
  expect([path, answered.status, answered.ok ? '' : await answered.text()]).toEqual([path, 204, ''])
}
let ownersCookie = ''

/** Captures an exception of a type that was not there before. */
async function captureException(): Promise<void> {
  const [uuid, timestamp] = [randomUUID(), new Date().toISOString()]
  const properties = { distinct_id: 'visitor', $exception_list: [{ type: `Error ${uuid}`, value: 'a tap drips' }] }
  const body = { api_key: facts.ingestToken, batch: [{ uuid, event: '$exception', timestamp, properties }] }
  const answered = await call('/ingest/batch/', { method: 'POST', body: JSON.stringify(body) })
  expect([answered.status, answered.ok ? '' : await answered.text()]).toEqual([200, ''])
}

/** Uploads a file, whose bytes go to the bucket. */
async function upload(): Promise<void> {
  const headers = { authorization: `Bearer ${facts.serviceRoleKey}`, 'content-type': 'text/plain' }
  const answered = await call(
    `/storage/v1/object/kept/${randomUUID()}`,
    { method: 'POST', headers, body: 'its text' },
    facts.serviceRoleKey,
  )
  expect([answered.status, answered.ok ? '' : await answered.text()]).toEqual([200, ''])
}

/** What a path was sent since `act` began, once it was sent something. */
async function sentTo(path: string, act: () => Promise<unknown>): Promise<Received> {
  const before = outside.received.length
  await act()
  for (;;) {
    const found = outside.received.slice(before).findLast((request) => request.path.startsWith(path))
    if (found !== undefined) return found
    await outside.arrived(outside.received.length + 1)
  }
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

interface Case {
  readonly variable: string
  /** Uses the secret as a client does, and tells what was used; throws where the call fails. */
  readonly use: () => Promise<string>
  /** What is told when the secret is another one, where it is more than its text. */
  readonly after?: string
}

/** Which of two credentials of a client are accepted. */
const accepted = async (calls: (text: string) => Promise<Response>): Promise<string> => {
  const answers = await Promise.all(texts.map(async (text) => ((await calls(text)).status < 300 ? text : '')))
  return answers.filter((text) => text !== '').join(' and ')
}

const cases: readonly Case[] = [
  {
    variable: 'CLEW_METRICS_TOKEN',
    use: () => accepted((text) => call('/metrics', { headers: { authorization: `Bearer ${text}-token` } })),
  },
  {
    variable: 'CLEW_SECRET_KEY',
    use: () =>
      accepted((text) => {
        const key = filesOf(text).CLEW_SECRET_KEY ?? ''
        return call('/auth/v1/admin/users', { headers: { authorization: `Bearer ${key}` } }, key)
      }),
  },
  {
    variable: 'CLEW_REST_JWT_SECRET',
    use: () =>
      accepted((text) => call('/rest/v1/orders?limit=1', { headers: { authorization: `Bearer ${tokenOf(text)}` } })),
  },
  {
    variable: 'CLEW_MAIL_SMTP_PASS',
    async use() {
      await post('/auth/v1/otp', { email: newPerson().email })
      return passwordsSeen.at(-1) ?? ''
    },
  },
  {
    // Receivers learn of the new one while both sign.
    variable: 'CLEW_NET_WEBHOOK_SECRET',
    use: async () =>
      signers(await sentTo('/webhook', () => database.query('insert into orders values (gen_random_uuid())')), whsec),
    after: 'old and new',
  },
  {
    variable: 'CLEW_AUTH_HOOK_CUSTOM_ACCESS_TOKEN_SECRETS',
    use: async () => signers(await sentTo('/hook', () => post('/auth/v1/signup', newPerson())), whsec),
  },
  {
    variable: 'CLEW_AUTH_CAPTCHA_SECRET',
    use: async () => (await sentTo('/captcha', () => post('/auth/v1/signup', newPerson()))).body,
  },
  {
    variable: 'CLEW_AUTH_SMS_TWILIO_AUTH_TOKEN',
    async use() {
      lastPhone += 1
      const { headers } = await sentTo('/sms', () => post('/auth/v1/otp', { phone: String(lastPhone) }))
      return Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString()
    },
  },
  {
    variable: 'CLEW_AUTH_EXTERNAL_GITHUB_SECRET',
    async use() {
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
    use: async () => String((await sentTo('/collector', () => call('/auth/v1/settings'))).headers.authorization),
  },
  {
    variable: 'CLEW_LOG_HTTP_HEADERS',
    use: async () => String((await sentTo('/log', () => call('/auth/v1/settings'))).headers.authorization),
  },
  {
    variable: 'CLEW_LOG_HTTP_URL',
    use: async () => (await sentTo('/log', () => call('/auth/v1/settings'))).path,
  },
  {
    variable: 'CLEW_ALERTS_WEBHOOK_URL',
    use: async () => (await sentTo('/alerts', () => callAsOwner('/alerts/test'))).path,
  },
  {
    variable: 'CLEW_ISSUES_ALERT_WEBHOOK_URL',
    async use() {
      // Of a minute one alert is sent at most: this one does not wait for its turn.
      const fail = async () => {
        await superuser.query('update clew_issues.alerting set last_sent_at = null')
        await captureException()
      }
      return (await sentTo('/errors', fail)).path
    },
  },
  {
    variable: 'CLEW_STORAGE_S3_ACCESS_KEY_ID',
    use: async () => String((await sentTo('/s3', upload)).headers.authorization),
  },
  {
    variable: 'CLEW_MIGRATIONS_VAULT',
    async use() {
      const { rows } = await database.query(`select decrypted_secret from vault.decrypted_secrets where name = 'token'`)
      return rows[0].decrypted_secret
    },
  },
]

/** Replaces a secret while a client calls: no call fails, and afterwards it is the other one that is used. */
async function rotate({ variable, use, after }: Case, next = filesOf('new')[variable] ?? ''): Promise<void> {
  expect(await use()).toContain('old')
  const seen: string[] = []
  let isRotating = true
  const client = (async () => {
    while (isRotating) seen.push(await use())
  })()
  await write(variable, next)
  await instance?.reloadSecrets('a test')
  isRotating = false
  await client
  // Every call was answered, by the one or the other.
  for (const used of seen) expect(used).toMatch(/old|new/)
  const used = await use()
  expect(used).toContain(after ?? 'new')
  if (after === undefined) expect(used).not.toContain('old')
  const { rows } = await superuser.query(
    `select 1 from clew_operators.actions where action = 'secret.reload' and operator_email = 'a test' and outcome = 'succeeded'`,
  )
  expect(rows.length).toBeGreaterThan(0)
}

test.for(cases)('$variable is another one while calls go on', { timeout: 60_000 }, (each) => rotate(each))

test('what cannot be used is refused, said, and the secret of before goes on', async () => {
  const variable = 'CLEW_AUTH_CAPTCHA_SECRET'
  const captcha = cases.find((one) => one.variable === variable)
  const before = (await captcha?.use()) ?? ''
  await write(variable, '')
  await instance?.reloadSecrets('a test')
  await write('CLEW_MAIL_SMTP_PASS', 'newer-password')
  await instance?.reloadSecrets('a test')
  expect((await captcha?.use()) ?? '').toBe(before)
  await post('/auth/v1/otp', { email: newPerson().email })
  expect(passwordsSeen.at(-1)).toBe('newer-password')
})

test('the address of a mail server takes the place of the settings one by one, and is another one while mails go on', async () => {
  const variable = 'CLEW_MAIL_SMTP_URL'
  const smtp = cases.find((one) => one.variable === 'CLEW_MAIL_SMTP_PASS') ?? expect.fail('no case of mails')
  await write(variable, smtpUrlOf('old'))
  await instance?.reloadSecrets('a test')
  await rotate({ variable, use: smtp.use }, smtpUrlOf('new'))
  expect(await smtp.use()).toBe('new-in-the-address')
})
