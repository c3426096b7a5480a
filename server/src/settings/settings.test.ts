import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localSecrets } from '../ground/jwt/api-keys.ts'
import { readAllSettings } from './index.ts'

let here: string
beforeAll(async () => {
  here = await mkdtemp(join(tmpdir(), 'clew-settings-'))
  await mkdir(join(here, 'shop'))
  await writeFile(
    join(here, 'shop', 'clew.toml'),
    'port = 1001\ndb_port = 1002\npublic = "dist"\n[auth]\njwt_expiry_seconds = 60\n',
  )
  await mkdir(join(here, 'broken'))
  await writeFile(join(here, 'broken', 'clew.toml'), 'project = "app"\nports = 1\n[auth]\nsite = "x"\n')
})
afterAll(() => rm(here, { recursive: true }))

const read = (flags: Record<string, unknown> = {}, environment: Record<string, string> = {}) =>
  readAllSettings({ flags, environment, workingDirectory: here })

test('test numbers are a table, as in a project’s config.toml, or a list', async () => {
  await mkdir(join(here, 'phones'))
  await writeFile(join(here, 'phones', 'clew.toml'), '[auth.sms.test_otp]\n4152127777 = "123456"\n')
  expect(read({ project: 'phones' })).toMatchObject({
    problems: [],
    settings: { auth: { smsTestOtp: ['4152127777=123456'] } },
  })
  const listed = read({}, { CLEW_AUTH_SMS_TEST_OTP: '4152127777=123456, 4152127778=654321' })
  expect(listed.settings.auth.smsTestOtp).toHaveLength(2)
  expect(read({}, { CLEW_AUTH_SMS_TEST_OTP: 'ann=1' }).problems).toHaveLength(1)
})

test('a flag wins over a variable, a variable over clew.toml, and that over the default', () => {
  const { settings, problems } = read({ project: 'shop', port: '1' }, { CLEW_PORT: '2', CLEW_DB_PORT: '3' })
  expect(problems).toEqual([])
  expect(settings.instance).toMatchObject({ port: 1, dbPort: 3, poolSize: 10, name: 'shop' })
  expect(settings.auth.jwtExpirySeconds).toBe(60)
  expect(read({ project: 'shop' }, { CLEW_AUTH_JWT_EXPIRY_SECONDS: '90' }).settings.auth.jwtExpirySeconds).toBe(90)
})

test('a secret may stand in a file that a variable names, in one place only', async () => {
  const file = join(here, 'secret')
  await writeFile(file, 'a secret of the file\n')
  const { settings, problems, places } = read({}, { CLEW_JWT_SECRET_FILE: file, CLEW_BACKUP_PASSPHRASE_FILE: file })
  expect(problems).toEqual([])
  expect(settings.instance.jwtSecret).toBe('a secret of the file')
  expect(settings.backup.passphrase).toBe('a secret of the file')
  expect(places.instance?.jwtSecret).toBe('CLEW_JWT_SECRET_FILE')
  expect(read({}, { CLEW_JWT_SECRET_FILE: file, CLEW_JWT_SECRET: 'another, longer one' }).problems).toMatchObject([
    { name: 'CLEW_JWT_SECRET_FILE', allowed: expect.stringContaining('CLEW_JWT_SECRET is set') },
  ])
  expect(read({}, { CLEW_JWT_SECRET_FILE: join(here, 'none') }).problems).toMatchObject([
    { name: 'CLEW_JWT_SECRET_FILE', seen: expect.stringContaining('ENOENT'), allowed: 'a file that can be read' },
  ])
  await writeFile(file, 'short')
  expect(read({}, { CLEW_JWT_SECRET_FILE: file }).problems).toMatchObject([
    { name: 'CLEW_JWT_SECRET_FILE', seen: '(not shown)' },
  ])
  // What is no secret has no file.
  expect(read({}, { CLEW_PORT_FILE: file }).settings.instance.port).toBe(54321)
})

test('the REST service’s settings have their names of PostgREST, too', async () => {
  await mkdir(join(here, 'named'))
  await writeFile(
    join(here, 'named', 'clew.toml'),
    '[rest]\ndb_schemas = ["api"]\n"db-max-rows" = 7\ntx_end = "rollback"\n[rest.app_settings]\nhost = "x"\n',
  )
  const { settings, problems } = read(
    { project: 'named' },
    { PGRST_DB_MAX_ROWS: '9', CLEW_REST_TX_END: 'commit', PGRST_DB_TX_END: 'rollback', PGRST_APP_SETTINGS_KEY: 'k' },
  )
  expect(problems).toEqual([])
  expect(settings.rest).toMatchObject({ schemas: ['api'], maxRows: 9, txEnd: 'commit', appSettings: { key: 'k' } })
  expect(read({ project: 'named' }).settings.rest.appSettings).toEqual({ host: 'x' })
  expect(read({}, { PGRST_OPENAPI_MODE: 'off' }).problems[0]?.name).toBe('PGRST_OPENAPI_MODE')
})

