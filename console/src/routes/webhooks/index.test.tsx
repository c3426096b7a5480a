import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { delivery, sentRequest } from '../../../test/answers/database.ts'
import { request, requestDetail } from '../../../test/answers/requests.ts'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const hook = {
  ...{ schema: 'public', table: 'orders', name: 'order_placed', events: ['INSERT', 'UPDATE'], enabled: true },
  ...{ url: 'https://example.com/hook', method: 'POST', lastState: 'failed' as const, lastAt: delivery.at },
}
const response = { status: 500, contentType: 'text/plain', headers: { 'x-a': 'b' }, content: 'no', error: null }
const answers: Answers = {
  ...signedIn,
  '/console/api/webhooks': { get: { installed: true, hooks: [hook] } },
  '/console/api/webhooks/deliveries': { get: { deliveries: [delivery], next: null } },
  '/console/api/webhooks/deliveries/{id}': {
    get: {
      delivery,
      messageId: 'msg_1',
      headers: { Authorization: '•••' },
      body: '{"record":{"id":1}}',
      attempts: [{ attempt: 1, startedAt: delivery.at, durationMs: 12, status: 500, error: null }],
      response,
      canSendAgain: true,
    },
  },
  '/console/api/webhooks/deliveries/{id}/attempts': { post: null },
  '/console/api/sql-requests': {
    get: {
      installed: true,
      waiting: [{ ...sentRequest, id: null, state: 'waiting' }],
      requests: [sentRequest],
      next: null,
    },
  },
  '/console/api/sql-requests/{id}': { get: { request: sentRequest, response } },
  '/console/api/requests/{id}': { get: requestDetail },
}

test('a webhook opens its deliveries; one opens with its cause and its attempts, and is sent again', async () => {
  const { at, asked } = openConsole('/webhooks', answers)
  await userEvent.click(await screen.findByText('order_placed'))
  await expect.poll(at).toBe('/webhooks?tab=deliveries&schema=public&table=orders&hook=order_placed')
  const table = within(await screen.findByRole('table', { name: 'Deliveries' }))
  await userEvent.click(table.getByRole('cell', { name: /order_placed/ }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Delivery 3' }))
  const cause = await drawer.findByRole('link', { name: 'POST /rest/v1/orders' })
  expect(cause.getAttribute('href')).toBe(`/console/requests/${request.id}`)
  expect(drawer.getByText('by Maria Silva')).toBeTruthy()
  await userEvent.click(drawer.getByRole('button', { name: 'Send again' }))
  await expect.poll(() => asked).toContain('POST /webhooks/deliveries/3/attempts')
})

test('deliveries are narrowed by their state, which stands in the address', async () => {
  const { at, asked } = openConsole('/webhooks?tab=deliveries', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'failed' }))
  await expect.poll(at).toBe('/webhooks?tab=deliveries&state=failed')
  await expect.poll(() => asked.some((one) => one.includes('state=failed'))).toBe(true)
})

test('all that failed is sent again at once, for one hook or for all', async () => {
  const bodies: unknown[] = []
  openConsole('/webhooks?tab=deliveries&schema=public&table=orders&hook=order_placed&state=failed', {
    ...answers,
    '/console/api/webhooks/failed/attempts': {
      post: async (call) => {
        bodies.push(await call.json())
        return Response.json({ sent: 2 }, { status: 202 })
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Send all again' }))
  await screen.findByText('2 deliveries are sent again.')
  expect(bodies).toEqual([{ schema: 'public', table: 'orders', hook: 'order_placed' }])
})

test('requests from SQL are listed with those that wait; one opens with its response', async () => {
  openConsole('/webhooks?tab=requests', answers)
  const table = within(await screen.findByRole('table', { name: 'Requests from SQL' }))
  expect(table.getAllByRole('row')).toHaveLength(3)
  await userEvent.click(table.getAllByRole('cell', { name: /answered/ })[0] ?? document.body)
  const drawer = within(await screen.findByRole('dialog', { name: 'Request from SQL' }))
  await drawer.findByText('no')
})

test('what is empty says how the first comes; an external server says so; an analyst sends nothing again', async () => {
  const none = { ...answers, '/console/api/webhooks': { get: { installed: true, hooks: [] } } }
  const first = openConsole('/webhooks', none)
  await screen.findByRole('heading', { name: 'No webhooks yet.' })
  first.close()
  const external = openConsole('/webhooks', {
    ...answers,
    '/console/api/webhooks': { get: { installed: false, hooks: [] } },
  })
  await screen.findByRole('heading', { name: 'Clew does not send webhooks of this database.' })
  external.close()
  const analyst = openConsole('/webhooks?tab=deliveries&open=3', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
    '/console/api/webhooks/deliveries/{id}': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Not allowed.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Not allowed.')
  analyst.close()
})
