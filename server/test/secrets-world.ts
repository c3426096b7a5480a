import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'
import { type Instance, startInstance } from '../src/instance/index.ts'
import { readAllSettings } from '../src/settings/index.ts'
import { freePort } from './free-port.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'
import { connectSuperuser } from './superuser.ts'

/** What the receivers answer, by the beginning of the path. */
function answer({ path, body }: Received): unknown {
  if (path.startsWith('/captcha')) return { success: true }
  if (path.startsWith('/hook')) return { claims: JSON.parse(body).claims }
  if (path.startsWith('/sms')) return { sid: '1', status: 'queued' }
  return {}
}

export const whsec = (text: string): string =>
  `whsec_${Buffer.from(`${text} of the receiver, long`).toString('base64')}`
export const jwtSecretOf = (text: string): string => `${text} secret of tokens with more than 32 characters`

/** Each secret that is read of a file, as the one of `text`. */
const secretsOf = (text: string, outside: string): Readonly<Record<string, string>> => ({
  CLEW_METRICS_TOKEN: `${text}-token`,
  CLEW_MAIL_SMTP_PASS: `${text}-password`,
  CLEW_NET_WEBHOOK_SECRET: whsec(text),
  CLEW_AUTH_HOOK_CUSTOM_ACCESS_TOKEN_SECRETS: `v1,${whsec(text)}`,
  CLEW_AUTH_CAPTCHA_SECRET: `${text}-captcha`,
  CLEW_AUTH_SMS_TWILIO_AUTH_TOKEN: `${text}-twilio`,
  CLEW_AUTH_EXTERNAL_GITHUB_SECRET: `${text}-github`,
  CLEW_TELEMETRY_HEADERS: JSON.stringify({ authorization: `${text}-collector` }),
  CLEW_LOG_HTTP_HEADERS: JSON.stringify({ authorization: `${text}-lines` }),
  CLEW_LOG_HTTP_URL: `${outside}/log-${text}`,
  CLEW_REST_JWT_SECRET: jwtSecretOf(text),
  CLEW_SECRET_KEY: `sb_secret_${text}_0123456789012345678901234567890123456789`,
  CLEW_ALERTS_WEBHOOK_URL: `${outside}/alerts-${text}`,
  CLEW_ISSUES_ALERT_WEBHOOK_URL: `${outside}/errors-${text}`,
  CLEW_STORAGE_S3_ACCESS_KEY_ID: `${text}-bucket`,
  CLEW_MIGRATIONS_VAULT: JSON.stringify({ token: `${text}-in-the-vault` }),
})

const settingsOf = (folder: string, outside: string, mailPort: number) => ({
  CLEW_MAIL_SMTP_HOST: '127.0.0.1',
  CLEW_MAIL_SMTP_PORT: String(mailPort),
  CLEW_MAIL_SMTP_USER: 'app',
  CLEW_MAIL_ADMIN_EMAIL: 'hello@app.example',
  CLEW_AUTH_HOOK_CUSTOM_ACCESS_TOKEN_URI: `${outside}/hook`,
  CLEW_AUTH_CAPTCHA_ENABLED: 'true',
  CLEW_AUTH_CAPTCHA_URL: `${outside}/captcha`,
  CLEW_AUTH_SMS_PROVIDER: 'twilio',
  CLEW_AUTH_SMS_PROVIDER_URL: `${outside}/sms`,
  CLEW_AUTH_SMS_TWILIO_ACCOUNT_SID: 'account',
  CLEW_AUTH_SMS_TWILIO_MESSAGE_SERVICE_SID: 'service',
  CLEW_AUTH_SMS_ENABLE_SIGNUP: 'true',
  CLEW_AUTH_RATE_LIMIT_SMS_SENT: '100000/1h',
  CLEW_AUTH_RATE_LIMIT_EMAIL_SENT: '100000/1h',
  CLEW_AUTH_EXTERNAL_GITHUB_ENABLED: 'true',
  CLEW_AUTH_EXTERNAL_GITHUB_CLIENT_ID: 'client',
  CLEW_AUTH_EXTERNAL_GITHUB_URL: `${outside}/github`,
  CLEW_STORAGE_BACKEND: 's3',
  CLEW_STORAGE_S3_BUCKET: 'files',
  CLEW_STORAGE_S3_ENDPOINT: `${outside}/s3`,
  CLEW_STORAGE_S3_FORCE_PATH_STYLE: 'true',
  CLEW_STORAGE_S3_SECRET_ACCESS_KEY: 'the secret of the access key',
  CLEW_TELEMETRY_ENDPOINT: `${outside}/collector`,
  CLEW_LOG_ACCESS: 'true',
  CLEW_LOG_LEVEL: 'silent',
  CLEW_LOG_FILE: join(folder, 'log'),
})

