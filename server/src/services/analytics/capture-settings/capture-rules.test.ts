import { expect } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { type OperatorRole, recordedActions } from '../../../../test/operator-actions.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { analyticsTables, type CaptureRules, captureSettingRoutes, createCaptureRules } from '../index.ts'
import { captureSettings } from './settings.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A process's rules, of settings that a file says. */
async function openRules(db: TestDatabase, file: Readonly<Record<string, unknown>> = {}): Promise<CaptureRules> {
  await db.migrate('analytics', analyticsTables.postgres)
  const source = { name: (setting: string) => `clew.toml: ${setting}`, values: file }
  const { values, places } = readSettings(captureSettings, [source])
  return createCaptureRules({ sql: db.admin, listen: db.listen, settings: values, places, log: silent })
}

async function open(rules: CaptureRules, role: OperatorRole = 'owner') {
  const { actions, log } = recordedActions(role)
  const ask = await consoleApp(async (part) => {
    part.addHook('onRequest', async (request) => request.setDecorator('operator', { email: 'olga@example.com' }))
    await part.register(captureSettingRoutes(rules, actions))
  })
  const find = async (name: string) => {
    const { body } = await ask('GET', '/capture-settings')
    return body.settings?.find((setting: { readonly name: string }) => setting.name === name)
  }
  /** @param replaces when it was last changed, as the operator knows */
  const put = async (name: string, value: string | null, replaces?: string | null) => {
    const known = replaces === undefined ? ((await find(name))?.changed?.at ?? null) : replaces
    return ask('PUT', `/capture-settings/${name}`, { value, replaces: known })
  }
  return { ask, put, find, log }
}

test('what an owner says holds at once, in every process, and after a restart', async ({ db }) => {
  const [rules, other] = [await openRules(db), await openRules(db)]
  expect((await other.current()).recordSampleRate).toBe(1)
  const { put, find, log } = await open(rules)
  expect((await put('record_sample_rate', '0.25')).status).toBe(204)
  expect((await put('record_url_triggers', '["/a{1,2}"]')).status).toBe(204)
  const said = { recordSampleRate: 0.25, recordUrlTriggers: ['/a{1,2}'] }
  expect(await rules.current()).toMatchObject(said)
  await expect.poll(() => other.current()).toMatchObject(said)
  expect(await find('record_sample_rate')).toMatchObject({
    ...{ title: 'Sample rate', value: '0.25', default: '1', pinned: null, changed: { by: 'olga@example.com' } },
    form: { kind: 'number', allowed: 'a number from 0 to 1' },
  })
  expect(log).toEqual([
    { name: 'recording.setting', target: 'record_sample_rate: "0.25"' },
    { name: 'recording.setting', target: 'record_url_triggers: "[\\"/a{1,2}\\"]"' },
  ])
  const restarted = await openRules(db)
  expect(await restarted.current()).toMatchObject(said)
  expect((await put('record_sample_rate', null)).status).toBe(204)
  expect(await rules.current()).toMatchObject({ ...said, recordSampleRate: 1 })
  expect(await find('record_sample_rate')).toMatchObject({ value: '1', changed: null })
  await Promise.all([rules.close(), other.close(), restarted.close()])
})

test('what browsers send events of is changed as recordings are, under an action of its own', async ({ db }) => {
  const rules = await openRules(db)
  const { put, find, log } = await open(rules)
  expect((await put('capture_web_vitals_metrics', '["LCP","CLS"]')).status).toBe(204)
  expect((await put('capture_heatmaps', 'true')).status).toBe(204)
  expect(await rules.current()).toMatchObject({ captureWebVitalsMetrics: ['LCP', 'CLS'], captureHeatmaps: true })
  expect(await find('capture_web_vitals_metrics')).toMatchObject({
    ...{ part: 'events', group: 'experience', title: 'Measured web vitals', value: '["LCP","CLS"]' },
    form: { kind: 'list', choices: ['LCP', 'INP', 'CLS', 'FCP'], allowed: 'a list of LCP, INP, CLS, FCP' },
  })
  expect(await find('record_canvas')).toMatchObject({ part: 'recordings', costs: null })
  expect(log.map(({ name, target }) => [name, target])).toEqual([
    ['capture.setting', 'capture_web_vitals_metrics: "[\\"LCP\\",\\"CLS\\"]"'],
    ['capture.setting', 'capture_heatmaps: "true"'],
  ])
  await rules.close()
})

test('what a file says is not changed in the console, and is stronger than what was said there before', async ({
  db,
}) => {
  const before = await openRules(db)
  await before.change('record_block_selector', { text: '#earlier', replaces: null }, 'olga@example.com')
  await before.close()
  const rules = await openRules(db, { recordBlockSelector: '#card' })
  const { put, find } = await open(rules)
  const fixed = { value: '"#card"', pinned: 'clew.toml: recordBlockSelector', changed: null }
  expect(await find('record_block_selector')).toMatchObject(fixed)
  expect(await put('record_block_selector', '#other')).toMatchObject({
    ...{ status: 409, body: { code: 'CLEW_CAPTURE_SETTING_PINNED' } },
  })
  expect((await put('record_block_selector', null)).status).toBe(409)
  expect((await rules.current()).recordBlockSelector).toBe('#card')
  await rules.close()
})

