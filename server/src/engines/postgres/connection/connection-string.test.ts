import pg from 'pg'
import { expect, test } from 'vitest'
import { isDatabaseAddress, parseConnectionString, withoutPassword } from './connection-string.ts'

const addressOf = (text: string): string => parseConnectionString(text, {}).address

test.each([
  [
    'postgresql://user:p%40ss@db:6000/shop',
    { user: 'user', password: 'p@ss', host: 'db', port: 6000, database: 'shop' },
  ],
  ['postgres:///shop?host=/run/postgres&port=5433', { host: '/run/postgres', port: 5433, database: 'shop' }],
  [
    'postgresql://?dbname=shop&host=/run/postgres&user=me&password=a%20b',
    { user: 'me', password: 'a b', host: '/run/postgres', database: 'shop' },
  ],
  ['postgresql://db?dbname=shop', { host: 'db', database: 'shop' }],
  ["host=/run/postgres dbname='my shop' user=me", { user: 'me', host: '/run/postgres', database: 'my shop' }],
  ["host=db port=1 password='it\\'s'", { host: 'db', port: 1, password: "it's" }],
])('%s', (text, expected) => {
  expect(new pg.Client({ connectionString: addressOf(text) })).toMatchObject(expected)
})

test.each(['postgresql://', 'postgresql://?', ''])('what %j leaves out comes from the environment', (text) => {
  const { host, user, database } = new pg.Client({ connectionString: addressOf(text) })
  const known = new pg.Client({})
  expect({ host, user, database }).toEqual({ host: known.host, user: known.user, database: known.database })
})

const one = { host: 'one', port: 5432 }
const other = { host: 'other', port: 5432 }

test.each([
  ['postgresql://one,other/shop', [one, other]],
  [
    'postgresql://me:p%40ss@one:1,[::1]:2/shop',
    [
      { host: 'one', port: 1 },
      { host: '::1', port: 2 },
    ],
  ],
  ['postgresql://one,other:7/shop', [one, { host: 'other', port: 7 }]],
  ['host=one,other', [one, other]],
  [
    'host=one,other port=7',
    [
      { host: 'one', port: 7 },
      { host: 'other', port: 7 },
    ],
  ],
  ['host=one,other port=7,', [{ host: 'one', port: 7 }, other]],
  [
    'postgresql:///shop?host=/run/one,/run/other&port=1,2',
    [
      { host: '/run/one', port: 1 },
      { host: '/run/other', port: 2 },
    ],
  ],
  ['postgresql://one/shop', []],
  ['postgresql:///shop', []],
])('the servers of %s are tried in their order', (text, hosts) => {
  expect(parseConnectionString(text, {}).hosts).toEqual(hosts)
})

test('for several servers the first stands in the address, and the rest of it is kept', () => {
  const { address } = parseConnectionString('postgresql://me:p%40ss@one:1,other:2/shop?application_name=till', {})
  expect(new pg.Client({ connectionString: address })).toMatchObject({
    user: 'me',
    password: 'p@ss',
    host: 'one',
    port: 1,
    database: 'shop',
  })
})

test('servers that the string leaves out come from the environment', () => {
  const { hosts, targetSession } = parseConnectionString('postgresql:///shop', {
    PGHOST: 'one,other',
    PGPORT: '5432',
    PGTARGETSESSIONATTRS: 'standby',
  })
  expect({ hosts, targetSession }).toEqual({ hosts: [one, other], targetSession: 'standby' })
})

test.each([
  ['postgresql://one/shop', 'any'],
  ['postgresql://one/shop?target_session_attrs=read-write', 'read-write'],
  ['host=one target_session_attrs=prefer-standby', 'prefer-standby'],
])('%s wants a server that is %s', (text, targetSession) =>
  expect(parseConnectionString(text, {}).targetSession).toBe(targetSession),
)

test.each([
  ['host=one,other,third port=1,2', 'has 2 ports for 3 hosts'],
  ['host=one target_session_attrs=best', 'none of any, read-write'],
])('%s is refused', (text, details) => {
  expect(() => parseConnectionString(text, {})).toThrow(
    expect.objectContaining({ details: expect.stringContaining(details) }),
  )
})

test.each([
  ['postgresql://me:pass@one/shop', true],
  ['postgres://me:pass@one:1,other:2/shop?target_session_attrs=any', true],
  ['postgresql://one:port/shop', false],
  ['postgresql://one,other/shop?port=1,2,3', false],
  ['mysql://one/shop', false],
  ['host=one', false],
])('%s is an address of a database: %s', (text, is) => expect(isDatabaseAddress(text)).toBe(is))

test.each([
  ['postgresql://me:p%40ss@one/shop', 'postgresql://me@one/shop'],
  ['postgresql://me:p@ss@one:1,other:2/shop', 'postgresql://me@one:1,other:2/shop'],
  ['postgresql://me@one:1/shop', 'postgresql://me@one:1/shop'],
  ['postgresql:///shop?host=/run/one&password=x&user=me', 'postgresql:///shop?host=/run/one&password=&user=me'],
])('%s is shown as %s', (address, shown) => expect(withoutPassword(address)).toBe(shown))