describe('a relative path', () => {
  test.each([
    ['of the command line is meant from where it was typed', { data: 'd', public: 'p' }, {}, 'd', 'p'],
    ['of the environment, too', {}, { CLEW_DATA: 'd', CLEW_PUBLIC: 'p' }, 'd', 'p'],
    ['of clew.toml, or a default, from beside it', {}, {}, 'shop/.clew', 'shop/dist'],
  ] as const)('%s', (_, flags, environment, data, publicFolder) => {
    const { instance } = read({ project: 'shop', ...flags }, environment).settings
    expect(instance).toMatchObject({
      project: join(here, 'shop'),
      data: join(here, data),
      public: join(here, publicFolder),
    })
  })
})

test('without a project the data lies where the command was typed', () => {
  expect(read().settings.instance).toMatchObject({ project: null, data: join(here, '.clew') })
})

describe('a wrong setting is told with its name, the value seen and what is allowed', () => {
  test.each([
    ['CLEW_PORT', '70000', 'a whole number from 0 to 65535'],
    ['CLEW_DATA', '', 'a text that is not empty'],
    ['CLEW_PUBLIC_URL', 'example.com', 'an address, https://… or http://…, or nothing'],
    ['CLEW_AUTH_SITE_URL', 'foo', 'an address, with its scheme'],
    ['CLEW_AUTH_EXTERNAL_URL', 'ftp://x', 'an address, https://… or http://…'],
    ['CLEW_AUTH_ADDITIONAL_REDIRECT_URLS', 'https://[z-a].test', 'a list of globs'],
    ['CLEW_TRUSTED_PROXIES', '10.0.0.0/8,proxy', expect.stringContaining('addresses or networks')],
    ['CLEW_TRUSTED_PROXIES', '10.0.0.0/40', expect.stringContaining('addresses or networks')],
  ])('%s=%s', (name, seen, allowed) => {
    expect(read({}, { [name]: seen }).problems).toMatchObject([{ name, seen, allowed }])
  })

  test.each([
    ['CLEW_DATABASE_URL', 'mysql://u:secret@h/db'],
    ['CLEW_CLICKHOUSE_URL', 'nonsense:secret'],
  ])('%s, whose value is not shown', (name, value) => {
    const { problems } = read({}, { [name]: value })
    expect(problems).toMatchObject([{ name, seen: '(not shown)' }])
  })

  test('unknown names in clew.toml, and the one that it cannot set', () => {
    expect(read({ project: 'broken' }).problems.map(({ name }) => name)).toEqual([
      'clew.toml: project',
      'clew.toml: ports',
      'clew.toml: [auth] site',
    ])
  })

  test('names that settings had before, with their new ones', async () => {
    await mkdir(join(here, 'former'))
    await writeFile(
      join(here, 'former', 'clew.toml'),
      '[rest]\nbody_limit_bytes = 2048\n[auth]\nhook_max_answer_bytes = 2048\n',
    )
    const { problems } = read({ project: 'former' }, { CLEW_ANALYTICS_MAX_BATCH_BYTES: '2048' })
    expect(problems.map(({ name, allowed }) => [name, allowed])).toEqual([
      ['clew.toml: [rest] body_limit_bytes', 'max_body_bytes, its new name'],
      ['clew.toml: [auth] hook_max_answer_bytes', 'max_hook_answer_bytes, its new name'],
      ['CLEW_ANALYTICS_MAX_BATCH_BYTES', 'CLEW_ANALYTICS_MAX_BODY_BYTES, its new name'],
    ])
  })

  test('a project folder that is not there', () => {
    const problem = { name: '--project', seen: join(here, 'shpo'), allowed: 'a folder that is there' }
    expect(read({ project: 'shpo' }).problems).toMatchObject([problem])
    expect(read({}, { CLEW_PROJECT: 'shpo' }).problems).toMatchObject([problem])
  })

  test('a certificate without its key, and none in production', () => {
    const names = (flags: Record<string, unknown>) => read(flags).problems.map(({ name }) => name)
    expect(names({ tls: true, tlsCert: 'a.pem' })).toEqual(['tls_key'])
    expect(names({ tls: true, tlsKey: 'a.key' })).toEqual(['tls_cert'])
    expect(names({ tls: true, production: true })).toEqual(['tls_cert'])
    expect(names({ tls: true })).toEqual([])
    expect(names({ tlsCert: 'a.pem' })).toEqual([])
  })

  test('the published secrets of local mode, in production', () => {
    const { jwtSecret, secretKey } = localSecrets
    const published = {
      CLEW_JWT_SECRET: jwtSecret,
      CLEW_EARLIER_JWT_SECRETS: `another-secret-of-before,${jwtSecret}`,
      CLEW_SECRET_KEY: secretKey,
    }
    const { problems } = read({ production: true }, published)
    expect(problems.map(({ name }) => name)).toEqual(Object.keys(published))
    expect(JSON.stringify(problems)).not.toContain(jwtSecret)
    expect(read({}, published).problems).toEqual([])
    expect(read({ production: true }, { CLEW_JWT_SECRET: `${jwtSecret} of ours` }).problems).toEqual([])
  })

  test('a bus between machines without the engines that they share', () => {
    const bus = { CLEW_CLUSTER_BUS: 'nats://localhost:4222' }
    const shared = { CLEW_DATABASE_URL: 'postgres://h/db', CLEW_CLICKHOUSE_URL: 'http://h:8123' }
    expect(read({}, bus).problems.map(({ name }) => name)).toEqual(Object.keys(shared))
    expect(read({}, { ...bus, ...shared }).problems).toEqual([])
  })

  test('an address that others reach, without --production', () => {
    expect(read({ host: '0.0.0.0' }).problems).toMatchObject([{ name: 'host', seen: '0.0.0.0' }])
    expect(read({ host: '0.0.0.0', production: true }).problems).toEqual([])
  })
})

