import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { Flag } from '../../lib/api/schemas.ts'

const at = '2026-01-01T03:04:05.000Z'
const flag: Flag = {
  ...{ id: 1, key: 'new-checkout', description: 'One page', active: true, keepsBucket: false, runtime: 'all' },
  filters: { groups: [{ properties: [], rollout_percentage: 25 }] },
  ...{ bucketing: 'distinct_id', contexts: [], earlyAccess: null, hasExperiment: false, version: 3 },
  ...{ createdAt: at, updatedAt: at, updatedBy: 'ana@example.com', remoteOnly: false },
}
const saved: Flag = { ...flag, description: 'One page for all', version: 4 }

/** Opens the flag, and types a description that is not saved yet. */
async function openDrafted(own: { get?: () => Promise<Response>; put: () => Promise<Response> }) {
  const answers: Answers = {
    ...signedIn,
    '/console/api/flags': { get: { flags: [] } },
    '/console/api/flags/{key}': { get: flag, ...own },
    '/console/api/flags/{key}/estimate': {
      post: { groupType: null, asked: 40, on: 12, unknown: 0, variants: {}, some: [] },
    },
  }
  const opened = openConsole('/flags/new-checkout', answers)
  const description = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Description' })
  await userEvent.type(description, ' for all')
  return { ...opened, description }
}

/** An answer that comes when the test says so. */
function createLate() {
  let resolve: (answer: Response) => void = () => undefined
  const promise = new Promise<Response>((resolved) => {
    resolve = resolved
  })
  return { promise, resolve }
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))

test('a flag that is left while it is being saved is left once it is saved', async () => {
  const { promise, resolve } = createLate()
  const { at } = await openDrafted({ put: () => promise })
  await save()
  await userEvent.click(screen.getByRole('link', { name: 'People' }))
  await screen.findByRole('dialog', { name: 'Saving before you leave' })
  expect(at()).toBe('/flags/new-checkout')
  resolve(Response.json(saved))
  await expect.poll(at).toBe('/people')
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
})

test('a flag whose save is refused while it is left is asked about', async () => {
  const { promise, resolve } = createLate()
  const { at } = await openDrafted({ put: () => promise })
  await save()
  await userEvent.click(screen.getByRole('link', { name: 'People' }))
  await screen.findByRole('dialog', { name: 'Saving before you leave' })
  resolve(refuse(422, 'CLEW_FLAGS_INVALID', 'The flag is not valid.')())
  await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }))
  expect(at()).toBe('/flags/new-checkout')
  await screen.findByText('The flag is not valid.')
})

test('a machine that has lost its network still saves to itself', async () => {
  window.dispatchEvent(new Event('offline'))
  onTestFinished(() => void window.dispatchEvent(new Event('online')))
  await openDrafted({ put: async () => Response.json(saved) })
  await save()
  await screen.findByText('Saved.')
})

test('what was read before a save and comes after it does not take its place', async () => {
  const [late, put] = [createLate(), createLate()]
  let reads = 0
  const { description } = await openDrafted({
    get: async () => {
      reads += 1
      return reads === 1 ? Response.json(flag) : late.promise
    },
    put: () => put.promise,
  })
  await save()
  // Another window was in front for longer than what is read counts as new.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  onTestFinished(() => void vi.useRealTimers())
  window.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => reads).toBe(2)
  put.resolve(Response.json(saved))
  await screen.findByText('Saved.')
  await act(async () => late.resolve(Response.json(flag)))
  await screen.findByText('version 4')
  expect(description.value).toBe('One page for all')
})
