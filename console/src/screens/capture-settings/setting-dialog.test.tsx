import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { CaptureSetting } from '../../lib/api/schemas.ts'
import { SettingDialog } from './setting-dialog.tsx'

const rate: CaptureSetting = {
  ...{ name: 'record_sample_rate', environment: 'CLEW_ANALYTICS_RECORD_SAMPLE_RATE', part: 'recordings' },
  ...{ group: 'sessions', title: 'Sample rate', description: 'The part that is recorded.', costs: null, unit: null },
  ...{ value: '0.5', default: '1', pinned: null, changed: null },
  form: { kind: 'number', choices: [], allowed: 'a number from 0 to 1' },
}

const client = new QueryClient()
const dialog = (setting: CaptureSetting) => (
  <QueryClientProvider client={client}>
    <SettingDialog setting={setting} onOutdated={vi.fn()} onClose={vi.fn()} />
  </QueryClientProvider>
)

test('what another operator saves meanwhile is told, and the draft stays', async () => {
  const { rerender } = render(dialog(rate))
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Sample rate' })
  await userEvent.clear(field)
  await userEvent.type(field, '0.25')
  expect(screen.queryByRole('status')).toBeNull()
  rerender(dialog({ ...rate, value: '0.75', changed: { at: '2026-01-02T03:04:05.000Z', by: 'bob@x.test' } }))
  expect(screen.getByRole('status').textContent).toBe(
    'bob@x.test has changed it meanwhile. It is now 0.75; saving replaces that.',
  )
  expect(field.value).toBe('0.25')
  rerender(dialog({ ...rate, value: '1' }))
  expect(screen.getByRole('status').textContent).toContain('It was changed back to the default meanwhile. It is now 1;')
})
