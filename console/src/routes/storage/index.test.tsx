import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { bucket } from '../../../test/answers/database.ts'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'

const policy = {
  name: 'photos: everyone reads',
  table: 'objects' as const,
  command: 'select',
  roles: ['public'],
  permissive: true,
  using: "(bucket_id = 'photos'::text)",
  check: null,
}
const template = { id: 'upload-signed-in', title: 'Signed-in users upload', sql: 'create policy "x"' }
const answers: Answers = {
  ...signedIn,
  '/console/api/storage/buckets': {
    get: { buckets: [bucket], fileSizeLimit: 52_428_800, countedAt: '2026-01-02T03:04:05.000Z' },
    post: null,
  },
  '/console/api/storage/policies': { get: { policies: [policy] }, post: null },
  '/console/api/storage/policies/templates': { get: { templates: [template] } },
  '/console/api/storage/policies/{table}/{name}': { delete: null },
  '/console/api/storage/buckets/{bucketId}/entries': { get: { entries: [], next: null } },
}

test('lists buckets with what they hold; one opens', async () => {
  const { at } = openConsole('/storage', answers)
  const table = within(await screen.findByRole('table', { name: 'Buckets' }))
  expect(table.getByText('public')).toBeTruthy()
  expect(table.getByTitle('1,234,567 bytes').textContent).toBe('1.23 MB')
  await userEvent.click(table.getByRole('link', { name: 'photos' }))
  await expect.poll(at).toBe('/storage/photos')
})

test('a bucket is created with its settings, and opens', async () => {
  let sent: unknown
  const { at } = openConsole('/storage', {
    ...answers,
    '/console/api/storage/buckets': {
      get: { buckets: [], fileSizeLimit: 52_428_800, countedAt: '2026-01-02T03:04:05.000Z' },
      post: async (request) => {
        sent = await request.json()
        return new Response(null, { status: 204 })
      },
    },
  })
  await screen.findByRole('heading', { name: 'No buckets yet.' })
  await userEvent.click(screen.getByRole('button', { name: 'New bucket' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'menus')
  await userEvent.click(screen.getByRole('checkbox', { name: /^Public/ }))
  await userEvent.type(screen.getByRole('spinbutton', { name: 'Largest object, in MB' }), '2.5')
  await userEvent.type(screen.getByRole('textbox', { name: 'Allowed types' }), 'image/*, application/pdf')
  await userEvent.click(screen.getByRole('button', { name: 'Create' }))
  await expect.poll(at).toBe('/storage/menus')
  const allowedMimeTypes = ['image/*', 'application/pdf']
  expect(sent).toEqual({ name: 'menus', public: true, fileSizeLimit: 2_500_000, allowedMimeTypes })
})

test('policies are shown as SQL; an owner runs a template and drops a policy, a developer reads', async () => {
  const first = openConsole('/storage?tab=policies', answers)
  const shown = within(await screen.findByRole('article', { name: policy.name }))
  expect(shown.getByText(/storage/).closest('pre')?.textContent).toContain("using ((bucket_id = 'photos'::text))")
  await userEvent.click(await screen.findByRole('button', { name: 'Run' }))
  await screen.findByText('The policy is in force.')
  await userEvent.click(screen.getByRole('button', { name: 'Drop' }))
  await expect.poll(() => first.asked).toContain(`DELETE /storage/policies/objects/${encodeURIComponent(policy.name)}`)
  expect(first.asked).toContain('POST /storage/policies')
  first.close()
  const role = 'developer' as const
  openConsole('/storage?tab=policies', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role } } },
  })
  await screen.findByRole('article', { name: template.title })
  expect(screen.queryByRole('button', { name: 'Run' })).toBeNull()
})

test('what is refused says why', async () => {
  openConsole('/storage', {
    ...answers,
    '/console/api/storage/buckets': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Your role does not allow this.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Your role does not allow this.')
})
