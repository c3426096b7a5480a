import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { Experiment, ExperimentResult, Flag, FlagSummary } from '../../lib/api/schemas.ts'

const id = '01a20a79-9e17-7b33-bd7e-b7850e43ad35'
const at = '2026-01-01T03:04:05.000Z'
const experiment: Experiment = {
  ...{ id, name: 'Green button', hypothesis: 'Green sells', flagKey: 'button', version: 2, state: 'running' },
  metrics: [
    {
      ...{ name: 'ordered', kind: 'conversion', windowHours: 24 },
      source: { type: 'events', event: 'order', property: null },
    },
  ],
  ...{ startedAt: at, endedAt: null, conclusion: null, updatedAt: at, updatedBy: 'ana@example.com' },
}
const flag: FlagSummary = {
  ...{ key: 'button', description: '', active: true, conditions: 1, rollout: 100, isTargeted: false },
  variants: [
    { key: 'control', share: 50 },
    { key: 'test', share: 50 },
  ],
  ...{ updatedAt: at, updatedBy: '' },
}
const result: ExperimentResult = {
  ...{ until: at, control: 'control', persons: 210, mixed: 3, mismatch: 0.49 },
  variants: [
    { key: 'control', persons: 100, expectedShare: 0.5 },
    { key: 'test', persons: 110, expectedShare: 0.5 },
  ],
  metrics: [
    {
      ...{ name: 'ordered', kind: 'conversion', unattributed: 4 },
      variants: [
        {
          ...{ key: 'control', persons: 100, converted: 10, estimate: 0.1, difference: null, chanceToBeat: null },
          interval: { low: 0.055, high: 0.175 },
        },
        {
          ...{ key: 'test', persons: 110, converted: 22, estimate: 0.2, chanceToBeat: 0.9789 },
          interval: { low: 0.136, high: 0.284 },
          difference: { estimate: 0.1, low: 0.004, high: 0.196 },
        },
      ],
    },
  ],
}
const sent: unknown[] = []
const answers: Answers = {
  ...signedIn,
  '/console/api/flags': { get: { flags: [flag, { ...flag, key: 'plain', variants: [] }] } },
  '/console/api/experiments': {
    get: { experiments: [experiment] },
    post: async (request) => {
      sent.push(await request.json())
      return Response.json({ ...experiment, state: 'draft', startedAt: null }, { status: 201 })
    },
  },
  '/console/api/experiments/{id}': {
    get: experiment,
    put: async (request) => {
      sent.push(await request.json())
      return Response.json({ ...experiment, version: 3 })
    },
    delete: null,
  },
  '/console/api/experiments/{id}/running': { put: { ...experiment, state: 'ended', version: 3 } },
  '/console/api/experiments/{id}/conclusion': {
    put: async (request) => {
      sent.push(await request.json())
      const conclusion = { variant: 'test', note: 'It sells' }
      return Response.json({ ...experiment, state: 'ended', endedAt: at, conclusion, version: 3 })
    },
  },
  '/console/api/experiments/{id}/result': { get: { result } },
}

test('experiments are listed; a new one takes a flag with variants, and an event', async () => {
  const { at: place } = openConsole('/experiments', answers)
  const table = within(await screen.findByRole('table', { name: 'Experiments' }))
  expect(table.getByRole('link', { name: /Green button/ })).toBeTruthy()
  expect(table.getByText('running')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'New experiment' }))
  const dialog = within(await screen.findByRole('dialog'))
  const flags = await dialog.findByRole('combobox', { name: 'Flag' })
  expect([...flags.querySelectorAll('option')].map(({ value }) => value)).toEqual(['button'])
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Try')
  await userEvent.type(dialog.getByRole('combobox', { name: 'Event that counts' }), 'order')
  await userEvent.click(dialog.getByRole('button', { name: 'Create the experiment' }))
  await expect.poll(place).toBe(`/experiments/${id}`)
  expect(sent.pop()).toMatchObject({
    ...{ name: 'Try', flagKey: 'button' },
    metrics: [{ name: 'order', kind: 'conversion', source: { type: 'events', event: 'order', property: null } }],
  })
})

