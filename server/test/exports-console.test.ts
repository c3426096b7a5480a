import { expect } from 'vitest'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { localS3AccessKey } from '../src/services/storage/s3/keys.ts'
import { createExport, definition, keysIn, openExports, test } from './exports-world.ts'

test('a connection is tested by an object that does not stay, with the kept secret for its own server only', async ({
  world,
}) => {
  const app = await openExports(world)
  const { name, kinds, format, schedule, secretAccessKey, ...place } = definition(world)
  const ask = async (more: object) => (await app.call('POST', '/exports/test', { ...place, ...more })).body
  expect(await ask({ secretAccessKey })).toEqual({ ok: true, detail: null })
  expect(await keysIn(world)).toEqual([])
  expect(await ask({ secretAccessKey: 'wrong' })).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/signature/i),
  })
  expect(await ask({ secretAccessKey, bucket: 'none' })).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/bucket/i),
  })
  const id = await createExport(app, { name, kinds, format, schedule, secretAccessKey, ...place })
  expect(await ask({ id })).toEqual({ ok: true, detail: null })
  expect((await ask({ id, endpoint: 'http://127.0.0.1:9' })).code).toBe('CLEW_EXPORTS_SECRET_NEEDED')
  expect((await ask({ secretAccessKey, endpoint: 'http://10.0.0.1:9000' })).code).toBe('CLEW_EXPORTS_ENDPOINT')
})

test('an export is checked, its secret never answered; analysts look, and change nothing', async ({ world }) => {
  const app = await openExports(world)
  const refused = async (more: object) => (await app.call('POST', '/exports', definition(world, more))).body.code
  expect(await refused({ schedule: 'now and then' })).toBe('CLEW_EXPORTS_SCHEDULE')
  expect(await refused({ schedule: '30 seconds' })).toBe('CLEW_EXPORTS_SCHEDULE')
  expect(await refused({ endpoint: 'ftp://127.0.0.1' })).toBe('CLEW_EXPORTS_ENDPOINT')
  expect(await refused({ secretAccessKey: undefined })).toBe('CLEW_EXPORTS_SECRET_NEEDED')
  const id = await createExport(app, definition(world))
  expect(await refused({})).toBe('CLEW_EXPORTS_NAME_TAKEN')
  await createExport(app, definition(world, { name: 'two' }))
  await createExport(app, definition(world, { name: 'three' }))
  expect(await refused({ name: 'four' })).toBe('CLEW_EXPORTS_TOO_MANY')
  const kept = await world.db.admin.query({ text: 'select e::text as row from clew_exports.exports e', values: [] })
  const analyst = await openExports(world, {}, 'analyst')
  const listed = await analyst.call('GET', '/exports')
  expect(listed.body.exports).toHaveLength(3)
  expect(JSON.stringify([listed.body, kept.rows])).not.toContain(localS3AccessKey.secretAccessKey)
  for (const [method, path, body] of [
    ['POST', '/exports', definition(world, { name: 'more' })],
    ['PUT', `/exports/${id}`, { version: 1, export: definition(world) }],
    ['DELETE', `/exports/${id}`],
    ['POST', `/exports/${id}/runs`],
    ['POST', `/exports/${id}/pause`, { paused: true }],
    ['POST', `/exports/${uuidv7()}/runs`],
  ] as const)
    expect((await analyst.call(method, path, body)).status).toBe(403)
  expect((await (await openExports(world, {}, 'viewer')).call('GET', '/exports')).status).toBe(403)
  expect((await app.call('DELETE', `/exports/${id}`)).status).toBe(204)
  expect((await app.call('DELETE', `/exports/${id}`)).body.code).toBe('CLEW_EXPORTS_NOT_FOUND')
})