test.for([
  ['record_sample_rate', '1.5'],
  ['record_sample_rate', 'half'],
  ['record_minimum_ms', '30001'],
  ['record_sessions', 'perhaps'],
  ['record_trigger_match', 'none'],
  ['record_url_triggers', '["("]'],
  ['record_url_triggers', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['record_event_triggers', '[""]'],
  ['capture_web_vitals_metrics', '["LCP","TTFB"]'],
  ['capture_web_vitals_metrics', '["LCP","LCP"]'],
] as const)('a value that the setting does not allow is refused: %s', async ([name, value], { db }) => {
  const rules = await openRules(db)
  const { put } = await open(rules)
  expect(await put(name, value)).toMatchObject({ status: 400, body: { code: 'CLEW_CAPTURE_SETTING_VALUE' } })
  expect(await rules.current()).toEqual(readSettings(captureSettings, []).values)
  await rules.close()
})

test.for(['#\u0000', '\ud800', '‮x', "'; drop table x; --", '</script>', '__proto__'])(
  'any text is kept as it is: %j',
  async (text, { db }) => {
    const rules = await openRules(db)
    await rules.change('record_linked_flag', { text: text, replaces: null }, 'olga@example.com')
    expect((await rules.current()).recordLinkedFlag).toBe(text)
    await rules.close()
  },
)

test('a setting of another name, and a text without end, are refused', async ({ db }) => {
  const rules = await openRules(db)
  const { put } = await open(rules)
  expect((await put('__proto__', '1')).status).toBe(404)
  expect((await put('max_body_bytes', '1024')).status).toBe(404)
  expect((await put('record_linked_flag', 'x'.repeat(20_001))).status).toBe(400)
  await rules.close()
})

test('those who may look see the settings, owners alone change them', async ({ db }) => {
  const rules = await openRules(db)
  for (const [role, sees] of [
    ['developer', 200],
    ['analyst', 200],
    ['viewer', 403],
  ] as const) {
    const { ask, put, log } = await open(rules, role)
    expect([role, (await ask('GET', '/capture-settings')).status]).toEqual([role, sees])
    expect([role, (await put('record_sessions', 'false')).status, log]).toEqual([role, 403, []])
  }
  expect((await rules.current()).recordSessions).toBe(true)
  await rules.close()
})

test('a value that a version does not allow any more gives way to the default', async ({ db }) => {
  const rules = await openRules(db)
  await rules.change('record_minimum_ms', { text: '5000', replaces: null }, 'olga@example.com')
  await db.admin.query({
    text: `update clew_analytics.capture_settings set value = '99999999'`,
    values: [],
  })
  await expect.poll(async () => (await rules.current()).recordMinimumMs).toBe(0)
  await rules.close()
})

test('of two who change one setting at once one does, and the other is told who it was', async ({ db }) => {
  const rules = await openRules(db)
  const { find, put } = await open(rules)
  const both = async (first: string | null, second: string | null, replaces: string | null) => {
    const answers = await Promise.all([
      put('record_sample_rate', first, replaces),
      put('record_sample_rate', second, replaces),
    ])
    return answers.toSorted((left, right) => left.status - right.status)
  }
  let replaces: string | null = null
  for (let round = 1; round <= 20; round += 1) {
    const [done, refused] = await both(`0.${round}1`, `0.${round}2`, replaces)
    expect([done?.status, refused?.status]).toEqual([204, 409])
    const { changed } = await find('record_sample_rate')
    expect(refused?.body).toMatchObject({
      code: 'CLEW_CAPTURE_SETTING_CHANGED',
      message: `olga@example.com changed the setting meanwhile, at ${changed.at.slice(0, 16).replace('T', ' ')} UTC.`,
    })
    expect(changed.at).not.toBe(replaces)
    replaces = changed.at
  }
  // Both wish the default, and one of them a value that replaces what is gone.
  expect((await both(null, null, replaces)).map(({ status }) => status)).toEqual([204, 204])
  expect(await put('record_sample_rate', '0.5', replaces)).toMatchObject({
    ...{ status: 409, body: { code: 'CLEW_CAPTURE_SETTING_CHANGED' } },
  })
  expect((await rules.current()).recordSampleRate).toBe(1)
  await rules.close()
})

test('what a later version does not allow any more is changed, or taken back', async ({ db }) => {
  const rules = await openRules(db)
  const { find, put } = await open(rules)
  await put('record_minimum_ms', '5000')
  for (const [value, now] of [
    ['2000', '2000'],
    [null, '0'],
  ] as const) {
    await db.admin.query({ text: `update clew_analytics.capture_settings set value = '99999999'`, values: [] })
    await expect.poll(async () => (await find('record_minimum_ms')).value).toBe('0')
    expect((await put('record_minimum_ms', value)).status).toBe(204)
    expect((await find('record_minimum_ms')).value).toBe(now)
  }
  await rules.close()
})
