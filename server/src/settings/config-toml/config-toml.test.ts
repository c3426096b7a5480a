import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readAllSettings } from '../index.ts'
import { durationSeconds } from './values.ts'

let project: string
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'clew-config-'))
  await mkdir(join(project, 'supabase'))
})
afterEach(() => rm(project, { recursive: true }))

const write = (text: string) => writeFile(join(project, 'supabase', 'config.toml'), text)
const read = (environment: Record<string, string> = {}, flags: Record<string, unknown> = {}) =>
  readAllSettings({ flags: { project, ...flags }, environment, workingDirectory: '/' })

describe('project-folder §4: keys and the settings they stand for', () => {
  test.each([
    ['project_id = "shop"', 'instance', { name: 'shop' }],
    [
      '[api]\nport = 5000\nexternal_url = "http://127.0.0.1:5000"',
      'instance',
      { port: 5000, publicUrl: 'http://127.0.0.1:5000' },
    ],
    [
      '[api]\nschemas = ["api", "graphql_public"]\nextra_search_path = ["ext"]',
      'rest',
      { schemas: ['api', 'graphql_public'], extraSearchPath: ['ext'] },
    ],
    ['[api]\nmax_rows = 7', 'rest', { maxRows: 7 }],
    ['[db]\nport = 6000', 'instance', { dbPort: 6000 }],
    ['[studio]\nport = 7000', 'instance', { consolePort: 7000 }],
    ['[db.migrations]\nenabled = false', 'migrations', { enabled: false }],
    ['[db]\nmajor_version = 15', 'migrations', { majorVersion: 15 }],
    ['[db.vault]\nApi_Key = "k"\n"other key" = "o"', 'migrations', { vault: { Api_Key: 'k', 'other key': 'o' } }],
    [
      '[storage.buckets.Images]\npublic = true\nfile_size_limit = "5MB"\nallowed_mime_types = ["image/*"]\n' +
        'objects_path = "./images"\n[storage.buckets.any]\nfile_size_limit = 0\nobjects_path = ""',
      'migrations',
      {
        buckets: {
          Images: {
            public: true,
            file_size_limit: 5 * 1024 ** 2,
            allowed_mime_types: ['image/*'],
            objects_path: './images',
          },
          any: {},
        },
      },
    ],
    ['[api]\nauto_expose_new_tables = false', 'migrations', { autoExposeNewTables: false }],
    [
      '[api.tls]\nenabled = true\ncert_path = "./certs/local.pem"\nkey_path = "./certs/local.key"',
      'instance',
      {
        tls: true,
        tlsCert: expect.stringMatching(/\/supabase\/certs\/local\.pem$/),
        tlsKey: expect.stringMatching(/\/supabase\/certs\/local\.key$/),
      },
    ],
    ['[api]\nenabled = false', 'rest', { enabled: false }],
    ['[auth]\nenabled = false', 'auth', { enabled: false }],
    [
      '[db.seed]\nenabled = true\nsql_paths = ["./seeds/*.sql"]',
      'migrations',
      { seedEnabled: true, seedPaths: ['./seeds/*.sql'] },
    ],
    [
      '[auth]\nsite_url = "https://shop.test/"\nadditional_redirect_urls = ["https://*.shop.test"]',
      'auth',
      { siteUrl: 'https://shop.test', additionalRedirectUrls: ['https://*.shop.test'] },
    ],
    [
      '[auth]\njwt_expiry = 60\nrefresh_token_reuse_interval = 3',
      'auth',
      { jwtExpirySeconds: 60, refreshTokenReuseIntervalSeconds: 3 },
    ],
    [
      '[auth]\njwt_secret = "a secret of thirty-two characters"',
      'instance',
      { jwtSecret: 'a secret of thirty-two characters' },
    ],
    [
      '[auth]\nenable_anonymous_sign_ins = true\nminimum_password_length = 9',
      'auth',
      { enableAnonymousSignIns: true, minimumPasswordLength: 9 },
    ],
    [
      '[auth.sessions]\ntimebox = "24h"\ninactivity_timeout = "1m30s"',
      'auth',
      { sessionTimeboxSeconds: 86_400, sessionInactivityTimeoutSeconds: 90 },
    ],
    [
      '[auth]\nsigning_keys_path = "./keys.json"',
      'auth',
      { signingKeysPath: expect.stringMatching(/\/supabase\/keys\.json$/) },
    ],
    [
      '[auth.email]\nenable_confirmations = true\nmax_frequency = "5s"\nsecure_password_change = true\notp_expiry = 60',
      'auth',
      {
        emailEnableConfirmations: true,
        emailMaxFrequencySeconds: 5,
        securePasswordChange: true,
        emailOtpExpirySeconds: 60,
      },
    ],
    [
      '[auth.email.template.invite]\nsubject = "Come in"\ncontent_path = "./supabase/templates/invite.html"',
      'auth',
      { emailTemplateInviteSubject: 'Come in', emailTemplateInviteContentPath: './supabase/templates/invite.html' },
    ],
    [
      '[auth.sms]\nenable_signup = true\n[auth.sms.twilio]\nenabled = true\naccount_sid = "AC1"\nmessage_service_sid = "MG1"\nauth_token = "t"',
      'auth',
      { smsEnableSignup: true, smsProvider: 'twilio', smsTwilioAccountSid: 'AC1', smsTwilioAuthToken: 't' },
    ],
    ['[auth.sms.test_otp]\n4152127777 = "123456"', 'auth', { smsTestOtp: ['4152127777=123456'] }],
    [
      '[auth.hook.custom_access_token]\nenabled = true\nuri = "pg-functions://postgres/public/hook"',
      'auth',
      { hookCustomAccessTokenUri: 'pg-functions://postgres/public/hook' },
    ],
    [
      '[auth.hook.custom_access_token]\nenabled = false\nuri = "pg-functions://postgres/public/hook"',
      'auth',
      { hookCustomAccessTokenUri: null },
    ],
    [
      '[auth.external.github]\nenabled = true\nclient_id = "a,b"\nsecret = "s"',
      'auth',
      { externalGithubEnabled: true, externalGithubClientId: ['a', 'b'], externalGithubSecret: 's' },
    ],
    [
      '[auth.mfa.totp]\nenroll_enabled = true\nverify_enabled = true',
      'auth',
      { mfaTotpEnrollEnabled: true, mfaTotpVerifyEnabled: true },
    ],
    ['[auth.mfa.phone]\nmax_frequency = "7s"', 'auth', { mfaPhoneMaxFrequencySeconds: 7 }],
    [
      '[auth.rate_limit]\nanonymous_users = 3\nemail_sent = 2\nsms_sent = 30',
      'auth',
      { rateLimitAnonymousUsers: 3, rateLimitEmailSent: null, rateLimitSmsSent: '30' },
    ],
    [
      '[auth.captcha]\nenabled = true\nprovider = "turnstile"\nsecret = "s"',
      'auth',
      { captchaEnabled: true, captchaProvider: 'turnstile' },
    ],
    [
      '[auth.third_party.firebase]\nenabled = true\nproject_id = "p"\n[auth.third_party.clerk]\nenabled = false\ndomain = "c.test"',
      'auth',
      { thirdPartyIssuers: ['https://securetoken.google.com/p'] },
    ],
    [
      '[auth.email.smtp]\nhost = "mail.test"\nport = 465\nuser = "u"\npass = "p"\nadmin_email = "a@b.test"\nsender_name = "Shop"',
      'mail',
      {
        smtpHost: 'mail.test',
        smtpPort: 465,
        smtpUser: 'u',
        smtpPass: 'p',
        adminEmail: 'a@b.test',
        senderName: 'Shop',
      },
    ],
    [
      '[inbucket]\nadmin_email = "local@b.test"\n[local_smtp]\nsender_name = "Local"',
      'mail',
      { adminEmail: 'local@b.test', senderName: 'Local' },
    ],
    [
      '[storage]\nenabled = false\nfile_size_limit = "5MB"',
      'storage',
      { enabled: false, fileSizeLimitBytes: 5 * 1024 ** 2 },
    ],
    ['[storage]\nfile_size_limit = 7', 'storage', { enabled: true, fileSizeLimitBytes: 7 }],
    ['[auth.email.smtp]\nenabled = false\nhost = "mail.test"', 'mail', { smtpHost: null }],
  ] as const)('%s', async (toml, section, expected) => {
    await write(toml)
    const { settings, problems, config } = read()
    expect(problems).toEqual([])
    expect(config.unused).toEqual([])
    expect(settings[section]).toMatchObject(expected)
  })
})