/** A mail server that lets everyone in; what passwords it was given, the oldest first. */
async function startMailServer() {
  const passwordsSeen: string[] = []
  const server = new SMTPServer({
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
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()))
  return {
    passwordsSeen,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

export type SecretsWorld = Awaited<ReturnType<typeof openSecretsWorld>>

/** An instance whose secrets are in files, and all that it calls: each service has its path at one receiver. */
export async function openSecretsWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-secrets-'))
  const outside = await startReceiver((response, request) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(request))),
  )
  const mails = await startMailServer()
  const fileOf = (variable: string): string => join(folder, variable)
  const write = (variable: string, text: string): Promise<void> => writeFile(fileOf(variable), `${text}\n`)
  const filesOf = (text: string) => secretsOf(text, outside.url)
  // Its address is empty: while there is one, the settings one by one say nothing.
  const files = Object.entries({ ...filesOf('old'), CLEW_MAIL_SMTP_URL: '' })
  for (const [variable, text] of files) await write(variable, text)
  const environment = {
    ...settingsOf(folder, outside.url, mails.port),
    ...Object.fromEntries(files.map(([variable]) => [`${variable}_FILE`, fileOf(variable)])),
  }
  const instance = await startIn(folder, environment, files.length)
  const facts = await instance.status()
  const database = new pg.Client(facts.dbUrl ?? '')
  await database.connect()
  const superuser = await connectSuperuser(join(folder, 'data'), facts.dbUrl)
  await database.query(`
    insert into storage.buckets (id, name) values ('kept', 'kept');
    create table orders (id uuid primary key);
    create trigger on_order after insert on orders for each row
      execute function supabase_functions.http_request('${outside.url}/webhook', 'POST', '{}', '{}', '5000')`)
  const call = (path: string, init: RequestInit = {}, key = facts.publishableKey) =>
    fetch(`${facts.apiUrl}${path}`, { redirect: 'manual', ...init, headers: { apikey: key, ...init.headers } })
  return {
    ...{ facts, database, superuser, write, filesOf, call },
    passwordsSeen: mails.passwordsSeen,
    reload: () => instance.reloadSecrets('a test'),
    callAsOwner: ownersCalls(instance, facts.consoleUrl),
    sentTo: (path: string, act: () => Promise<unknown>) => sentTo(outside, path, act),
    /** The mail server as an address. */
    smtpUrlOf: (text: string): string => `smtp://app:${text}-in-the-address@127.0.0.1:${mails.port}`,
    async post(path: string, body: object): Promise<void> {
      const sent = { ...body, gotrue_meta_security: { captcha_token: 'a token' } }
      const answered = await call(path, { method: 'POST', body: JSON.stringify(sent) })
      expect([path, answered.status, answered.ok ? '' : await answered.text()]).toEqual([path, 200, ''])
    },
    async close(): Promise<void> {
      await Promise.all([database.end(), superuser.end()])
      await instance.close()
      outside.close()
      await mails.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

async function startIn(folder: string, environment: Record<string, string>, secrets: number): Promise<Instance> {
  const ports = { port: await freePort(), dbPort: await freePort(), consolePort: await freePort() }
  // Secrets of the vault are those of a project.
  await mkdir(join(folder, 'supabase'))
  const flags = { data: join(folder, 'data'), project: folder, ...ports }
  const read = () => readAllSettings({ flags, environment, workingDirectory: folder })
  const { settings, problems, places, secretFiles } = read()
  expect(problems).toEqual([])
  expect(secretFiles).toHaveLength(secrets)
  return startInstance({
    ...{ settings, places, secretFiles: [] },
    reread: async () => read(),
    report: () => undefined,
    progress: () => undefined,
    onStop: () => undefined,
  })
}

/** Calls the console as its owner, who is made with the first call. */
function ownersCalls(instance: Instance, consoleUrl: string): (path: string) => Promise<void> {
  const { origin } = new URL(consoleUrl)
  let cookie = ''
  const send = (to: string, body: object, headers: Record<string, string>) =>
    fetch(`${consoleUrl}/api${to}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
    })
  return async (path) => {
    if (cookie === '') {
      const token = new URL((await instance.ownerLink()) ?? '').searchParams.get('token')
      const owner = { name: 'Ann', email: 'ann@app.example', password: 'a long and calm password' }
      const made = await send('/setup', { token, ...owner }, {})
      cookie = made.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    }
    const answered = await send(path, {}, { cookie })
    expect([path, answered.status, answered.ok ? '' : await answered.text()]).toEqual([path, 204, ''])
  }
}

/** What a path was sent since `act` began, once it was sent something. */
async function sentTo(outside: Receiver, path: string, act: () => Promise<unknown>): Promise<Received> {
  const before = outside.received.length
  await act()
  for (;;) {
    const found = outside.received.slice(before).findLast((request) => request.path.startsWith(path))
    if (found !== undefined) return found
    await outside.arrived(outside.received.length + 1)
  }
}

export const newPerson = () => ({ email: `${randomUUID()}@app.example`, password: 'a long enough secret' })
