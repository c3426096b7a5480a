import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../test/answers.ts'
import { type Answers, openConsole } from '../../test/console.tsx'

const row = {
  id: '7',
  title: 'public.orders',
  detail: 'id = 7',
  table: { schema: 'public', name: 'orders', column: 'id' },
}
const person = { id: '0b5f1c1e-0000-4000-8000-0000000000a1', title: 'Maria Silva', detail: 'maria@example.test' }

const answers: Answers = {
  ...signedIn,
  '/console/api/team': { get: { members: [], invitations: [] } },
  '/console/api/search': {
    get: {
      groups: [
        { kind: 'person', hits: [person] },
        { kind: 'row', hits: [row] },
      ],
      missed: ['session'],
    },
  },
}

// jsdom draws nothing, and so has nothing to scroll.
Element.prototype.scrollIntoView = () => undefined

async function search(text: string, given: Answers = answers) {
  const console = openConsole('/', given)
  await screen.findByRole('heading', { name: 'Home', level: 1 })
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(await screen.findByRole('combobox'), text)
  return console
}

test('one question finds people and rows; Enter opens what is chosen, and a slow room is named', async () => {
  const { at, asked } = await search('7')
  const rows = within(await screen.findByRole('group', { name: 'Rows' }))
  expect(rows.getByRole('option').textContent).toBe('public.ordersid = 7')
  expect(screen.getByText('Not searched in time: sessions.')).toBeTruthy()
  expect(asked.filter((one) => one.startsWith('GET /search'))).toEqual(['GET /search?q=7'])
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.poll(at).toMatch(/^\/data\/public\/orders\?row=/)
})

test('actions are found by their words, those that the role allows, and open their dialogs', async () => {
  const { at, close } = await search('colleague')
  await userEvent.click(await screen.findByRole('option', { name: 'Invite a colleague' }))
  await screen.findByRole('dialog', { name: 'Invite to the team' })
  await userEvent.keyboard('{Escape}')
  await expect.poll(at).toBe('/settings/team')
  close()
  await search('backup', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } }, delete: null },
  })
  await screen.findByRole('option', { name: /^Backups/ })
  expect(screen.queryByRole('option', { name: 'Create a backup' })).toBeNull()
})

test('g and a letter lead to a screen', async () => {
  const { at } = openConsole('/', answers)
  await screen.findByRole('heading', { name: 'Home', level: 1 })
  await userEvent.keyboard('gv')
  await expect.poll(at).toBe('/advisor')
})