test.each([
  ['an inbox that is off', '[inbucket]\nenabled = false\nadmin_email = "l@b.test"', {}, null],
  [
    'a mail server',
    '[inbucket]\nadmin_email = "l@b.test"\n[auth.email.smtp]\nhost = "m.test"\nadmin_email = "a@b.test"',
    {},
    'a@b.test',
  ],
  [
    'a mail server that the project does not name',
    '[local_smtp]\nadmin_email = "l@b.test"',
    { CLEW_MAIL_SMTP_HOST: 'm.test' },
    undefined,
  ],
] as const)('the sender of the inbox is none beside %s', async (_, toml, variables, adminEmail) => {
  await write(toml)
  const { settings, problems } = read({ ...variables })
  if (adminEmail === undefined) expect(problems.map(({ name }) => name)).toEqual(['CLEW_MAIL_ADMIN_EMAIL'])
  else expect([settings.mail.adminEmail, problems]).toEqual([adminEmail, []])
})

test('the CLI’s defaults hold where there is a file; without one, Clew’s', async () => {
  expect(read().settings).toMatchObject({ rest: { maxRows: null }, auth: { mfaTotpEnrollEnabled: true } })
  await write('')
  expect(read().settings).toMatchObject({ rest: { maxRows: 1000 }, auth: { mfaTotpEnrollEnabled: false } })
})

