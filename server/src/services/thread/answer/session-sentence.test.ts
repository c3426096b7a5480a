import { expect, test } from 'vitest'
import { type Deed, saySession } from './session-sentence.ts'

const change = (table: string, operation: string, key: string | null, rows = 1, schema = 'public'): Deed => ({
  ...{ kind: 'change', schema, table, operation, rows },
  key: key === null ? {} : { id: key },
})
const signIn = change('sessions', 'insert', 'a', 1, 'auth')

test.each<[readonly Deed[], string | null]>([
  [[], null],
  [
    [change('orders', 'insert', '825'), { kind: 'empty', path: '/rest/v1/invoices' }],
    'Added orders #825, then found no invoices',
  ],
  [[signIn, change('orders', 'update', '7')], 'Signed in, then changed orders #7'],
  [[change('orders', 'insert', '1'), change('orders', 'insert', '2')], 'Added 2 orders'],
  [[change('order_items', 'insert', '1', 3)], 'Added 3 order_items'],
  [[change('notes', 'delete', '00000000-0000-4000-8000-000000000001')], 'Deleted a row of notes'],
  [[change('users', 'insert', 'a', 1, 'auth'), signIn], 'Signed up, then signed in'],
  [[change('refresh_tokens', 'insert', '1', 1, 'auth')], null],
  [[change('objects', 'insert', 'a', 1, 'storage')], 'Uploaded a file'],
  [
    [
      { kind: 'failure', path: '/functions/v1/receipt', status: 500 },
      { kind: 'failure', path: '/functions/v1/receipt', status: 500 },
    ],
    'Got 500 from /functions/v1/receipt twice',
  ],
  [
    [
      signIn,
      change('a', 'insert', '1'),
      { kind: 'empty', path: '/rest/v1/b' },
      { kind: 'failure', path: '/rest/v1/rpc/pay', status: 409 },
    ],
    'Added a #1, found no b, then got 409 from pay, and more',
  ],
])('%o is told as %s', (deeds, sentence) => {
  expect(saySession(deeds, true)).toBe(sentence)
})

test('keys of rows are kept from who may read no values', () => {
  expect(saySession([change('orders', 'insert', '825')], false)).toBe('Added a row of orders')
})
