import { expect, onTestFinished } from 'vitest'
import { test } from './harness.ts'
import { startNet } from './net-service.ts'
import { startReceiver } from './receiver.ts'
import { openStorage } from './storage-app.ts'

interface Row {
  readonly name: string
  readonly version: string
  readonly metadata: { readonly size: number }
}
interface Delivery {
  readonly type: string
  readonly record: Row | null
  readonly old_record: Row | null
}

/** The event that a row change is (storage §12). */
function eventOf({ type, record, old_record: before }: Delivery): string {
  if (type === 'INSERT') return `created ${record?.name} of ${record?.metadata.size}`
  if (type === 'DELETE') return `removed ${before?.name}`
  if (record?.name !== before?.name) return `moved ${before?.name} to ${record?.name}`
  return record?.version === before?.version ? `changed ${record?.name}` : `replaced ${record?.name}`
}

test('a webhook on storage.objects tells of each change of a file, once, by whatever protocol (storage §12)', async ({
  db,
}) => {
  const { url, received, arrived, close } = await startReceiver()
  onTestFinished(close)
  const app = await openStorage(db)
  await startNet(db)
  await db.load(`
    insert into storage.buckets (id, name) values ('b', 'b');
    create policy everything on storage.objects for all to authenticated using (true) with check (true);
    create trigger on_file after insert or update or delete on storage.objects for each row
      execute function supabase_functions.http_request('${url}/files', 'POST', '{}', '{}', '5000')`)
  const from = app.client('11111111-1111-4111-8111-111111111111').from('b')
  const steps: readonly (readonly [event: string, () => Promise<{ readonly error: unknown }>])[] = [
    ['created a of 3', () => from.upload('a', 'one')],
    ['replaced a', () => from.update('a', 'other')],
    ['created c of 5', () => from.copy('a', 'c')],
    ['moved c to d', () => from.move('c', 'd')],
    ['removed d', () => from.remove(['d'])],
  ]
  for (const [index, [event, step]] of steps.entries()) {
    expect((await step()).error).toBeNull()
    await arrived(index + 1)
    expect(eventOf(JSON.parse(received.at(-1)?.body ?? '') as Delivery)).toBe(event)
  }
  // What is refused tells nothing, though its row was written to test the policies.
  expect((await from.upload('a', 'again')).error).toMatchObject({ statusCode: '409' })
  const resumable = await app.call('/upload/resumable/', {
    method: 'POST',
    body: 'resumed',
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-length': '7',
      'upload-metadata': `bucketName ${btoa('b')},objectName ${btoa('e')}`,
    },
  })
  expect(resumable.status).toBe(201)
  await arrived(steps.length + 1)
  expect(eventOf(JSON.parse(received.at(-1)?.body ?? '') as Delivery)).toBe('created e of 7')
  expect(received).toHaveLength(steps.length + 1)
})
