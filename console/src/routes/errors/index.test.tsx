import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { issue, issueDetail } from '../../../test/answers/errors.ts'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const list = { issues: [issue], next: null, counts: { open: 1, resolved: 2, ignored: 0 }, releases: ['v2', 'v1'] }
const rule = {
  id: '0b5f1c1e-0000-4000-a000-000000000009',
  name: 'Aborted',
  action: 'ignore' as const,
  conditions: [{ field: 'type' as const, operator: 'is' as const, value: 'AbortError' }],
}

const answers: Answers = {
  ...signedIn,
  '/console/api/errors': { get: list },
  '/console/api/error-rules': { get: { version: 1, rules: [rule] } },
}

test('lists open errors with what they come to, and leads to each', async () => {
  const { asked } = openConsole('/errors', answers)
  const table = await screen.findByRole('table', { name: 'Errors' })
  const link = within(table).getByRole('link', { name: issue.title })
  expect(link.getAttribute('href')).toBe(`/console/errors/${issue.id}`)
  expect(within(table).getByText('pay in src/cart.ts')).toBeTruthy()
  expect(within(table).getByRole('img', { name: /12 of TypeError/ })).toBeTruthy()
  expect(asked.some((one) => one.startsWith('GET /errors?') && one.includes('state=open'))).toBe(true)
  expect(screen.getByRole('link', { name: 'Errors', current: 'page' })).toBeTruthy()
})

test('an error that came back after it was resolved says so, in the list and on its page', async () => {
  const returned = { ...issue, cameBackAt: issue.lastSeenAt }
  const { close } = openConsole('/errors', {
    ...answers,
    '/console/api/errors': { get: { ...list, issues: [returned] } },
  })
  const table = await screen.findByRole('table', { name: 'Errors' })
  expect(within(table).getByText('came back')).toBeTruthy()
  close()
  openConsole(`/errors/${issue.id}`, {
    ...answers,
    '/console/api/errors/{id}': {
      get: { ...issueDetail, issue: { ...issueDetail.issue, cameBackAt: issue.lastSeenAt } },
    },
  })
  expect(await screen.findByText('came back')).toBeTruthy()
})

test('state, range, release and order stand in the address, and are asked for', async () => {
  const { at, asked } = openConsole('/errors', answers)
  await userEvent.click(await screen.findByRole('button', { name: /^resolved/ }))
  await userEvent.click(screen.getByRole('button', { name: '7d' }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Release' }), 'v1')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), 'events')
  await expect.poll(at).toBe('/errors?state=resolved&range=7d&release=v1&sort=events')
  await expect
    .poll(() =>
      asked.some((one) =>
        ['state=resolved', 'range=7d', 'release=v1', 'sort=events'].every((part) => one.includes(part)),
      ),
    )
    .toBe(true)
})

test('without errors it says what will appear; without open ones it offers the others', async () => {
  const none = { ...list, issues: [] }
  const first = openConsole('/errors', {
    ...answers,
    '/console/api/errors': { get: { ...none, counts: { open: 0, resolved: 0, ignored: 0 } } },
  })
  await screen.findByRole('heading', { name: 'No errors yet.' })
  first.close()
  const { at } = openConsole('/errors', { ...answers, '/console/api/errors': { get: none } })
  await screen.findByRole('heading', { name: 'No open errors.' })
  await userEvent.click(screen.getByRole('button', { name: 'Show all errors' }))
  await expect.poll(at).toBe('/errors?state=all')
})

test('a list that is refused says what happened', async () => {
  openConsole('/errors', {
    ...answers,
    '/console/api/errors': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Your role does not allow this.')
})

test('rules are added at the end, moved and deleted', async () => {
  let sent: unknown = null
  openConsole('/errors?tab=rules', {
    ...answers,
    '/console/api/error-rules': {
      get: { version: 1, rules: [rule] },
      put: async (request) => {
        sent = await request.json()
        return Response.json(sent)
      },
    },
  })
  await screen.findByText('type is “AbortError”')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'The cart')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'What it looks at' }), 'file')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'How it compares' }), 'contains')
  await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'cart')
  await userEvent.click(screen.getByRole('button', { name: 'Add the rule' }))
  const added = {
    name: 'The cart',
    action: 'group',
    conditions: [{ field: 'file', operator: 'contains', value: 'cart' }],
  }
  await expect.poll(() => sent).toEqual({ version: 1, rules: [rule, added] })
  await userEvent.click(screen.getByRole('button', { name: 'Delete Aborted' }))
  await expect.poll(() => sent).toEqual({ version: 1, rules: [] })
})

test('a rule that is refused, as another operator has changed the rules, stays in the form; theirs are shown', async () => {
  let stored = { version: 1, rules: [rule] }
  const versions: number[] = []
  openConsole('/errors?tab=rules', {
    ...answers,
    '/console/api/error-rules': {
      get: () => Response.json(stored),
      put: async (request) => {
        const body: typeof stored = await request.json()
        versions.push(body.version)
        if (body.version === 2) return Response.json(body)
        stored = { version: 2, rules: [{ ...rule, name: 'of Bob' }] }
        return refuse(409, 'CLEW_ISSUES_RULES_CHANGED', 'bob@x.test changed the rules meanwhile.')()
      },
    },
  })
  await screen.findByText('Aborted')
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'The cart')
  await userEvent.type(screen.getByRole('textbox', { name: 'Text' }), 'cart')
  await userEvent.click(screen.getByRole('button', { name: 'Add the rule' }))
  expect((await screen.findByRole('alert')).textContent).toContain('bob@x.test changed the rules meanwhile.')
  await screen.findByText('of Bob')
  await userEvent.click(screen.getByRole('button', { name: 'Add the rule' }))
  await expect.poll(() => versions).toEqual([1, 2])
  await expect.poll(() => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }).value).toBe('')
})

test('who may only look has no rules to change', async () => {
  openConsole('/errors', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByRole('table', { name: 'Errors' })
  expect(screen.queryByRole('tab', { name: 'Rules' })).toBeNull()
})
