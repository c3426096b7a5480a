import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { compact, post, test, token } from '../../../../test/edge-world.ts'

test('an unchanged posthog-js is told to record, and to ask for no flags', async ({ edge }) => {
  const config = await (await fetch(`${edge.url}/array/${token}/config?ip=0`)).json()
  expect(config).toMatchObject({
    supportedCompression: ['gzip', 'gzip-js'],
    autocapture_opt_out: false,
    hasFeatureFlags: false,
    elementsChainAsString: true,
    sessionRecording: {
      endpoint: '/s/',
      consoleLogRecordingEnabled: true,
      networkPayloadCapture: { recordHeaders: true },
    },
  })
  const script = await fetch(`${edge.url}/array/${token}/config.js`)
  expect(script.headers.get('content-type')).toContain('javascript')
  const page: { _POSTHOG_REMOTE_CONFIG?: Record<string, unknown> } = {}
  new Function('window', await script.text())(page)
  expect(page._POSTHOG_REMOTE_CONFIG).toEqual({ [token]: { config, siteApps: [] } })
  expect((await fetch(`${edge.url}/array/phc_other/config.js`)).status).toBe(404)
})

test('flags are answered in every version’s form', async ({ edge }) => {
  const ask = async (path: string) => (await post(`${edge.url}${path}`, compact({ token, distinct_id: 'ada' }))).json()
  expect(await ask('/flags/?v=2')).toMatchObject({ flags: {}, errorsWhileComputingFlags: false })
  expect(await ask('/flags?v=2&config=true')).toMatchObject({ flags: {}, supportedCompression: ['gzip', 'gzip-js'] })
  expect(await ask('/decide/?v=3')).toMatchObject({ featureFlags: {}, featureFlagPayloads: {}, hasFeatureFlags: false })
  expect(await ask('/decide/?v=4')).toMatchObject({ flags: {}, hasFeatureFlags: false })
  expect(await ask('/decide/')).toMatchObject({ featureFlags: [] })
  expect((await post(`${edge.url}/flags/?v=2`, compact({ token }))).status).toBe(400)
  expect((await post(`${edge.url}/flags/?v=2`, compact({ token: 'phc_other', distinct_id: 'a' }))).status).toBe(401)

  const definitions = `${edge.url}/flags/definitions?token=${token}&send_cohorts`
  expect((await fetch(definitions)).status).toBe(401)
  const headers = { authorization: 'Bearer sb_secret_test' }
  const answer = await fetch(definitions, { headers })
  expect(await answer.json()).toEqual({ flags: [], group_type_mapping: {}, cohorts: {} })
  const again = await fetch(definitions, { headers: { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  expect(await (await fetch(`${edge.url}/api/surveys/?token=${token}`)).json()).toEqual({ surveys: [] })
})

test('scripts are the npm package’s own, whatever version is asked for', async ({ edge }) => {
  const file = await readFile(new URL('../../../../../node_modules/posthog-js/dist/lazy-recorder.js', import.meta.url))
  const { version } = edge.analytics.edge.scripts
  const cases: readonly [path: string, cache: RegExp][] = [
    [`/static/${version}/lazy-recorder.js`, /immutable/],
    ['/static/1.999.0/lazy-recorder.js', /max-age=60$/],
    [`/static/lazy-recorder.js?v=${version}`, /max-age=60$/],
  ]
  for (const [path, cache] of cases) {
    for (const encoding of ['identity', 'gzip']) {
      const answer = await fetch(`${edge.url}${path}`, { headers: { 'accept-encoding': encoding } })
      expect(answer.headers.get('content-type')).toContain('javascript')
      expect(answer.headers.get('cache-control')).toMatch(cache)
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null)
      expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true)
    }
  }
  for (const path of [
    '/static/toolbar.js',
    '/static/1.0.0/..%2Fpackage.json',
    '/static/%2e%2e%2fpackage.json',
    '/static/main.d.ts',
  ]) {
    const answer = await fetch(`${edge.url}${path}`)
    expect([path, answer.status]).toEqual([path, 404])
    expect(answer.headers.get('content-type')).toContain('application/json')
  }
})
