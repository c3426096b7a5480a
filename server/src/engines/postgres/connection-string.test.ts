import pg from 'pg'
import { expect, test } from 'vitest'
import { connectionAddress } from './connection-string.ts'

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
  expect(new pg.Client({ connectionString: connectionAddress(text) })).toMatchObject(expected)
})

test.each(['postgresql://', 'postgresql://?', ''])('what %j leaves out comes from the environment', (text) => {
  const { host, user, database } = new pg.Client({ connectionString: connectionAddress(text) })
  const known = new pg.Client({})
  expect({ host, user, database }).toEqual({ host: known.host, user: known.user, database: known.database })
})
