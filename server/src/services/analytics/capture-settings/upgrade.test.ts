import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { analyticsTables, createCaptureRules } from '../index.ts'
import { captureSettings } from './settings.ts'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

test('what owners said of recordings before there were settings of capture is kept, and holds', async ({ db }) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const isLater = /\/0(01[2-9]|0[2-9]\d)_[^/]*$/
  cpSync(fileURLToPath(analyticsTables.postgres), folder, { recursive: true, filter: (path) => !isLater.test(path) })
  await db.migrate('analytics', pathToFileURL(`${folder}/`))
  const insert = `
    insert into clew_analytics.recording_settings (name, value, changed_at, changed_by)
    values ('record_sample_rate', '0.25', '2026-01-02 03:04:05Z', 'olga@x.test'),
      ('record_url_triggers', '["/checkout", "/a\\u0000b"]', '2026-01-02 03:04:06Z', 'bob@x.test'),
      ('record_sessions', 'false', '2026-01-02 03:04:07Z', 'olga@x.test')`
  await db.admin.query({ text: insert, values: [] })

  await db.migrate('analytics', analyticsTables.postgres)
  const { values, places } = readSettings(captureSettings, [])
  const rules = await createCaptureRules({ sql: db.admin, listen: db.listen, settings: values, places, log })
  onTestFinished(rules.close)
  expect(await rules.current()).toEqual({
    ...values,
    ...{ recordSampleRate: 0.25, recordUrlTriggers: ['/checkout', '/a\0b'], recordSessions: false },
  })
  const listed = await rules.list()
  expect(listed.find(({ name }) => name === 'record_sample_rate')).toMatchObject({
    value: '0.25',
    changed: { at: new Date('2026-01-02T03:04:05Z'), by: 'olga@x.test' },
  })
  // What is written beside the console is heard of as well.
  await db.admin.query({
    text: `delete from clew_analytics.capture_settings where name = 'record_sessions'`,
    values: [],
  })
  await expect.poll(async () => (await rules.current()).recordSessions).toBe(true)
})
