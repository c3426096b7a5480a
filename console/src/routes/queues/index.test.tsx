import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { message, queue } from '../../../test/answers/database.ts'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const answers: Answers = {
  ...signedIn,
  '/console/api/queues': { get: { installed: true, queues: [queue], next: null } },
  '/console/api/queues/{name}': { get: queue },
  '/console/api/queues/{name}/messages': {
    get: { messages: [message], next: null },
    delete: () => Response.json({ purged: 3 }),
    post: async (request) => {
      const { message: text }: { message: string } = await request.json()
      if (text !== '{"to":"ann"}') return refuse(400, 'CLEW_QUEUES_REFUSED', 'Not JSON.')()
      return Response.json({ id: '9' }, { status: 201 })
    },
  },
  '/console/api/queues/{name}/messages/{id}/archive': { post: null },
}

test('lists queues with their numbers; one leads to its messages', async () => {
  const { at } = openConsole('/queues', answers)
  const table = within(await screen.findByRole('table', { name: 'Queues' }))
  expect(table.getByRole('cell', { name: '1,200' })).toBeTruthy()
  await userEvent.click(table.getByRole('link', { name: 'mails' }))
  await expect.poll(at).toBe('/queues/mails')
  await screen.findByRole('tab', { name: 'Visible 2' })
})

test('a message opens, is archived, and the drawer closes', async () => {
  const { at, asked } = openConsole('/queues/mails', answers)
  await userEvent.click(await screen.findByRole('cell', { name: '{"to": "ann"}' }))
  await expect.poll(at).toBe('/queues/mails?state=visible&open=7')
  const drawer = within(await screen.findByRole('dialog', { name: 'Message 7' }))
  await userEvent.click(drawer.getByRole('button', { name: 'Archive' }))
  await expect.poll(() => asked).toContain('POST /queues/mails/messages/7/archive')
  await expect.poll(at).toBe('/queues/mails?state=visible')
})

test('a message is sent; what is no JSON says so at its field', async () => {
  openConsole('/queues/mails', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Send' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Send to mails' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Send' }))
  await dialog.findByText('Not JSON.')
  const text = dialog.getByLabelText('Message (JSON)')
  await userEvent.clear(text)
  await userEvent.type(text, '{{"to":"ann"}')
  await userEvent.click(dialog.getByRole('button', { name: 'Send' }))
  await screen.findByText('Message 9 is sent.')
})

test('a queue is purged only when its name is typed', async () => {
  const { asked } = openConsole('/queues/mails', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Purge' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Purge mails?' }))
  const purge = dialog.getByRole('button', { name: 'Delete the messages' })
  expect(purge.hasAttribute('disabled')).toBe(true)
  await userEvent.type(dialog.getByLabelText('Type mails to confirm'), 'mails')
  await userEvent.click(purge)
  await screen.findByText('3 messages are deleted.')
  expect(asked).toContain('DELETE /queues/mails/messages')
})

test('without the extension, without a queue, and for an analyst the page says what is the case', async () => {
  const missing = openConsole('/queues', {
    ...answers,
    '/console/api/queues': { get: { installed: false, queues: [], next: null } },
  })
  await screen.findByRole('heading', { name: 'The extension pgmq is not created yet.' })
  missing.close()
  const empty = openConsole('/queues', {
    ...answers,
    '/console/api/queues': { get: { installed: true, queues: [], next: null } },
  })
  await screen.findByRole('heading', { name: 'No queues yet.' })
  empty.close()
  openConsole('/queues/mails', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
    '/console/api/queues/{name}/messages': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Not allowed.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Not allowed.')
  expect(screen.queryByRole('button', { name: 'Purge' })).toBeNull()
})
