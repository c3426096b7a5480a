import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { instance, operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { RealtimeChannelDetail, RealtimeChannels, RealtimePolicy } from '../../lib/api/schemas.ts'

const at = '2026-01-02T03:04:05.000Z'
const channels: RealtimeChannels = {
  channels: [
    { topic: 'desk', isPrivate: false, members: 1200, presences: 2, lastMinute: { said: 90, sent: 3 } },
    { topic: 'room:1/a b', isPrivate: true, members: 1, presences: 0, lastMinute: { said: 0, sent: 0 } },
  ],
  isCut: false,
  connections: 7,
  tables: [{ schema: 'public', table: null, events: ['INSERT', 'UPDATE'], subscriptions: 5, filtered: 2 }],
  processes: { asked: 3, silent: 1 },
  privateOnly: false,
  stream: { state: 'up', detail: 'Reads row changes.', behindBytes: 2048 },
}
const detail: RealtimeChannelDetail = {
  ...{ topic: 'desk', isPrivate: false, members: 2, presences: 1, lastMinute: { said: 90, sent: 180 }, isCut: true },
  memberList: [
    {
      ...{ role: 'authenticated', userId: 'u1', email: 'ann@example.test', joinedAt: at },
      ...{ presenceKey: 'ann', subscriptions: 1, isOperator: false },
    },
    {
      ...{ role: 'anon', userId: null, email: null, joinedAt: at },
      ...{ presenceKey: null, subscriptions: 0, isOperator: true },
    },
  ],
  presenceList: [{ key: 'ann', text: '{"at":"till"}', isCut: false }],
  processes: { asked: 1, silent: 0 },
}
const policy: RealtimePolicy = {
  ...{ name: 'members hear', command: 'select', roles: ['authenticated'], permissive: true },
  ...{ using: "(extension = 'broadcast'::text)", check: null },
}
const answers: Answers = {
  ...signedIn,
  '/console/api/instance': { get: { ...instance, services: ['realtime'] } },
  '/console/api/realtime/channels': { get: channels },
  '/console/api/realtime/channel': { get: detail },
  '/console/api/realtime/policies': { get: { policies: [policy] }, post: null },
  '/console/api/realtime/policies/{name}': { delete: null },
  '/console/api/realtime/policies/templates': {
    get: (request) => {
      const topic = new URL(request.url).searchParams.get('topic')
      return Response.json({ templates: [{ id: 'hear', title: 'Users receive', sql: `create policy "${topic}"` }] })
    },
  },
}
const asAnalyst: Answers = {
  ...answers,
  '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
}

test('lists channels with members and messages a second, and says which processes are missing; one opens', async () => {
  const { at: place, asked } = openConsole('/realtime', answers)
  const table = within(await screen.findByRole('table', { name: 'Channels' }))
  const row = within(table.getByRole('row', { name: /^desk public/ }))
  expect(row.getByText('1,200')).toBeTruthy()
  expect(row.getByTitle('90 in the last minute').textContent).toBe('1.5/s')
  expect(row.getByTitle('3 in the last minute').textContent).toBe('<0.1/s')
  expect(screen.getByText('1 did not answer')).toBeTruthy()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter by topic' }), 'r')
  await expect.poll(place).toBe('/realtime?q=r')
  await expect.poll(() => asked).toContain('GET /realtime/channels?search=r')
  await userEvent.click(table.getByRole('link', { name: 'room:1/a b' }))
  await expect.poll(place).toBe('/realtime/channel?topic=room%3A1%2Fa+b&private=true')
})

test('row changes stand by table, with the stream that brings them', async () => {
  openConsole('/realtime?tab=changes', answers)
  const table = within(await screen.findByRole('table', { name: 'Row changes' }))
  expect(table.getByRole('cell', { name: /^public\.\s*\*$/ })).toBeTruthy()
  const stream = within(screen.getByRole('region', { name: 'The change stream' }))
  expect(stream.getByText('up').parentElement?.textContent).toContain('2.05 kB behind')
})

test('a template makes a policy for the topic that is named, and a policy is dropped', async () => {
  const { asked } = openConsole('/realtime?tab=policies', answers)
  const topic = await screen.findByRole('textbox', { name: 'Topic' })
  await userEvent.clear(topic)
  await userEvent.type(topic, 'chat')
  const template = within(await screen.findByRole('article', { name: 'Users receive' }))
  await template.findByText(/"chat"/)
  await userEvent.click(template.getByRole('button', { name: 'Run' }))
  await screen.findByText('The policy is in force.')
  const own = within(screen.getByRole('article', { name: 'members hear' }))
  await userEvent.click(own.getByRole('button', { name: 'Drop' }))
  await expect.poll(() => asked).toContain('DELETE /realtime/policies/members%20hear')
})

test('a channel that no member has is opened by its name', async () => {
  const { at: place } = openConsole('/realtime', answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Open a channel' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Topic' }), 'new one')
  await userEvent.click(screen.getByRole('checkbox', { name: /^Private/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  await expect.poll(place).toBe('/realtime/channel?topic=new+one&private=true')
})

test('a channel shows who is in it; who may not join is told why, and nothing is sent before', async () => {
  let body: unknown
  openConsole('/realtime/channel?topic=desk', {
    ...answers,
    '/console/api/realtime/tickets': {
      post: async (request) => {
        body = await request.json()
        return refuse(404, 'CLEW_REALTIME_USER_NOT_FOUND', 'There is no such user.')()
      },
    },
  })
  const members = within(await screen.findByRole('region', { name: 'Members' }))
  expect(members.getByText('ann@example.test')).toBeTruthy()
  expect(members.getByText('console')).toBeTruthy()
  expect(screen.getByText('There are more than are shown here.')).toBeTruthy()
  expect(within(screen.getByRole('region', { name: 'Present' })).getByText(/"till"/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send' }).hasAttribute('disabled')).toBe(true)
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Join as' }), 'a user')
  await userEvent.type(screen.getByRole('textbox', { name: /^User/ }), ' bob@example.test')
  await userEvent.click(screen.getByRole('button', { name: 'Join' }))
  expect((await screen.findByRole('alert')).textContent).toBe('There is no such user.')
  expect(body).toEqual({ topic: 'desk', isPrivate: false, caller: { kind: 'user', user: 'bob@example.test' } })
})

test('without channels, without the service, without the right and without a topic the page says what is the case', async () => {
  const empty = openConsole('/realtime', {
    ...answers,
    '/console/api/realtime/channels': { get: { ...channels, channels: [], tables: [] } },
  })
  await screen.findByRole('heading', { name: 'No channel is open.' })
  await userEvent.click(screen.getByRole('tab', { name: /^Row changes/ }))
  await screen.findByRole('heading', { name: 'Nobody asks for row changes.' })
  empty.close()
  const off = openConsole('/realtime', { ...answers, '/console/api/instance': { get: instance } })
  await screen.findByRole('heading', { name: 'Realtime is off.' })
  off.close()
  const analyst = openConsole('/realtime/channel?topic=desk', {
    ...asAnalyst,
    '/console/api/realtime/channel': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Not allowed.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Not allowed.')
  expect(screen.queryByRole('button', { name: 'Join' })).toBeNull()
  analyst.close()
  const list = openConsole('/realtime', asAnalyst)
  await screen.findByRole('table', { name: 'Channels' })
  expect(screen.queryByRole('button', { name: 'Open a channel' })).toBeNull()
  list.close()
  openConsole('/realtime/channel', answers)
  await screen.findByRole('heading', { name: 'There is nothing at this address.' })
})
