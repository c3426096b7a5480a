import { expect, test } from 'vitest'
import { openScriptLibrary } from './library.ts'

const sessions = { checkAndGetSessionAndWindowId: () => ({ sessionId: 'session-1', windowId: 'window-1' }) }
const ofSession = { 'x-posthog-session-id': 'session-1', 'x-posthog-window-id': 'window-1' }
const ofPerson = { 'x-posthog-distinct-id': 'ada' }

const calls: readonly [builds: string, args: readonly unknown[], headers: object][] = [
  ['1.200 to 1.252', [sessions], ofSession],
  ['1.255', ['ada', sessions], { ...ofSession, ...ofPerson }],
  ['from 1.257 on, for this host', [['api.example'], 'ada', sessions], { ...ofSession, ...ofPerson }],
  ['from 1.257 on, for another host', [['other.example'], 'ada', sessions], {}],
]

test.each(calls)('the patches of fetch understand the call of posthog-js %s', async (_builds, args, headers) => {
  const script = await (await openScriptLibrary()).findForEarlierBuilds('tracing-headers.js')
  const sent: Headers[] = []
  const page = {
    fetch: async (input: string, init?: RequestInit) => sent.push(new Request(input, init).headers),
    __PosthogExtensions__: { tracingHeadersPatchFns: { _patchFetch: (..._args: readonly unknown[]) => undefined } },
  }
  new Function('window', String(script?.plain))(page)
  page.__PosthogExtensions__.tracingHeadersPatchFns._patchFetch(...args)
  await page.fetch('https://api.example/rest/v1/products', { headers: { accept: 'text/csv' } })
  expect(sent.map((one) => Object.fromEntries(one))).toEqual([{ accept: 'text/csv', ...headers }])
})

test('what is loaded under a version’s path is the package’s own', async () => {
  const library = await openScriptLibrary()
  const own = await library.find('tracing-headers.js')
  expect((await library.findForEarlierBuilds('tracing-headers.js'))?.plain.subarray(0, own?.plain.length)).toEqual(
    own?.plain,
  )
  expect(await library.findForEarlierBuilds('surveys.js')).toBe(await library.find('surveys.js'))
  expect(await library.findForEarlierBuilds('../package.json')).toBeNull()
})
