import { describe, expect } from 'vitest'
import { answersTest as test } from '../../../test/storage-answers.ts'

const maria = '11111111-1111-4111-8111-111111111111'

describe('operations (storage §11)', () => {
  const json = { 'content-type': 'application/json' }
  const reads: readonly (readonly [operation: string, request: string, body?: string])[] = [
    ['storage.object.get_authenticated', 'GET /object/authenticated/b/f/a.png'],
    ['storage.object.get_authenticated', 'GET /object/b/f/a.png'],
    ['object.head_authenticated_info', 'HEAD /object/b/f/a.png'],
    ['object.get_authenticated_info', 'GET /object/info/authenticated/b/f/a.png'],
    ['storage.object.sign', 'POST /object/sign/b/f/a.png', '{"expiresIn":60}'],
    ['storage.object.move', 'POST /object/move', '{"bucketId":"b","sourceKey":"f/a.png","destinationKey":"f/a.png"}'],
    ['storage.object.copy', 'POST /object/copy', '{"bucketId":"b","sourceKey":"f/a.png","destinationKey":"f/b"}'],
    ['storage.object.delete', 'DELETE /object/b/f/a.png'],
  ]
  const lists: readonly (readonly [operation: string, request: string, body: string])[] = [
    ['storage.object.list', 'POST /object/list/b', '{"prefix":"f"}'],
    ['storage.object.list_v2', 'POST /object/list-v2/b', '{"prefix":"f"}'],
    ['storage.object.sign_many', 'POST /object/sign/b', '{"expiresIn":60,"paths":["f/a.png"]}'],
    ['storage.object.delete_many', 'DELETE /object/b', '{"prefixes":["f/a.png"]}'],
  ]
  test('policies see each by its name', async ({ app }) => {
    await app.client().from('b').upload('f/a.png', 'x')
    await app.db.load(`create policy seen on storage.objects for all to authenticated using (false) with check (true)`)
    const during = (operation: string) =>
      app.sql(`alter policy seen on storage.objects using (storage.allow_only_operation('${operation}')
        and current_setting('request.method') <> '' and current_setting('request.path') like '/object/%'
        and current_setting('request.jwt.claim.sub') = auth.uid()::text and current_setting('request.jwt') <> ''
        and current_setting('request.jwt.claim.role') = 'authenticated'
        and current_setting('request.headers')::json->>'authorization' like 'Bearer %')`)
    for (const [operation, request, body] of [...reads, ...lists]) {
      const ask = async () => {
        const [method = '', path = ''] = request.split(' ')
        const answer = await app.call(path, {
          method,
          as: maria,
          headers: body === undefined ? {} : json,
          ...(body === undefined ? {} : { body }),
        })
        const text = await answer.text()
        return [answer.status, (text.includes('a.png') && !text.includes('"signedURL":null')) || method === 'HEAD']
      }
      await during('storage.something.else')
      const hidden = await ask()
      await during(operation.replace('storage.', ''))
      const visible = await ask()
      if (operation.startsWith('storage.object.delete')) await app.client().from('b').upload('f/a.png', 'x')
      expect.soft(visible, operation).not.toEqual(hidden)
      expect.soft(visible[0], operation).toBe(200)
    }
  })

  test('triggers see which one writes', async ({ app }) => {
    await app.db.load(`create table public.seen (operation text);
      grant insert on public.seen to service_role, authenticated;
      create function public.note() returns trigger language plpgsql as $$
      begin
        insert into public.seen values (storage.operation());
        return null;
      end $$;
      create trigger note after insert or update or delete on storage.objects for each row execute function public.note()`)
    const from = app.client().from('b')
    const calls: readonly (readonly [operation: string, () => Promise<unknown>])[] = [
      ['storage.object.upload', () => from.upload('a', 'x')],
      ['storage.object.upload_update', () => from.update('a', 'y')],
      [
        'storage.object.upload_signed',
        async () => from.uploadToSignedUrl('s', (await from.createSignedUploadUrl('s')).data?.token ?? '', 'z'),
      ],
      ['storage.object.copy', () => from.copy('a', 'c')],
      ['storage.object.move', () => from.move('c', 'd')],
      ['storage.object.delete_many', () => from.remove(['d'])],
      ['storage.object.delete', () => app.call('/object/b/s', { method: 'DELETE' })],
    ]
    for (const [, call] of calls) await call()
    expect(await app.sql('select operation from seen')).toEqual(calls.map(([operation]) => ({ operation })))
  })
})
