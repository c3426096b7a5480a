import { expect, test } from 'vitest'
import { shortType } from './short-type.ts'

test.each([
  ['timestamp with time zone', 'timestamptz'],
  ['timestamp(3) without time zone[]', 'timestamp(3)[]'],
  ['character varying(20)', 'varchar(20)'],
  ['public."time zone"', 'public."time zone"'],
  ['bigint', 'bigint'],
])('%s is %s', (type, short) => {
  expect(shortType(type)).toBe(short)
})
