import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../test/functions-app.ts'

// What the author of a function that does not start is told (functions §3).
const sources = {
  'syntax/index.ts': `const a = 1\nconst b: = 2\nDeno.serve(() => new Response('x'))`,
  'missing/index.ts': `import { gone } from './gone.ts'\nDeno.serve(() => new Response(gone))`,
  'package/index.ts': `import { gone } from 'never-heard-of'\nDeno.serve(() => new Response(gone))`,
  'throws/index.ts': `const settings = {}\nsettings.missing.read()\nDeno.serve(() => new Response('x'))`,
  'silent/index.ts': 'export const nothing = 1',
}

let app: FunctionsApp
let production: FunctionsApp
beforeAll(async () => {
  app = await openFunctions(sources)
  production = await openFunctions(
    { ...sources, 'answers/index.ts': `Deno.serve(() => new Response('', { status: 418 }))` },
    { watches: false },
  )
})
afterAll(async () => {
  await app.close()
  await production.close()
})

test.each([
  ['syntax', ['supabase/functions/syntax/index.ts:2:10', 'const b: = 2']],
  ['missing', ['supabase/functions/missing/index.ts:1:22', 'gone.ts']],
  ['package', ['supabase/functions/package/index.ts:1:22', 'never-heard-of']],
  ['throws', ['TypeError', 'supabase/functions/throws/index.ts:2:18']],
  ['silent', ['No server was registered']],
])('functions §3 in local mode the answer of %s and its log say what is wrong, and where', async (name, words) => {
  const answer = await app.call(`/${name}`)
  const body = (await answer.json()) as { readonly code: string; readonly details: string }
  expect([answer.status, body.code]).toEqual([503, 'BOOT_ERROR'])
  const logged = () => app.logs.find((line) => line.name === name && line.kind === 'boot_failure')?.text
  await expect.poll(logged).toBeDefined()
  for (const word of words) {
    expect(body.details).toContain(word)
    expect(logged()).toContain(word)
  }
  // The folder of its version is nobody's business.
  expect(body.details).not.toContain(app.project.replace(/project$/, 'run'))
})

test('functions §2 in production a preflight is the function’s to answer, and so is who reads its answers', async () => {
  const headers = { origin: 'https://cafe.test', 'access-control-request-method': 'POST' }
  const preflight = await production.call('/answers', { method: 'OPTIONS', headers })
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([418, null])
  const answer = await production.call('/answers', { headers })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([418, null])
})

test.each(Object.keys(sources).map((path) => path.split('/')[0]))(
  'functions §3 in production the answer of %s says nothing of its source',
  async (name) => {
    const answer = await production.call(`/${name}`)
    const body = { code: 'BOOT_ERROR', message: 'Worker failed to boot (please check logs)' }
    expect([answer.status, await answer.json()]).toEqual([503, body])
  },
)
