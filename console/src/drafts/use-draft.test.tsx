import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useDraft } from './use-draft.ts'

const stored = { name: 'Cups', share: 10, updatedBy: 'ana@x.test', version: 1 }
const names = { name: 'name', share: 'share' }

const open = () => renderHook((now: typeof stored) => useDraft(now, names), { initialProps: stored })

test('what is saved elsewhere is followed where nothing is typed, and told where something is', () => {
  const { result, rerender } = open()
  rerender({ ...stored, name: 'Mugs', updatedBy: 'bob@x.test', version: 2 })
  expect(result.current).toMatchObject({ draft: { name: 'Mugs', version: 2 }, drafted: { isChanged: false } })
  expect(result.current.drafted.meanwhile).toBeUndefined()
  act(() => result.current.set({ share: 20 }))
  rerender({ ...stored, name: 'Pots', updatedBy: 'bob@x.test', version: 3 })
  expect(result.current.draft).toEqual({ name: 'Pots', share: 20, updatedBy: 'bob@x.test', version: 3 })
  expect(result.current.drafted.meanwhile).toEqual({ by: 'bob@x.test', taken: ['name'], kept: [] })
  rerender({ ...stored, name: 'Pots', share: 30, updatedBy: 'eve@x.test', version: 4 })
  expect(result.current.draft).toMatchObject({ share: 20, version: 4 })
  expect(result.current.drafted.meanwhile).toEqual({ by: 'eve@x.test', taken: ['name'], kept: ['share'] })
})

test('what is saved is no draft any more, in whatever order the server answers its parts', () => {
  const flag = { filters: [{ key: 'plan', value: 'pro' }], updatedBy: 'ana@x.test', version: 1 }
  const { result, rerender } = renderHook((now: typeof flag) => useDraft(now, { filters: 'filters' }), {
    initialProps: flag,
  })
  act(() => result.current.set({ filters: [{ key: 'plan', value: 'team' }] }))
  rerender({ ...flag, filters: [{ value: 'team', key: 'plan' }], version: 2 })
  expect(result.current.drafted).toMatchObject({ isChanged: false, meanwhile: undefined })
})

test('once it is saved, discarded, or the same was saved elsewhere, nothing is told any more', () => {
  const bob = { ...stored, name: 'Mugs', updatedBy: 'bob@x.test', version: 2 }
  const saved = open()
  act(() => saved.result.current.set({ share: 20 }))
  saved.rerender(bob)
  saved.rerender({ ...bob, share: 20, updatedBy: 'ana@x.test', version: 3 })
  expect(saved.result.current.drafted).toMatchObject({ isChanged: false, meanwhile: undefined })

  const discarded = open()
  act(() => discarded.result.current.set({ name: 'Bowls' }))
  discarded.rerender(bob)
  expect(discarded.result.current.drafted.meanwhile).toMatchObject({ kept: ['name'] })
  act(() => discarded.result.current.drafted.onDiscard())
  expect(discarded.result.current).toMatchObject({ draft: bob, drafted: { isChanged: false, meanwhile: undefined } })

  const same = open()
  act(() => same.result.current.set({ name: 'Mugs' }))
  same.rerender(bob)
  expect(same.result.current.drafted).toMatchObject({ isChanged: false, meanwhile: undefined })
})
