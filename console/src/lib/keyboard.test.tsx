import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { createKeyboard, type KeyBinding, KeyboardContext, showKeys, useKeyGroups, useKeys } from './keyboard.ts'

function Bound({ title, bindings }: { readonly title: string; readonly bindings: readonly KeyBinding[] }) {
  useKeys(title, bindings)
  return null
}

function Sheet() {
  return useKeyGroups().map(({ title, bindings }) => (
    <p key={title}>
      {title}: {bindings.map(({ keys, label }) => `${keys} ${label}`).join(', ')}
    </p>
  ))
}

function show(...groups: readonly { title: string; bindings: readonly KeyBinding[] }[]) {
  return render(
    <KeyboardContext value={createKeyboard(window)}>
      {groups.map((group) => (
        <Bound key={group.title} {...group} />
      ))}
      <Sheet />
      <input aria-label="Text" />
    </KeyboardContext>,
  )
}

test('a key does what it is bound to, and its letter stays out of the way of a modifier', async () => {
  const run = vi.fn()
  show({ title: 'Player', bindings: [{ keys: 'k', label: 'Play', run }] })
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(run).not.toHaveBeenCalled()
  await userEvent.keyboard('k')
  expect(run).toHaveBeenCalledTimes(1)
})

test('while text is typed, only keys with a modifier act', async () => {
  const plain = vi.fn()
  const withModifier = vi.fn()
  show({
    title: 'Everywhere',
    bindings: [
      { keys: '?', label: 'Keys', run: plain },
      { keys: 'mod+k', label: 'Find', run: withModifier },
    ],
  })
  await userEvent.click(screen.getByRole('textbox', { name: 'Text' }))
  await userEvent.keyboard('?{Control>}k{/Control}')
  expect(plain).not.toHaveBeenCalled()
  expect(withModifier).toHaveBeenCalledTimes(1)
})

test('the newest place on the screen is asked first', async () => {
  const frame = vi.fn()
  const player = vi.fn()
  show(
    { title: 'Frame', bindings: [{ keys: ' ', label: 'Scroll', run: frame }] },
    { title: 'Player', bindings: [{ keys: ' ', label: 'Play', run: player }] },
  )
  await userEvent.keyboard(' ')
  expect(player).toHaveBeenCalledTimes(1)
  expect(frame).not.toHaveBeenCalled()
})

test('the sheet lists what is bound, and no more once its place is left', () => {
  const keyboard = createKeyboard(window)
  const player = <Bound title="Player" bindings={[{ keys: 'p', label: 'Play', run: () => undefined }]} />
  const around = (place: ReactNode) => (
    <KeyboardContext value={keyboard}>
      {place}
      <Sheet />
    </KeyboardContext>
  )
  const view = render(around(player))
  expect(screen.getByText('Player: p Play')).toBeTruthy()
  view.rerender(around(null))
  expect(screen.queryByText('Player: p Play')).toBeNull()
})

test.each([
  ['mod+k', 'MacIntel', '⌘K'],
  ['mod+k', 'Linux x86_64', 'Ctrl K'],
  ['Escape', 'Win32', 'Esc'],
  ['j', 'Win32', 'j'],
])('%s on %s is shown as %s', (keys, platform, shown) => {
  expect(showKeys(keys, platform)).toBe(shown)
})

test('of two keys the second alone does what it is bound to itself, and in time the pair acts', async () => {
  const pair = vi.fn()
  const single = vi.fn()
  show(
    { title: 'Everywhere', bindings: [{ keys: 'g s', label: 'Sessions', run: pair }] },
    { title: 'Player', bindings: [{ keys: 's', label: 'Skip', run: single }] },
  )
  await userEvent.keyboard('s')
  expect([single.mock.calls.length, pair.mock.calls.length]).toEqual([1, 0])
  await userEvent.keyboard('gs')
  expect([single.mock.calls.length, pair.mock.calls.length]).toEqual([1, 1])
  await userEvent.keyboard('gxs')
  expect([single.mock.calls.length, pair.mock.calls.length]).toEqual([2, 1])
  await userEvent.click(screen.getByRole('textbox', { name: 'Text' }))
  await userEvent.keyboard('gs')
  expect([single.mock.calls.length, pair.mock.calls.length]).toEqual([2, 1])
  expect(showKeys('g s')).toBe('G then S')
})