test('a flag, CLEW_*, clew.toml and SUPABASE_* win over the file, in this order', async () => {
  await write('[api]\nport = 1\n[auth]\nsite_url = "https://file.test"')
  await writeFile(join(project, 'clew.toml'), 'port = 2\n')
  const variables = { SUPABASE_API_PORT: '3', SUPABASE_AUTH_SITE_URL: 'https://variable.test' }
  expect(read(variables).settings).toMatchObject({ instance: { port: 2 }, auth: { siteUrl: 'https://variable.test' } })
  expect(read({ ...variables, CLEW_PORT: '4' }).settings.instance.port).toBe(4)
  expect(read({ ...variables, CLEW_PORT: '4' }, { port: '5' }).settings.instance.port).toBe(5)
})

test('SUPABASE_* overrides keys that the file does not name; other variables of that beginning are left alone', async () => {
  await write('')
  const { settings, problems, config } = read({
    SUPABASE_AUTH_EMAIL_OTP_LENGTH: '8',
    SUPABASE_AUTH_RATE_LIMIT_TOKEN_REFRESH: '5',
    SUPABASE_URL: 'https://x.supabase.co',
    SUPABASE_ACCESS_TOKEN: 'sbp_1',
  })
  expect([problems, config.unused]).toEqual([[], []])
  expect(settings.auth).toMatchObject({ emailOtpLength: 8, rateLimitTokenRefresh: 5 })
})

describe('project-folder §2: env()', () => {
  const github = '[auth.external.github]\nenabled = true\nclient_id = "env(GITHUB_ID)"\nsecret = "env(GITHUB_SECRET)"'

  test('is looked up in .env files above the project, up to the working directory', async () => {
    const inside = join(project, 'apps', 'web')
    await mkdir(join(inside, 'supabase'), { recursive: true })
    await writeFile(join(inside, 'supabase', 'config.toml'), '[auth]\nsite_url = "env(SITE)"\n')
    await writeFile(join(project, '.env'), 'SITE=http://127.0.0.1:4000\n')
    const siteOf = (workingDirectory: string) =>
      readAllSettings({ flags: { project: inside }, environment: {}, workingDirectory }).settings.auth.siteUrl
    expect(siteOf(project)).toBe('http://127.0.0.1:4000')
    expect(siteOf(join(project, 'apps'))).not.toBe('http://127.0.0.1:4000')
    expect(siteOf(tmpdir())).toBe('http://127.0.0.1:4000')
  })

  test('is replaced by the variable, of the process or of the first .env file that has it', async () => {
    await write(github)
    await writeFile(join(project, '.env'), 'GITHUB_ID=outer\nGITHUB_SECRET=outer\n')
    await writeFile(join(project, 'supabase', '.env'), 'GITHUB_ID=inner\n')
    expect(read().settings.auth).toMatchObject({ externalGithubClientId: ['inner'], externalGithubSecret: 'outer' })
    await writeFile(join(project, 'supabase', '.env.local'), 'GITHUB_ID="local"\n')
    expect(read().settings.auth.externalGithubClientId).toEqual(['local'])
    expect(read({ GITHUB_ID: 'own' }).settings.auth.externalGithubClientId).toEqual(['own'])
  })

  test('without its variable counts as not said, and is told', async () => {
    await write(`${github}\n[auth]\nsite_url = "encrypted:BD7"\nadditional_redirect_urls = ["env(ONE)"]`)
    const { settings, problems, config } = read({ GITHUB_ID: 'a' })
    expect(problems).toEqual([])
    expect(settings.auth).toMatchObject({ externalGithubEnabled: true, externalGithubSecret: null })
    expect(config.missing).toEqual([
      'auth.external.github.secret names the variable GITHUB_SECRET, which is not set',
      'auth.site_url is encrypted, which Clew cannot read: give it as env(NAME)',
      'auth.additional_redirect_urls names the variable ONE, which is not set',
    ])
  })
})

