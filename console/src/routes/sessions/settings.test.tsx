import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { CaptureSetting } from '../../lib/api/schemas.ts'

const plain = { part: 'recordings', costs: null, unit: null, pinned: null, changed: null } as const
const rate: CaptureSetting = {
  ...{ ...plain, name: 'record_sample_rate', environment: 'CLEW_ANALYTICS_RECORD_SAMPLE_RATE', group: 'sessions' },
  ...{ title: 'Sample rate', description: 'The part of the sessions that is recorded.', value: '0.5', default: '1' },
  changed: { at: '2026-01-02T03:04:05.000Z', by: 'ada@x.test' },
  form: { kind: 'number', choices: [], allowed: 'a number from 0 to 1' },
}
const triggers: CaptureSetting = {
  ...{ ...plain, name: 'record_url_triggers', environment: 'CLEW_ANALYTICS_RECORD_URL_TRIGGERS', group: 'sessions' },
  ...{ title: 'Begin at addresses', description: 'Regular expressions.', value: '[]', default: '[]' },
  form: { kind: 'list', choices: [], allowed: 'a list of a regular expression' },
}
const block: CaptureSetting = {
  ...{ ...plain, name: 'record_block_selector', environment: 'CLEW_ANALYTICS_RECORD_BLOCK_SELECTOR', group: 'pages' },
  ...{ title: 'Block elements', description: 'A CSS selector.', value: '""', default: '""' },
  form: { kind: 'text', choices: [], allowed: 'a text' },
}
const canvas: CaptureSetting = {
  ...{ ...plain, name: 'record_canvas', environment: 'CLEW_ANALYTICS_RECORD_CANVAS', group: 'contents' },
  ...{ title: 'Canvas', description: 'Pictures of canvas elements.', value: 'true', default: 'false' },
  ...{
    pinned: 'clew.toml: [analytics] record_canvas',
    form: { kind: 'boolean', choices: [], allowed: 'true or false' },
  },
}
const sent: unknown[] = []
const answers: Answers = {
  ...signedIn,
  '/console/api/capture-settings': { get: { settings: [rate, triggers, block, canvas] } },
  '/console/api/capture-settings/{name}': {
    put: async (request) => {
      sent.push([new URL(request.url).pathname.split('/').at(-1), await request.json()])
      return new Response(null, { status: 204 })
    },
  },
}
const address = '/sessions/settings'

test('each setting says what holds, and where it is said', async () => {
  openConsole(address, answers)
  const sessions = within(await screen.findByRole('list', { name: 'Which sessions are recorded' }))
  expect(sessions.getByText('0.5')).toBeTruthy()
  expect(sessions.getByText(/Changed here by ada@x.test/)).toBeTruthy()
  expect(sessions.getByText('The default')).toBeTruthy()
  const contents = within(screen.getByRole('list', { name: 'What is recorded beside pages' }))
  expect(contents.getByText('on')).toBeTruthy()
  expect(contents.getByText('clew.toml: [analytics] record_canvas')).toBeTruthy()
  expect(contents.queryByRole('button')).toBeNull()
})

test('an owner changes a number, a list with an item a line, and takes a change back', async () => {
  const { at } = openConsole(address, answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Change Sample rate' }))
  expect(at()).toBe(`${address}?open=record_sample_rate`)
  const rateField = await screen.findByRole('textbox', { name: 'Sample rate' })
  await userEvent.clear(rateField)
  await userEvent.type(rateField, '0.25')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Change Begin at addresses' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Begin at addresses, one a line' }), '/a,b{enter}/c')
  expect(screen.queryByRole('button', { name: 'Use the default' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Change Sample rate' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Use the default' }))
  await expect
    .poll(() => sent)
    .toEqual([
      ['record_sample_rate', { value: '0.25', replaces: rate.changed?.at }],
      ['record_url_triggers', { value: '["/a,b","/c"]', replaces: null }],
      ['record_sample_rate', { value: null, replaces: rate.changed?.at }],
    ])
})

test('a selector that no browser reads is not saved; what the server refuses is said', async () => {
  openConsole(`${address}?open=record_block_selector`, {
    ...answers,
    '/console/api/capture-settings/{name}': {
      put: refuse(400, 'CLEW_CAPTURE_SETTING_VALUE', 'The setting does not allow this value.'),
    },
  })
  const field = await screen.findByRole('textbox', { name: 'Block elements' })
  await userEvent.type(field, '#card]')
  await screen.findByText('This is not a CSS selector.')
  expect(screen.getByRole('button', { name: 'Save' }).matches(':disabled')).toBe(true)
  await userEvent.clear(field)
  await userEvent.type(field, '#card')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText(/The setting does not allow this value/)
  expect(screen.getByRole('dialog', { name: 'Block elements' })).toBeTruthy()
})

test('a change that another operator was before is refused, and what was typed stays beside what they saved', async () => {
  let listed = rate
  const bob = { at: '2026-01-03T03:04:05.000Z', by: 'bob@x.test' }
  const bodies: unknown[] = []
  openConsole(`${address}?open=record_sample_rate`, {
    ...answers,
    '/console/api/capture-settings': { get: () => Response.json({ settings: [listed] }) },
    '/console/api/capture-settings/{name}': {
      put: async (request) => {
        const body: { readonly replaces: string } = await request.json()
        bodies.push(body)
        if (body.replaces === bob.at) return new Response(null, { status: 204 })
        listed = { ...rate, value: '0.75', changed: bob }
        return refuse(409, 'CLEW_CAPTURE_SETTING_CHANGED', 'bob@x.test changed the setting meanwhile.')()
      },
    },
  })
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Sample rate' })
  await userEvent.clear(field)
  await userEvent.type(field, '0.25')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('status')).textContent).toContain('It is now 0.75; saving replaces that.')
  expect(screen.getByText('bob@x.test changed the setting meanwhile.')).toBeTruthy()
  expect(field.value).toBe('0.25')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  expect(bodies).toEqual([rate.changed?.at, bob.at].map((replaces) => ({ value: '0.25', replaces })))
})

test('an analyst sees the settings and changes nothing, nor by a link; who may not look is told', async () => {
  const analyst = openConsole(`${address}?open=record_sample_rate`, {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByText(/An owner changes those/)
  expect(screen.queryByRole('button', { name: /^Change / })).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
  analyst.close()
  openConsole(address, {
    ...answers,
    '/console/api/capture-settings': {
      get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.'),
    },
  })
  await screen.findByText('Your role does not allow this.')
})
