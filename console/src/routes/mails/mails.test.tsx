import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const mail = {
  ...{ id: 'm1', to: 'ana@example.test', from: 'Shop <shop@example.test>', subject: 'Your code', kind: '' },
  ...{ at: '2026-01-02T03:04:05.000Z', isRead: false },
}

const answers: Answers = {
  ...signedIn,
  '/console/api/mails': { get: { mails: [mail], fitting: 1 }, delete: null },
  '/console/api/mails/{id}': {
    get: { ...mail, isRead: true, text: 'It is 123456.', html: '<p>It is <b>123456</b>.</p>' },
  },
}

test('a mail is opened in place, in a frame in which nothing runs', async () => {
  const { at } = openConsole('/mails', answers)
  await userEvent.click(await screen.findByText('Your code'))
  const drawer = within(await screen.findByRole('dialog', { name: 'Your code' }))
  const frame = await drawer.findByTitle('The mail')
  expect(frame.getAttribute('sandbox')).not.toMatch(/allow-(?:scripts|same-origin)/)
  expect(frame.getAttribute('srcdoc')).toContain('<b>123456</b>')
  await userEvent.click(drawer.getByRole('tab', { name: 'Text' }))
  await drawer.findByText('It is 123456.')
  expect(at()).toBe('/mails?open=m1')
})

test('mails are filtered by the address; the inbox is emptied when that is confirmed', async () => {
  const { asked } = openConsole('/mails?q=to%3Aana', answers)
  await screen.findByText('Your code')
  expect(asked).toContain('GET /mails?text=to%3Aana&start=0&limit=200')
  await userEvent.click(screen.getByRole('button', { name: 'Empty' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Empty the inbox?' }))
  expect(asked).not.toContain('DELETE /mails')
  await userEvent.click(dialog.getByRole('button', { name: 'Delete all mails' }))
  await expect.poll(() => asked).toContain('DELETE /mails')
})

test('empty, failed and refused each say so', async () => {
  const empty = openConsole('/mails', { ...answers, '/console/api/mails': { get: { mails: [], fitting: 0 } } })
  await screen.findByRole('heading', { name: 'No mails yet.' })
  empty.close()
  const failed = openConsole('/mails', { ...answers, '/console/api/mails': { get: refuse(500, 'X', 'It failed.') } })
  expect((await screen.findByRole('alert')).textContent).toContain('It failed.')
  failed.close()
  const analyst = openConsole('/mails', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByRole('heading', { name: 'The inbox is for owners and developers.' })
  expect(analyst.asked.filter((each) => each.includes('/mails'))).toEqual([])
})