test('a result is a table of variants with their intervals, and says how sure it is', async () => {
  openConsole(`/experiments/${id}`, answers)
  const metric = within(await screen.findByRole('table', { name: 'ordered by variant' }))
  expect(metric.getAllByRole('row').map((row) => row.textContent)).toEqual([
    'VariantDid itShare95 % interval To controlChance to beat it',
    'control10 of 10010.0 %5.5 % to 17.5 %——',
    'test22 of 11020.0 %13.6 % to 28.4 %+10.0 points97.9 %',
  ])
  expect(screen.getByText(/3 more saw several variants/)).toBeTruthy()
  expect(screen.getByText(/4 others did it without having seen a variant/)).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('persons and metrics lead to the events that they are counted by', async () => {
  openConsole(`/experiments/${id}`, answers)
  const seen = within(await screen.findByRole('table', { name: 'Persons by variant' }))
  const searchOf = (link: HTMLElement) => new URL(link.getAttribute('href') ?? '', 'http://clew').searchParams
  const shown = searchOf(seen.getByRole('link', { name: '110' }))
  expect([shown.get('event'), JSON.parse(shown.get('filter') ?? '')]).toEqual([
    '$feature_flag_called',
    ['$feature_flag.exact.button', '$feature_flag_response.exact.test'],
  ])
  expect(searchOf(screen.getByRole('link', { name: 'order' })).get('event')).toBe('order')
})

test('a result says where persons are too few, and where the flag gives a variant to no one', async () => {
  const path = '/console/api/experiments/{id}/result'
  const of = (...persons: readonly [count: number, share: number][]) => ({
    ...result,
    variants: persons.map(([count, expectedShare], index) => ({
      ...{ key: index === 0 ? 'control' : 'test', persons: count, expectedShare },
    })),
    metrics: [
      {
        ...{ name: 'ordered', kind: 'mean' as const, unattributed: 0 },
        variants: [
          {
            ...{ key: 'control', persons: 6, converted: null, estimate: 0, interval: { low: 0, high: 0 } },
            ...{ difference: null, chanceToBeat: null },
          },
        ],
      },
    ],
  })
  const few = openConsole(`/experiments/${id}`, { ...answers, [path]: { get: { result: of([6, 0.5], [100, 0.5]) } } })
  await screen.findByText(/^Fewer than 100 persons saw control: too few to decide by/)
  expect(screen.queryByRole('alert')).toBeNull()
  // A mean of nothing has a place, too.
  const metric = screen.getByRole('table', { name: 'ordered by variant' })
  expect(metric.querySelector('line')?.getAttribute('x1')).toBe('100')
  few.close()
  openConsole(`/experiments/${id}`, { ...answers, [path]: { get: { result: of([200, 1], [0, 0]) } } })
  expect((await screen.findByRole('alert')).textContent).toContain('The flag gives test to no one')
  expect(screen.queryByText(/too few/)).toBeNull()
})

test('a split that chance does not make is said, and a result that cannot be computed says why', async () => {
  const path = '/console/api/experiments/{id}/result'
  const uneven = openConsole(`/experiments/${id}`, {
    ...answers,
    [path]: { get: { result: { ...result, mismatch: 0.0000001 } } },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('should not be believed')
  uneven.close()
  openConsole(`/experiments/${id}`, {
    ...answers,
    [path]: { get: refuse(422, 'CLEW_EXPERIMENTS_ROWS', 'The table tips cannot be read.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('The table tips cannot be read.')
})

test('a result without persons says how they come to be counted', async () => {
  openConsole(`/experiments/${id}`, {
    ...answers,
    '/console/api/experiments/{id}/result': {
      get: {
        result: { ...result, persons: 0, mixed: 0, variants: result.variants.map((one) => ({ ...one, persons: 0 })) },
      },
    },
  })
  const seen = within(await screen.findByRole('region', { name: 'Who saw what' }))
  expect(seen.getByText("posthog.getFeatureFlag('button')")).toBeTruthy()
})

test('metrics are drafted, and saved as the version that was read', async () => {
  openConsole(`/experiments/${id}?tab=definition`, answers)
  const first = within(await screen.findByRole('region', { name: 'Metric 1' }))
  await userEvent.selectOptions(first.getByRole('combobox', { name: 'What is measured' }), 'mean')
  await userEvent.selectOptions(first.getByRole('combobox', { name: 'What is counted' }), 'rows')
  await userEvent.type(first.getByRole('textbox', { name: 'Table' }), 'orders')
  await userEvent.type(first.getByRole('textbox', { name: 'Column that is summed' }), 'cents')
  await userEvent.clear(first.getByRole('spinbutton', { name: 'Hours after the first exposure' }))
  expect(screen.getByRole('textbox', { name: 'Flag' }).hasAttribute('disabled')).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved.')
  const source = {
    ...{ type: 'rows', table: 'orders', userColumn: 'user_id', timeColumn: 'created_at', valueColumn: 'cents' },
  }
  expect(sent.pop()).toEqual({
    version: 2,
    experiment: {
      ...{ name: 'Green button', hypothesis: 'Green sells', flagKey: 'button' },
      metrics: [{ name: 'ordered', kind: 'mean', windowHours: null, source }],
    },
  })
})

test('what is drafted of an experiment outlives a look at its result', async () => {
  openConsole(`/experiments/${id}?tab=definition`, answers)
  const why = () => screen.findByRole('textbox', { name: 'What is expected, and why' })
  await userEvent.type(await why(), ' more')
  await userEvent.click(screen.getByRole('tab', { name: 'Result' }))
  await screen.findByRole('table', { name: 'ordered by variant' })
  await userEvent.click(screen.getByRole('tab', { name: 'Definition' }))
  expect(await why()).toHaveProperty('value', 'Green sells more')
})

test('an experiment is concluded with a variant and a reason, ended, and archived after a question', async () => {
  const { at: place, asked } = openConsole(`/experiments/${id}`, answers)
  await screen.findByRole('table', { name: 'ordered by variant' })
  await userEvent.click(screen.getByRole('button', { name: 'Conclude' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Chosen' }), 'test')
  await userEvent.type(dialog.getByRole('textbox', { name: 'Why' }), 'It sells')
  await userEvent.click(dialog.getByRole('button', { name: 'Conclude' }))
  expect(await screen.findByRole('heading', { name: 'Concluded: test' })).toBeTruthy()
  expect(sent.pop()).toEqual({ variant: 'test', note: 'It sells' })
  await userEvent.click(screen.getByRole('button', { name: 'Archive' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Archive the experiment' }))
  await expect.poll(() => asked).toContain(`DELETE /experiments/${id}`)
  await expect.poll(place).toBe('/experiments')
})

test('the variant that was chosen is given to everybody by a condition before the others of the flag', async () => {
  const changed: unknown[] = []
  const condition = { properties: [{ key: 'plan', operator: 'exact', value: 'pro' }], rollout_percentage: 25 }
  const whole: Flag = {
    ...{ id: 1, key: 'button', description: 'Green', active: false, keepsBucket: true, runtime: 'all' },
    ...{ filters: { groups: [condition] }, bucketing: 'distinct_id', contexts: [], earlyAccess: null },
    ...{ hasExperiment: true, version: 7, createdAt: at, updatedAt: at, updatedBy: '', remoteOnly: false },
  }
  openConsole(`/experiments/${id}`, {
    ...answers,
    '/console/api/flags/{key}': {
      get: whole,
      put: async (request) => {
        changed.push(await request.json())
        return Response.json(whole)
      },
    },
  })
  await screen.findByRole('table', { name: 'ordered by variant' })
  await userEvent.click(screen.getByRole('button', { name: 'Conclude' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.queryByRole('switch')).toBeNull()
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Chosen' }), 'test')
  await userEvent.click(dialog.getByRole('switch', { name: 'Give test to everybody' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Conclude' }))
  expect(await screen.findByRole('heading', { name: 'Concluded: test' })).toBeTruthy()
  expect(changed).toMatchObject([
    {
      ...{ description: 'Green', active: true, keepsBucket: true, version: 7 },
      filters: { groups: [{ properties: [], rollout_percentage: 100, variant: 'test' }, condition] },
    },
  ])
})

test('without an experiment the page says what one is; an analyst changes nothing', async () => {
  const empty = openConsole('/experiments', { ...answers, '/console/api/experiments': { get: { experiments: [] } } })
  await screen.findByRole('heading', { name: 'No experiments yet.' })
  empty.close()
  const role = { '/console/api/session': { get: { operator: { ...operator, role: 'analyst' as const } } } }
  openConsole(`/experiments/${id}`, { ...answers, ...role })
  await screen.findByRole('table', { name: 'ordered by variant' })
  for (const name of ['End', 'Archive', 'Conclude']) expect(screen.queryByRole('button', { name })).toBeNull()
})
