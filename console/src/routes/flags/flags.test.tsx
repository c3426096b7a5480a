import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { Flag, FlagSummary } from '../../lib/api/schemas.ts'

const summary: FlagSummary = {
  ...{ key: 'new-checkout', description: 'One page', active: true, conditions: 1, rollout: 25, isTargeted: true },
  ...{ variants: [], updatedAt: '2026-01-01T03:04:05.000Z', updatedBy: 'ana@example.com' },
}
const flag: Flag = {
  ...{ id: 1, key: 'new-checkout', description: 'One page', active: true, keepsBucket: false, runtime: 'all' },
  filters: { groups: [{ properties: [{ key: 'plan', operator: 'exact', value: 'pro' }], rollout_percentage: 25 }] },
  ...{ bucketing: 'distinct_id', contexts: [], earlyAccess: null, hasExperiment: false, version: 3 },
  ...{ createdAt: summary.updatedAt, updatedAt: summary.updatedAt, updatedBy: 'ana@example.com', remoteOnly: false },
}
const sent: unknown[] = []
const answers: Answers = {
  ...signedIn,
  '/console/api/flags': { get: { flags: [summary, { ...summary, key: 'other', rollout: null }] } },
  '/console/api/flags/{key}': {
    get: flag,
    put: async (request) => {
      sent.push(await request.json())
      return Response.json({ ...flag, version: 4 })
    },
    delete: null,
  },
  '/console/api/flags/{key}/estimate': {
    post: { groupType: null, asked: 40, on: 12, unknown: 3, variants: {}, some: ['ada', 'bob'] },
  },
  '/console/api/flags/{key}/evaluate': {
    post: {
      ...{ value: false, code: 'out_of_rollout_bound', reason: 'Out of rollout bound', conditionIndex: 0 },
      ...{ failed: false, payload: null, isKnown: true, properties: { plan: 'pro' } },
    },
  },
  '/console/api/groups': { get: { types: [{ index: 0, type: 'company' }] } },
  '/console/api/cohorts': { get: { cohorts: [] } },
  '/console/api/flags/{key}/overrides': {
    get: { overrides: [{ distinctId: 'bob', value: 'test' }] },
    put: async (request) => {
      sent.push(await request.json())
      return new Response(null, { status: 204 })
    },
  },
  '/console/api/flags/{key}/changes': {
    get: {
      changes: [
        { version: 3, changedAt: summary.updatedAt, changedBy: 'ana@example.com', changed: ['filters'], flag: {} },
      ],
      next: null,
    },
  },
}

test('flags are listed with their rollout, and narrowed by the filter in the address', async () => {
  const { at } = openConsole('/flags', answers)
  const table = within(await screen.findByRole('table', { name: 'Flags' }))
  expect(table.getByTitle('25 % of those who match').textContent).toBe('25 %of some')
  expect(table.getByText('no condition')).toBeTruthy()
  await userEvent.type(screen.getByRole('searchbox'), 'check')
  await expect.poll(at).toBe('/flags?q=check')
  expect(screen.queryByRole('link', { name: /^other/ })).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: /^new-checkout/ }))
  await expect.poll(at).toBe('/flags/new-checkout')
})

test('variants share evenly as they are added, until a share is set', async () => {
  openConsole('/flags/new-checkout', answers)
  const add = await screen.findByRole('button', { name: 'Add a variant' })
  const shares = () => screen.getAllByRole<HTMLInputElement>('spinbutton', { name: 'Share in per cent' })
  const added = async () => {
    await userEvent.click(add)
    return shares().map(({ value }) => Number(value))
  }
  expect([await added(), await added(), await added()]).toEqual([[100], [50, 50], [33, 33, 34]])
  await userEvent.tripleClick(shares()[2] ?? add)
  await userEvent.keyboard('14')
  expect(await added()).toEqual([33, 33, 14, 20])
})

