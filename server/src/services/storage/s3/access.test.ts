import { createHmac } from 'node:crypto'
import * as aws from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { describe, expect } from 'vitest'
import { filesIn, s3Test as test } from '../../../../test/s3-app.ts'
import { anonKey } from '../../../../test/storage-app.ts'
import { localS3AccessKey } from './keys.ts'

const maria = '11111111-1111-4111-8111-111111111111'

describe('who may (storage §10)', () => {
  test('a presigned URL needs no key, and is good for one request', async ({ app }) => {
    const Key = 'a b.html'
    const sign = (command: aws.PutObjectCommand | aws.GetObjectCommand) =>
      // The two commands have no common type that the presigner takes.
      getSignedUrl(app.s3, command as aws.GetObjectCommand, { expiresIn: 60 })
    const url = await sign(new aws.PutObjectCommand({ Bucket: 'b', Key }))
    const stored = await fetch(url, { method: 'PUT', body: '<script>', headers: { 'content-type': 'text/html' } })
    expect([stored.status, await stored.text()]).toEqual([200, ''])
    const read = await sign(new aws.GetObjectCommand({ Bucket: 'b', Key, ResponseContentDisposition: 'attachment' }))
    const answer = await fetch(read)
    expect([answer.status, await answer.text()]).toEqual([200, '<script>'])
    // It opens in a browser.
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(answer.headers.get('content-disposition')).toBe('attachment')
    for (const [changed, code] of [
      [read.replace('a%20b', 'a%20c'), 'SignatureDoesNotMatch'],
      [read.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'), 'SignatureDoesNotMatch'],
      [`${app.url}/storage/v1/s3/b/a%20b.html`, 'AccessDenied'],
    ] as const) {
      const refused = await fetch(changed)
      expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining(`<Code>${code}</Code>`)])
    }
  })

  test('an unknown key, and a known one with another secret, are refused', async ({ app: { as } }) => {
    const list = new aws.ListBucketsCommand()
    await expect(as({ accessKeyId: 'x' }).send(list)).rejects.toMatchObject({ name: 'InvalidAccessKeyId' })
    await expect(as({ secretAccessKey: 'x' }).send(list)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' })
  })

  test('a user is held to the policies', async ({ app }) => {
    const user = (token: string) => app.as({ accessKeyId: 'project', secretAccessKey: anonKey, sessionToken: token })
    const s3 = user(app.token(maria))
    await app.s3.send(new aws.PutObjectCommand({ Bucket: 'b', Key: 'other/a', Body: 'x' }))
    const own = { Bucket: 'b', Key: `${maria}/a`, Body: 'mine' }
    await expect(s3.send(new aws.PutObjectCommand(own))).rejects.toMatchObject({
      name: 'AccessDenied',
      $metadata: { httpStatusCode: 403 },
    })
    for (const command of ['select', 'insert', 'update', 'delete'])
      await app.db.load(
        `create policy "${command}" on storage.objects for ${command} to authenticated
         ${command === 'insert' ? 'with check' : 'using'} ((storage.foldername(name))[1] = (auth.uid())::text)`,
      )
    await s3.send(new aws.PutObjectCommand(own))
    expect(await app.sql(`select owner_id from storage.objects where name like '1%'`)).toEqual([{ owner_id: maria }])
    const { Contents } = await s3.send(new aws.ListObjectsV2Command({ Bucket: 'b' }))
    expect(Contents?.map(({ Key }) => Key)).toEqual([own.Key])
    await expect(s3.send(new aws.GetObjectCommand({ Bucket: 'b', Key: 'other/a' }))).rejects.toMatchObject({
      name: 'NoSuchKey',
    })
    await expect(s3.send(new aws.DeleteObjectCommand({ Bucket: 'b', Key: 'other/a' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    })
    const Objects = [{ Key: own.Key }, { Key: 'other/a' }, { Key: 'nothing' }]
    const deleted = await s3.send(new aws.DeleteObjectsCommand({ Bucket: 'b', Delete: { Objects } }))
    expect(deleted.Deleted).toEqual([{ Key: own.Key }, { Key: 'nothing' }])
    expect(deleted.Errors).toMatchObject([{ Key: 'other/a', Code: 'AccessDenied' }])
    const { UploadId } = await app.s3.send(new aws.CreateMultipartUploadCommand({ Bucket: 'b', Key: 'other/b' }))
    const foreign = { Bucket: 'b', Key: 'other/b', UploadId }
    await expect(s3.send(new aws.UploadPartCommand({ ...foreign, PartNumber: 1, Body: 'x' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    })
    await expect(s3.send(new aws.AbortMultipartUploadCommand(foreign))).rejects.toMatchObject({ name: 'AccessDenied' })
    const expired = user(app.token(maria, { exp: 1 }))
    await expect(expired.send(new aws.ListObjectsV2Command({ Bucket: 'b' }))).rejects.toMatchObject({
      name: 'AccessDenied',
    })
  })

  test('a form is stored as its policy allows', async ({ app }) => {
    const date = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
    const credential = `${localS3AccessKey.accessKeyId}/${date.slice(0, 8)}/local/s3/aws4_request`
    const fields = { 'x-amz-algorithm': 'AWS4-HMAC-SHA256', 'x-amz-credential': credential, 'x-amz-date': date }
    const conditions = [
      ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
      { bucket: 'b' },
      ['starts-with', '$key', 'forms/'],
      ['starts-with', '$Content-Type', ''],
      ['eq', '$success_action_status', '201'],
      ['content-length-range', 2, 10],
    ]
    const expiration = new Date(Date.now() + 60_000).toISOString()
    const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64')
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
    const scope = [date.slice(0, 8), 'local', 's3', 'aws4_request']
    const key = scope.reduce<string | Buffer>(
      (before, text) => hmac(before, text),
      `AWS4${localS3AccessKey.secretAccessKey}`,
    )
    const send = async (content: string, name: string) => {
      const form = new FormData()
      const all = { ...fields, policy, 'x-amz-signature': hmac(key, policy).toString('hex'), 'Content-Type': 'text/x' }
      for (const [field, value] of Object.entries({ ...all, key: name, success_action_status: '201' }))
        form.append(field, value)
      form.append('file', new Blob([content]), 'photo.txt')
      const answer = await fetch(`${app.url}/storage/v1/s3/b`, { method: 'POST', body: form })
      return [answer.status, await answer.text()]
    }
    expect(await send('hello', 'forms/$' + '{filename}')).toEqual([
      201,
      expect.stringContaining('<Key>forms/photo.txt'),
    ])
    expect(await app.sql(`select name, metadata->>'mimetype' as type from storage.objects`)).toEqual([
      { name: 'forms/photo.txt', type: 'text/x' },
    ])
    expect(await send('hello', 'other/a')).toEqual([403, expect.stringContaining('InvalidPolicyDocument')])
    expect(await send('x', 'forms/a')).toEqual([403, expect.stringContaining('smaller')])
    expect(await send('hello, world', 'forms/a')).toEqual([413, expect.stringContaining('EntityTooLarge')])
    expect(await filesIn(app)).toBe(1)
  })
})
