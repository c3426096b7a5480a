import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Menu } from './menu.tsx'

const button = () => screen.getByRole('button', { name: 'Actions' })
const trigger = <button type="button">Actions</button>

test('before its first press a menu is one button, which says that it opens a menu', () => {
  const { container } = render(<Menu trigger={trigger} items={[]} />)
  expect(container.innerHTML).toBe('<button type="button" aria-haspopup="menu" aria-expanded="false">Actions</button>')
})

test('the first press opens it, by mouse and by keyboard; when it closes, its button has the focus', async () => {
  const onSelect = vi.fn()
  for (const press of [() => userEvent.click(button()), () => userEvent.keyboard('{Enter}')]) {
    const { unmount } = render(<Menu trigger={trigger} items={[{ label: 'Delete', onSelect }]} />)
    await userEvent.tab()
    await press()
    const item = await screen.findByRole('menuitem', { name: 'Delete' })
    expect(button().getAttribute('aria-expanded')).toBe('true')
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => item.isConnected).toBe(false)
    await expect.poll(() => document.activeElement).toBe(button())
    await press()
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    unmount()
  }
  expect(onSelect).toHaveBeenCalledTimes(2)
})
