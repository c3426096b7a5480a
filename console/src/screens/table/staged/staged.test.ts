import { expect, test } from 'vitest'
import {
  changesOf,
  rebase,
  rowIdOf,
  type Staged,
  stageDelete,
  stageInsert,
  stageValues,
  toDefault,
  withoutRow,
} from './staged.ts'

const orders = { schema: 'public', name: 'orders' }
const row = { key: { id: '1' }, values: { id: '1', total: '10.00', note: null } }
const none: Staged = []

test('a cell that has its old value again is no change', () => {
  const once = stageValues(none, row, { total: '12.00', note: '' })
  const twice = stageValues(once, row, { note: null })
  expect(changesOf(orders, twice)).toEqual([
    {
      ...{ schema: 'public', table: 'orders', kind: 'update', key: { id: '1' } },
      ...{ old: { total: '10.00' }, values: { total: '12.00' }, defaults: [] },
    },
  ])
  expect(stageValues(twice, row, { total: '10.00' })).toEqual([])
})

test('null, an empty text and the default are three things', () => {
  const staged = stageValues(none, { ...row, values: { ...row.values, note: 'x' } }, { note: null, total: toDefault })
  expect(changesOf(orders, staged)).toMatchObject([{ values: { note: null }, defaults: ['total'] }])
  expect(changesOf(orders, stageValues(none, row, { note: '' }))).toMatchObject([{ values: { note: '' } }])
})

test('a new row says only what it was given', () => {
  const staged = stageInsert(stageInsert(none, 'new-1', { total: '5', note: 'a' }), 'new-1', { note: toDefault })
  expect(changesOf(orders, staged)).toEqual([
    { schema: 'public', table: 'orders', kind: 'insert', values: { total: '5' } },
  ])
})

test('a deletion takes the place of a change, and expects the whole row', () => {
  const staged = stageDelete(stageValues(none, row, { total: '1' }), [row])
  expect(changesOf(orders, staged)).toMatchObject([{ kind: 'delete', old: row.values }])
  expect(withoutRow(staged, rowIdOf(row))).toEqual([])
})

test('after a conflict a change is for the values that were found', () => {
  const staged = rebase(stageValues(none, row, { total: '12' }), rowIdOf(row), { ...row.values, total: '11.00' })
  expect(changesOf(orders, staged)).toMatchObject([{ old: { total: '11.00' }, values: { total: '12' } }])
})