test('conditions and variants are drafted, and saved with the version that they were made of', async () => {
  openConsole('/flags/new-checkout', answers)
  expect(await screen.findByText('of 40 stored persons')).toBeTruthy()
  const some = within(screen.getByRole('list', { name: 'Some of them' }))
  expect(some.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['ada', 'bob'])
  expect(screen.getByText(/^Not known of 3: it depends on the groups/)).toBeTruthy()
  const save = screen.getByRole('button', { name: 'Save' })
  expect(save.hasAttribute('disabled')).toBe(true)
  const first = within(screen.getByRole('region', { name: 'Condition 1' }))
  const value = first.getByRole('textbox', { name: 'Value' })
  await userEvent.clear(value)
  await userEvent.type(value, 'pro, team')
  await userEvent.click(screen.getByRole('button', { name: 'Add a condition' }))
  await userEvent.click(screen.getByRole('button', { name: 'Add a variant' }))
  await userEvent.click(save)
  await screen.findByText('Saved.')
  expect(sent.splice(0)).toMatchObject([
    {
      version: 3,
      filters: {
        groups: [
          { properties: [{ key: 'plan', value: ['pro', 'team'] }] },
          { properties: [], rollout_percentage: 100 },
        ],
        multivariate: { variants: [{ key: 'control', rollout_percentage: 100 }] },
      },
    },
  ])
})

