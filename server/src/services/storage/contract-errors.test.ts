import { describe, expect } from 'vitest'
import { type Answer, check, refused, answersTest as test } from '../../../test/storage-answers.ts'

const maria = '11111111-1111-4111-8111-111111111111'

describe('errors (storage §1)', () => {
  const key = (code: string) => `err/${code}`
  const states: readonly (readonly [state: string, httpStatus: number, ReturnType<typeof refused>])[] = [
    ['25006', 400, refused('503', 'DatabaseReadOnly', 'DatabaseReadOnly', /read-only mode/)],
    ['25P02', 500, refused('500', 'DatabaseTransactionAborted', 'DatabaseTransactionAborted')],
    ['42P17', 400, refused('503', 'DatabaseInvalidObjectDefinition', 'DatabaseInvalidObjectDefinition')],
    ['42703', 400, refused('503', 'DatabaseSchemaMismatch', 'DatabaseSchemaMismatch', /function fails\(\)/)],
    ['42P01', 400, refused('503', 'DatabaseSchemaMismatch', 'DatabaseSchemaMismatch')],
    [
      '23505',
      400,
      // Of the name itself before the bytes are stored; of whatever a trigger means, afterwards.
      { ...refused('409', 'Duplicate', ''), code: expect.stringMatching(/^(?:Key|Resource)AlreadyExists$/) },
    ],
    ['23503', 400, refused('404', 'InvalidRequest', 'InvalidRequest', /^The related resource does not exist$/)],
    ['55P03', 400, refused('423', 'ResourceLocked', 'ResourceLocked', /^The resource is locked$/)],
    ['57014', 544, refused('544', 'DatabaseTimeout', 'DatabaseTimeout', /timed out$/)],
    ['53300', 429, refused('429', 'too_many_connections', 'SlowDown', /^Too many connections/)],
    ['42501', 400, refused('403', 'Unauthorized', 'AccessDenied')],
    ['P0001', 500, refused('500', 'DatabaseError', 'DatabaseError', /^database error, code: P0001$/)],
  ]
  test('of policies and triggers are what their SQLSTATE means', async ({ app }) => {
    await app.db.load(`create function public.fails() returns trigger language plpgsql as $$
      begin
        raise exception 'raised' using errcode = split_part(new.name, '/', 2);
      end $$;
      create trigger fails before insert on storage.objects for each row when (new.name like 'err/%')
        execute function public.fails();
      create policy all_of_them on storage.objects for all to authenticated using (true) with check (true)`)
    for (const [state, status, json] of states)
      for (const as of [maria, 'service_role'])
        await check(app, {
          rule: `${state} ${as}`,
          request: `POST /object/b/${key(state)}`,
          as,
          body: 'x',
          status,
          json,
        })
    const left: string[] = []
    for await (const { id } of app.files.list()) left.push(id)
    expect(left).toHaveLength(1)
  })

  test('a bucket with an upload that is not complete is referenced', async ({ app }) => {
    await app.db.admin.query({
      text: `insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version) values ('x', '', 'b', 'a', 'v')`,
      values: [],
    })
    const json = refused('409', 'ResourceReferenced', 'ResourceReferenced', /pending multipart upload/)
    await check(app, { rule: 'referenced', request: 'DELETE /bucket/b', status: 400, json })
  })

  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  const cases: readonly Answer[] = [
    {
      rule: 'a header value that is none',
      request: 'POST /object/b/a',
      headers: form,
      body: '--x\r\ncontent-disposition: form-data; name="contentType"\r\n\r\na\u0007\r\n--x\r\ncontent-disposition: form-data; name=""; filename="f"\r\n\r\nx\r\n--x--\r\n',
      status: 400,
      json: refused('400', 'invalid_header_char', 'InvalidRequest'),
    },
    {
      rule: 'robots that are none',
      request: 'POST /object/b/a',
      headers: { 'x-robots-tag': 'everything' },
      body: 'x',
      status: 400,
      json: refused('400', 'invalid_x_robots_tag', 'InvalidRequest', /^Invalid X-Robots-Tag header/),
    },
    {
      rule: 'a cursor that is none',
      request: 'POST /object/list-v2/b',
      headers: { 'content-type': 'application/json' },
      body: '{"cursor":"%%%"}',
      status: 400,
      json: refused('400', 'InvalidParameter', 'InvalidParameter'),
    },
    {
      rule: 'a body of another type counts as none',
      request: 'POST /bucket',
      headers: { 'content-type': 'text/plain' },
      body: '{"name":"x"}',
      status: 400,
      json: refused('400', 'Error', 'InvalidRequest'),
    },
    {
      rule: 'a body of JSON that is too large',
      request: 'POST /object/list/b',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prefix: 'x'.repeat(2_200_000) }),
      status: 413,
      json: refused('413', 'Payload too large', 'EntityTooLarge'),
    },
    {
      rule: 'metadata over a mebibyte',
      request: 'POST /object/b/a',
      headers: form,
      body: `--x\r\ncontent-disposition: form-data; name="metadata"\r\n\r\n{"a":"${'x'.repeat(1024 * 1024)}"}\r\n--x\r\ncontent-disposition: form-data; name=""; filename="f"\r\n\r\nx\r\n--x--\r\n`,
      status: 400,
      json: refused('413', 'Payload too large', 'EntityTooLarge', /^The user_metadata exceeded/),
    },
    ...(
      [
        ['x', 'InvalidJWT', /./],
        ['', 'InvalidJWT', /./],
      ] as const
    ).map(([token, code, message]) => ({
      rule: `a signed URL with the token ${token}`,
      request: `GET /object/sign/open/a.txt?token=${token}`,
      as: null,
      status: 400,
      json: refused('400', code, code, message),
    })),
    {
      rule: 'a signed URL without a token',
      request: 'GET /object/sign/open/a.txt',
      as: null,
      status: 400,
      json: refused('400', 'Error', 'InvalidRequest', /token/),
    },
  ]
  test('of requests', async ({ app }) => {
    for (const one of cases) await check(app, one)
  })
})
