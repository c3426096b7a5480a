import { beforeEach, expect, test } from 'vitest'
import { plainColumn } from '../../../../test/answers.ts'
import {
  type ColumnLayout,
  keepLayout,
  moveBy,
  placeColumns,
  plainLayout,
  putAt,
  readLayout,
  setWidth,
  shownColumns,
  toggleFrozen,
  toggleHidden,
} from './layout.ts'

const columns = ['a', 'b', 'c', 'd'].map((name) => ({ ...plainColumn, name }))
const names = (layout: ColumnLayout) => placeColumns(columns, layout).map(({ column }) => column.name)
beforeEach(() => localStorage.clear())

test('columns move past their neighbours, and to where another stands; a new one comes last', () => {
  expect(names(moveBy(columns, plainLayout, 'a', 1))).toEqual(['b', 'a', 'c', 'd'])
  expect(names(moveBy(columns, plainLayout, 'a', -1))).toEqual(['a', 'b', 'c', 'd'])
  expect(names(putAt(columns, plainLayout, 'a', 'c'))).toEqual(['b', 'c', 'a', 'd'])
  expect(names(putAt(columns, plainLayout, 'd', 'b'))).toEqual(['a', 'd', 'b', 'c'])
  expect(names({ ...plainLayout, order: ['c', 'gone', 'b'] })).toEqual(['c', 'b', 'a', 'd'])
})

test('frozen columns stand first, and a column becomes as the one is whose place it takes', () => {
  const frozen = toggleFrozen(toggleFrozen(plainLayout, 'c'), 'b')
  expect(names(frozen)).toEqual(['b', 'c', 'a', 'd'])
  expect(names(moveBy(columns, frozen, 'a', -1))).toEqual(['b', 'c', 'a', 'd'])
  const dropped = putAt(columns, frozen, 'd', 'b')
  expect([names(dropped), dropped.frozen]).toEqual([
    ['d', 'b', 'c', 'a'],
    ['c', 'b', 'd'],
  ])
  expect(toggleFrozen(frozen, 'c').frozen).toEqual(['b'])
})

test('hidden columns are left out, unless none would be left', () => {
  const hidden = toggleHidden(plainLayout, 'b')
  expect(shownColumns(columns, hidden).map(({ column }) => column.name)).toEqual(['a', 'c', 'd'])
  expect(shownColumns(columns, { ...plainLayout, hidden: ['a', 'b', 'c', 'd'] })).toHaveLength(4)
})

test('a width is bounded, and taken back', () => {
  expect(setWidth(plainLayout, 'a', 3).widths).toEqual({ a: 56 })
  expect(setWidth(setWidth(plainLayout, 'a', 300), 'a', undefined)).toEqual(plainLayout)
})

test('a layout is kept for its table, until it is the table’s own again', () => {
  const layout = setWidth(toggleHidden(plainLayout, 'b'), 'a', 300)
  keepLayout('public', 'orders', layout)
  expect(readLayout('public', 'orders')).toEqual(layout)
  expect(readLayout('public', 'others')).toEqual(plainLayout)
  keepLayout('public', 'orders', plainLayout)
  expect(localStorage.length).toBe(0)
  localStorage.setItem('clew.columns.["public","orders"]', '{"order":7,"hidden":[1],"widths":{"a":"x"}}')
  expect(readLayout('public', 'orders')).toEqual(plainLayout)
})