test('what is drafted of a flag outlives another tab, and leaving it is asked about', async () => {
  const { at } = openConsole('/flags/new-checkout', answers)
  const description = () => screen.findByRole('textbox', { name: 'Description' })
  await userEvent.type(await description(), ' for all')
  await userEvent.click(screen.getByRole('tab', { name: 'History' }))
  await screen.findByRole('cell', { name: 'conditions' })
  await userEvent.click(screen.getByRole('tab', { name: 'Conditions' }))
  expect(await description()).toHaveProperty('value', 'One page for all')
  await userEvent.click(screen.getByRole('link', { name: 'People' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(await description()).toHaveProperty('value', 'One page for all')
  await userEvent.click(screen.getByRole('link', { name: 'People' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Discard and leave' }))
  await expect.poll(at).toBe('/people')
})

test('groups, contexts, a holdout and early access are drafted and saved', async () => {
  openConsole('/flags/new-checkout', answers)
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Who is counted' }), '0')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'What it looks at' }), 'group')
  await userEvent.type(screen.getByRole('textbox', { name: 'Property' }), 'size')
  await userEvent.type(screen.getByRole('textbox', { name: 'Evaluation contexts' }), 'shop, admin,, shop')
  await userEvent.type(screen.getByRole('spinbutton', { name: 'Held out, in per cent' }), '5')
  await userEvent.click(screen.getByRole('switch', { name: 'Users switch it on for themselves' }))
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Stage' }), 'alpha')
  await userEvent.type(screen.getByRole('textbox', { name: 'Documentation' }), 'https://example.com')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved.')
  expect(sent.pop()).toMatchObject({
    contexts: ['shop', 'admin'],
    earlyAccess: { name: 'new-checkout', stage: 'alpha', documentationUrl: 'https://example.com' },
    filters: {
      groups: [{ aggregation_group_type_index: 0, properties: [{ type: 'group', key: 'size', group_type_index: 0 }] }],
      ...{ holdout: { id: 1, exclusion_percentage: 5 }, feature_enrollment: true },
    },
  })
})

test('a value is set for one person, and taken away', async () => {
  openConsole('/flags/new-checkout?tab=person', answers)
  const values = within(await screen.findByRole('region', { name: 'Values of single persons' }))
  await userEvent.type(values.getByRole('textbox', { name: 'Distinct id of the person' }), 'ada')
  await userEvent.selectOptions(values.getByRole('combobox', { name: 'Value for the person' }), 'off')
  await userEvent.click(values.getByRole('button', { name: 'Set' }))
  await expect.poll(() => sent.pop()).toEqual({ distinctId: 'ada', value: false })
  await userEvent.click(await values.findByRole('button', { name: 'Take the value of bob away' }))
  await expect.poll(() => sent.pop()).toEqual({ distinctId: 'bob', value: null })
})

test('a value that is refused stays typed', async () => {
  openConsole('/flags/new-checkout?tab=person', {
    ...answers,
    '/console/api/flags/{key}/overrides': {
      get: { overrides: [] },
      put: refuse(404, 'CLEW_FLAGS_NOT_FOUND', 'There is no such flag.'),
    },
  })
  const person = await screen.findByRole('textbox', { name: 'Distinct id of the person' })
  await userEvent.type(person, 'ada{Enter}')
  expect((await screen.findByRole('alert')).textContent).toContain('There is no such flag.')
  expect(person).toHaveProperty('value', 'ada')
})

test('what one person gets says why, and the history who changed what', async () => {
  const { at } = openConsole('/flags/new-checkout?tab=person', answers)
  await userEvent.type(await screen.findByRole('textbox', { name: 'Distinct id' }), 'ada{Enter}')
  const got = within(await screen.findByRole('region', { name: 'What the person gets' }))
  expect(got.getByText('off')).toBeTruthy()
  expect(got.getByText('Out of rollout bound')).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'History' }))
  await expect.poll(at).toBe('/flags/new-checkout?tab=history')
  expect(await screen.findByRole('cell', { name: 'conditions' })).toBeTruthy()
})

test('a person is evaluated in the groups that a client would name', async () => {
  openConsole('/flags/new-checkout?tab=person', {
    ...answers,
    '/console/api/groups': {
      get: {
        types: [
          { index: 0, type: 'company' },
          { index: 1, type: 'team' },
        ],
      },
    },
    '/console/api/flags/{key}/evaluate': {
      post: async (request) => {
        sent.push(await request.json())
        return refuse(404, 'CLEW_FLAGS_NOT_FOUND', 'There is no such flag.')()
      },
    },
  })
  await userEvent.type(await screen.findByRole('textbox', { name: 'Key of the company' }), ' acme ')
  await userEvent.type(screen.getByRole('textbox', { name: 'Distinct id' }), 'ada{Enter}')
  await expect.poll(() => sent.pop()).toEqual({ distinctId: 'ada', groups: { company: 'acme' } })
})

test('a flag is archived after a question; a refused change says why', async () => {
  const { at, asked } = openConsole('/flags/new-checkout', {
    ...answers,
    '/console/api/flags/{key}': {
      get: flag,
      put: refuse(409, 'CLEW_FLAGS_CHANGED', 'The flag was changed meanwhile.', 'Reload it.'),
      delete: null,
    },
  })
  await userEvent.click(await screen.findByRole('switch', { name: 'Active' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The flag was changed meanwhile.')
  await userEvent.click(screen.getByRole('button', { name: 'Archive' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Archive the flag' }))
  await expect.poll(() => asked).toContain('DELETE /flags/new-checkout')
  await expect.poll(at).toBe('/flags')
})

test('what another operator saves meanwhile comes into the draft, is told, and what was typed stays', async () => {
  const bob = { version: 4, updatedBy: 'bob@example.com' }
  const ofBob = {
    ...flag,
    ...bob,
    description: 'Of Bob',
    filters: { groups: [{ properties: [], rollout_percentage: 50 }] },
  }
  let stored = flag
  const bodies: unknown[] = []
  openConsole('/flags/new-checkout', {
    ...answers,
    '/console/api/flags/{key}': {
      get: () => Response.json(stored),
      put: async (request) => {
        const body: { readonly version: number } = await request.json()
        bodies.push(body)
        if (body.version === stored.version) return Response.json({ ...stored, version: 5, updatedBy: operator.email })
        return refuse(409, 'CLEW_FLAGS_CHANGED', 'bob@example.com changed the flag meanwhile.')()
      },
    },
  })
  const description = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Description' })
  await userEvent.clear(description)
  await userEvent.type(description, 'Mine')
  stored = ofBob
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toBe('bob@example.com changed the flag meanwhile.')
  expect((await screen.findByText(/has saved a change meanwhile/)).textContent).toBe(
    'bob@example.com has saved a change meanwhile. It is in your draft: conditions and variants. ' +
      'Where you both changed something, yours stays, and saving replaces theirs: description.',
  )
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Description' }).value).toBe('Mine')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => bodies.length).toBe(2)
  expect(bodies[1]).toMatchObject({ version: 4, description: 'Mine', filters: ofBob.filters })
})

const archived = {
  id: 7,
  key: 'old-checkout',
  description: 'Two pages',
  archivedAt: summary.updatedAt,
  archivedBy: 'ana',
}

test('archived flags are listed behind a filter of the address, narrowed by the server, and restored', async () => {
  const { at, asked } = openConsole('/flags', {
    ...answers,
    '/console/api/archived-flags': { get: { flags: [archived], hasMore: true } },
    '/console/api/archived-flags/{id}/restore': { post: { ...flag, key: 'old-checkout', active: false } },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'archived' }))
  await expect.poll(at).toBe('/flags?archived=true')
  const table = within(await screen.findByRole('table', { name: 'Archived flags' }))
  expect(table.getByText('Two pages')).toBeTruthy()
  expect(screen.getByText('There are more: narrow them by the filter.')).toBeTruthy()
  await userEvent.type(screen.getByRole('searchbox'), 'two')
  await expect.poll(() => asked).toContain('GET /archived-flags?text=two')
  await userEvent.click(screen.getByRole('button', { name: 'Restore old-checkout' }))
  await expect.poll(() => asked).toContain('POST /archived-flags/7/restore')
  await expect.poll(at).toBe('/flags/old-checkout')
})

test('a flag that cannot be restored says why; an analyst restores none', async () => {
  const lists: Answers = {
    ...answers,
    '/console/api/archived-flags': { get: { flags: [archived], hasMore: false } },
  }
  const taken = openConsole('/flags?archived=true', {
    ...lists,
    '/console/api/archived-flags/{id}/restore': {
      post: refuse(409, 'CLEW_FLAGS_KEY_TAKEN', 'Another flag has this key.'),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Restore old-checkout' }))
  expect(await screen.findByText(/Another flag has this key/)).toBeTruthy()
  taken.close()
  openConsole('/flags?archived=true', {
    ...lists,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
  })
  await screen.findByRole('table', { name: 'Archived flags' })
  expect(screen.queryByRole('button', { name: 'Restore old-checkout' })).toBeNull()
})

test('without a flag the page shows how one is asked for; an analyst changes nothing; a refused list says why', async () => {
  const analyst = {
    ...signedIn,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' as const } } },
  }
  const empty = openConsole('/flags', { ...signedIn, '/console/api/flags': { get: { flags: [] } } })
  await screen.findByRole('heading', { name: 'No flags yet.' })
  await screen.findByRole('button', { name: 'New flag' })
  empty.close()
  const look = openConsole('/flags/new-checkout', { ...answers, ...analyst })
  await screen.findByText('of 40 stored persons')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  expect(screen.getByRole('switch', { name: 'Active' }).hasAttribute('disabled')).toBe(true)
  look.close()
  openConsole('/flags', { ...signedIn, '/console/api/flags': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'No.') } })
  expect((await screen.findByRole('alert')).textContent).toContain('No.')
})

test('a flag over groups is counted in groups', async () => {
  openConsole('/flags/new-checkout', {
    ...answers,
    '/console/api/flags/{key}/estimate': {
      post: { groupType: 'company', asked: 7, on: 2, unknown: 1, variants: {}, some: ['acme'] },
    },
  })
  expect(await screen.findByText('of 7 stored groups of the type company')).toBeTruthy()
  expect(screen.getByText('acme')).toBeTruthy()
  expect(screen.getByText(/^Not known of 1: it depends on a person/)).toBeTruthy()
})