test('tables in a room’s table are names that go on', async () => {
  await mkdir(join(here, 'tables'), { recursive: true })
  await writeFile(
    join(here, 'tables', 'clew.toml'),
    '[auth.email.template.invite]\nsubject = "Come in"\nsubjekt = "x"\n[mail]\nsmtp = { host = "localhost" }\n',
  )
  const { settings, problems } = read({ project: 'tables' })
  expect(settings.auth.emailTemplateInviteSubject).toBe('Come in')
  expect(settings.mail.smtpHost).toBe('localhost')
  expect(problems.map(({ name }) => name)).toEqual([
    'clew.toml: [auth] email_template_invite_subjekt',
    'CLEW_MAIL_ADMIN_EMAIL',
  ])
})

test('the folder of backups is relative to the project, and a bucket beside it is refused', () => {
  const environment = { CLEW_BACKUP_FOLDER: 'backups' }
  expect(read({ project: 'shop' }, environment).settings.backup.folder).toBe(join(here, 'shop', 'backups'))
  expect(read({}, { ...environment, CLEW_BACKUP_S3_BUCKET: 'backups' }).problems).toMatchObject([
    { name: 'folder', seen: join(here, 'backups') },
  ])
})

test('a path of analytics is free, and a file of places is relative to the project', () => {
  const wrong = {
    CLEW_ANALYTICS_PATH: '/auth/x',
    CLEW_ANALYTICS_EVENTS_PATH: '/flags/',
    CLEW_ANALYTICS_RECORDINGS_PATH: '/e/',
  }
  expect(read({}, wrong).problems.map(({ name }) => name)).toEqual(Object.keys(wrong))
  const one = { CLEW_ANALYTICS_EVENTS_PATH: '/cup/', CLEW_ANALYTICS_RECORDINGS_PATH: '/cup/' }
  expect(read({}, one).problems).toMatchObject([{ name: 'CLEW_ANALYTICS_RECORDINGS_PATH', seen: '/cup/' }])
  const own = { CLEW_ANALYTICS_PATH: '/kettle', CLEW_ANALYTICS_GEO_DATABASE: 'city.mmdb' }
  const { problems, settings } = read({ project: 'shop' }, own)
  expect(problems).toEqual([])
  expect(settings.analytics).toMatchObject({ path: '/kettle', geoDatabase: join(here, 'shop', 'city.mmdb') })
})

test('an address is kept without the slash at its end', () => {
  expect(read({}, { CLEW_PUBLIC_URL: 'https://shop.test/' }).settings.instance.publicUrl).toBe('https://shop.test')
})

test.each(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', 'loopback'])('%s can be a trusted proxy', (proxy) => {
  expect(read({}, { CLEW_TRUSTED_PROXIES: proxy }).problems).toEqual([])
})