test('a variable that is not set is not told where it has no effect', async () => {
  await write(
    '[auth.external.apple]\nenabled = false\nsecret = "env(APPLE_SECRET)"\n[experimental]\ns3_host = "env(S3_HOST)"',
  )
  expect(read().config.missing).toEqual([])
})

test('what has no effect is named: without a reason where a project may expect one', async () => {
  await write(
    '[db.network_restrictions]\nenabled = true\n[api]\nport = 1\nfuture = 1\n[remotes.prod]\nproject_id = "x"\n[storage.vector]\nenabled = false\nmax_buckets = 10\n[storage.vector.buckets.docs]\n[storage.analytics]\nenabled = true\n[storage.buckets.a]\nttl = 1',
  )
  expect(read().config.unused).toEqual([
    { key: 'db.network_restrictions.enabled', why: 'the embedded database listens on this machine only' },
    { key: 'api.future', why: null },
    { key: 'remotes.prod.project_id', why: 'it is about hosted projects' },
    { key: 'storage.vector.enabled', why: 'it says what holds anyway' },
    { key: 'storage.vector.max_buckets', why: 'its table is switched off' },
    { key: 'storage.analytics.enabled', why: null },
    { key: 'storage.buckets.a.ttl', why: null },
  ])
})

test('a secret of the vault whose variable is not set is empty, and told', async () => {
  await write('[db.vault]\nkey = "env(VAULT_KEY)"\nother = "env(OTHER)"')
  const { settings, problems, config } = read({ OTHER: 'o' })
  expect(problems).toEqual([])
  expect(settings.migrations.vault).toEqual({ key: '', other: 'o' })
  expect(config.missing).toEqual(['db.vault names the variable VAULT_KEY, which is not set'])
})

test('a wrong value is a problem that names the key; a file that is no TOML is one', async () => {
  await write('[api]\nport = 70000\n[auth.sessions]\ntimebox = "soon"\n')
  expect(read().problems.map(({ name, seen }) => [name, seen])).toEqual([
    ['supabase/config.toml: api.port', '70000'],
    ['supabase/config.toml: auth.sessions.timebox', 'soon'],
  ])
  await write('[api\n')
  expect(read().problems).toMatchObject([{ allowed: 'a TOML file' }])
  await write('[storage.buckets."a/b"]\npublic = true')
  expect(read().problems).toMatchObject([
    { name: 'supabase/config.toml: storage.buckets', seen: '{"a/b":{"public":true}}' },
  ])
  await write('[storage]\nfile_size_limit = "1MB"\n[storage.buckets.big]\nfile_size_limit = "2MB"')
  expect(read().problems).toMatchObject([{ name: 'storage.buckets.big.file_size_limit', seen: '2097152' }])
})

test('a working directory with a supabase/ folder is the project', () => {
  const { settings } = readAllSettings({ flags: {}, environment: {}, workingDirectory: project })
  expect(settings.instance).toMatchObject({ project, data: join(project, '.clew') })
})

test('where each value was said', async () => {
  await write('[auth]\nsite_url = "https://shop.test"')
  const { places } = read({ CLEW_DB_PORT: '1' }, { port: '2' })
  expect(places.instance).toMatchObject({ port: '--port', dbPort: 'CLEW_DB_PORT' })
  expect(places.auth).toMatchObject({ siteUrl: 'supabase/config.toml: auth.site_url' })
  expect(places.rest).toMatchObject({ maxRows: 'the default of supabase/config.toml: api.max_rows' })
})

test.each([
  ['1s', 1],
  ['1m30s', 90],
  ['24h', 86_400],
  ['1.5h', 5400],
  ['100ms', 1],
  ['0', 0],
  ['1d', undefined],
  ['', undefined],
])('%s as a duration is %s seconds', (text, seconds) => {
  expect(durationSeconds(text)).toBe(seconds)
})
