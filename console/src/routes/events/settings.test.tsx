import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole } from '../../../test/console.tsx'
import type { CaptureSetting } from '../../lib/api/schemas.ts'

const plain = { part: 'events', unit: null, pinned: null, changed: null } as const
const clicks: CaptureSetting = {
  ...{ ...plain, name: 'capture_clicks', environment: 'CLEW_ANALYTICS_CAPTURE_CLICKS', group: 'actions' },
  ...{ title: 'Clicks', description: 'Clicks are captured.', value: 'true', default: 'true' },
  ...{ costs: 'An event for each.', form: { kind: 'boolean', choices: [], allowed: 'true or false' } },
}
const vitals: CaptureSetting = {
  ...{ ...plain, name: 'capture_web_vitals_metrics', group: 'experience', costs: null },
  environment: 'CLEW_ANALYTICS_CAPTURE_WEB_VITALS_METRICS',
  ...{ title: 'Measured web vitals', description: 'Which are measured.' },
  ...{ value: '["LCP","INP","CLS"]', default: '["LCP","INP","CLS","FCP"]' },
  form: { kind: 'list', choices: ['LCP', 'INP', 'CLS', 'FCP'], allowed: 'a list of LCP, INP, CLS, FCP' },
}
const canvas: CaptureSetting = {
  ...{ ...clicks, name: 'record_canvas', part: 'recordings', group: 'contents', title: 'Canvas' },
}
const sent: unknown[] = []
const answers: Answers = {
  ...signedIn,
  '/console/api/capture-settings': { get: { settings: [clicks, vitals, canvas] } },
  '/console/api/capture-settings/{name}': {
    put: async (request) => {
      sent.push([new URL(request.url).pathname.split('/').at(-1), await request.json()])
      return new Response(null, { status: 204 })
    },
  },
}
const address = '/events/settings'

test('each setting of events says what it costs; those of recordings are a step away', async () => {
  openConsole(address, answers)
  const actions = within(await screen.findByRole('list', { name: 'What people do on pages' }))
  expect(actions.getByText('An event for each.')).toBeTruthy()
  expect(screen.queryByText('Canvas')).toBeNull()
  expect(screen.getByRole('link', { name: 'Recording settings' }).getAttribute('href')).toBe(
    '/console/sessions/settings',
  )
})

test('any of the web vitals are chosen, and stand in their own order', async () => {
  openConsole(address, answers)
  await userEvent.click(await screen.findByRole('button', { name: 'Change Measured web vitals' }))
  const choice = within(await screen.findByRole('group', { name: 'Measured web vitals' }))
  expect(screen.getByRole('button', { name: 'Save' }).matches(':disabled')).toBe(true)
  await userEvent.click(choice.getByRole('checkbox', { name: 'FCP' }))
  await userEvent.click(choice.getByRole('checkbox', { name: 'INP' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  expect(sent).toEqual([['capture_web_vitals_metrics', { value: '["LCP","CLS","FCP"]', replaces: null }]])
})
