import { describe, expect, test } from 'vitest'
import { dumpConfiguration, exampleConfiguration } from './dump.ts'
import { type FileValue, parseConfigurationFile } from './file.ts'
import { withDatabaseSettings } from './in-database.ts'
import { readReference } from './read.ts'

const none = new Map<string, never>()

const read = (
  file: Readonly<Record<string, FileValue>>,
  environment: Readonly<Record<string, string>> = {},
  inDatabase: ReadonlyMap<string, string> = none,
) => readReference({ file: new Map(Object.entries(file)), environment, inDatabase })

test('20 the database wins over the environment, and that over the file', () => {
  const file = { 'db-schemas': 'a', 'db-max-rows': 1, 'db-tx-end': 'rollback' }
  const { settings, problems } = read(
    file,
    { PGRST_DB_SCHEMAS: 'b, c', PGRST_DB_MAX_ROWS: '2' },
    new Map([['db_schemas', 'd']]),
  )
  expect(problems).toEqual([])
  expect(settings).toMatchObject({ schemas: ['d'], maxRows: 2, txEnd: 'rollback' })
})

test('20 the defaults are the reference server’s', () => {
  expect(read({}).settings).toMatchObject({
    schemas: ['public'],
    extraSearchPath: ['public'],
    anonRole: null,
    maxRows: null,
    txEnd: 'commit',
    hoistedTxSettings: ['statement_timeout', 'plan_filter.statement_cost_limit', 'default_transaction_isolation'],
    channel: 'pgrst',
    jwtRoleClaimKey: '$.role',
    openapiMode: 'follow-privileges',
    poolSize: 10,
    poolAcquisitionTimeout: 10,
    poolMaxIdletime: 30,
    poolMaxLifetime: 1800,
    serverHost: '!4',
    serverPort: 3000,
    logLevel: 'error',
  })
})

describe('20 values are read as the reference server reads them', () => {
  test.each([
    [{ 'db-schema': 'x' }, { schemas: ['x'] }],
    [{ 'max-rows': 5 }, { maxRows: 5 }],
    [{ 'pre-request': 's.f' }, { preRequest: 's.f' }],
    [{ 'root-spec': 'f' }, { rootSpec: 'f' }],
    [{ 'role-claim-key': '$.r' }, { jwtRoleClaimKey: '$.r' }],
    [{ 'secret-is-base64': true }, { jwtSecretIsBase64: true }],
    [{ 'db-pool-timeout': 5 }, { poolMaxIdletime: 5 }],
    [{ 'server-host': 'a' }, { adminServerHost: 'a' }],
    [{ 'server-host': 'a', 'admin-server-host': 'b' }, { adminServerHost: 'b' }],
    [{ 'db-channel-enabled': 'FALSE' }, { channelEnabled: false }],
    [{ 'db-channel-enabled': '"false"' }, { channelEnabled: false }],
    [{ 'db-channel-enabled': '0' }, { channelEnabled: false }],
    [{ 'db-plan-enabled': '2' }, { planEnabled: true }],
    // Of the wrong type: as if it were not there.
    [{ 'db-channel-enabled': 13 }, { channelEnabled: true }],
    [{ 'db-max-rows': true }, { maxRows: null }],
    [{ 'db-max-rows': '' }, { maxRows: null }],
    [{ 'db-extra-search-path': '' }, { extraSearchPath: [] }],
    [{ 'server-cors-allowed-origins': 'http://a, http://b' }, { corsAllowedOrigins: ['http://a', 'http://b'] }],
    [{ 'app.settings.x': 'y', 'app.settings.z': false }, { appSettings: { x: 'y', z: 'Bool False' } }],
  ] as const)('%j', (file, expected) => {
    const { settings, problems } = read(file)
    expect(problems).toEqual([])
    expect(settings).toMatchObject(expected)
  })

  test('settings of the application come from the environment, too', () => {
    const { settings } = read({ 'app.settings.key': 'a' }, { PGRST_APP_SETTINGS_KEY: 'b', PGRST_APP_SETTINGS_NEW: 'c' })
    expect(settings.appSettings).toEqual({ key: 'b', new: 'c' })
  })
})

describe('20 what cannot be is told', () => {
  test.each([
    ['openapi-mode', 'follow-', 'Invalid openapi-mode. Check your configuration.'],
    ['client-error-verbosity', 'loud', 'Invalid client-error-verbosity. Check your configuration.'],
    ['db-tx-end', 'random', 'Invalid db-tx-end'],
    ['log-level', 'never', 'Invalid log-level'],
    ['jwt-role-claim-key', '.role##', 'failed to parse role-claim-key value (.role##)'],
    ['jwt-aud', 'http://%%localhost.invalid', 'jwt-aud should be a string or a valid URI'],
    ['jwt-aud', 'foo://%%$$^^.com', 'jwt-aud should be a string or a valid URI'],
    ['db-schemas', 'public, pg_catalog', "db-schemas does not allow schema: 'pg_catalog'"],
    ['openapi-server-proxy-uri', 'htp:/@@localhost.invalid', 'Malformed proxy uri'],
    ['server-unix-socket-mode', '599', 'Invalid server-unix-socket-mode'],
    ['server-unix-socket-mode', '800', 'Invalid server-unix-socket-mode'],
    ['admin-server-port', '3000', 'admin-server-port cannot be the same as server-port'],
  ])('%s = %j', (name, value, problem) => {
    expect(read({ [name]: value }).problems).toEqual([expect.stringContaining(problem)])
  })
})

test('20 what was read is written, read and written again the same', () => {
  const { settings } = read({
    'db-schemas': 'multi,   tenant,setup',
    'db-max-rows': 1000,
    'db-root-spec': 'a.b',
    'jwt-role-claim-key': '$.user[0]["real role"]',
    'jwt-aud': 'https://shop.test',
    'app.settings.quoted': 'a "word"',
  })
  const dumped = dumpConfiguration(settings)
  expect(dumped.split('\n')).toEqual(
    expect.arrayContaining(['db-max-rows = 1000', 'db-schemas = "multi,tenant,setup"']),
  )
  expect(dumped).toContain('jwt-role-claim-key = "$$.user[0][\\"real role\\"]"')
  expect(dumped.trimEnd().split('\n')).toEqual(dumped.trimEnd().split('\n').toSorted())
  const parsed = parseConfigurationFile(dumped, {})
  const again = read(parsed.kind === 'values' ? Object.fromEntries(parsed.values) : {})
  expect(dumpConfiguration(again.settings)).toBe(dumped)
})

test('20 the example names every setting', () => {
  const lines = exampleConfiguration().split('\n')
  const names = dumpConfiguration(read({}).settings)
    .split('\n')
    .map((line) => line.split(' = ')[0])
  for (const name of names) if (name !== '') expect(lines.some((line) => line.startsWith(`# ${name} = `))).toBe(true)
})

test('20 the database says only what it may', () => {
  const { settings } = read({ 'db-max-rows': 3 })
  const found = new Map([
    ['db_schemas', 'x'],
    ['db_pool', '99'],
    ['server_timing_enabled', 'true'],
  ])
  const { settings: overlaid, problems } = withDatabaseSettings(settings, found)
  expect(problems).toEqual([])
  expect(overlaid).toMatchObject({ schemas: ['x'], poolSize: 10, maxRows: 3, serverTimingEnabled: true })
  expect(withDatabaseSettings(settings, new Map([['openapi_mode', 'off']])).problems).toHaveLength(1)
})
