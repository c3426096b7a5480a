import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../test/functions-app.ts'

// How projects lay their functions out (functions §4), without a package of a registry.
const says = (text: string): string => `Deno.serve(() => new Response(${text}))`

const files = {
  '_shared/words.ts': `export const word = 'shared'`,
  'plain/index.js': says(`'javascript'`),
  'module/index.mjs': says(`'module'`),
  'jsx/index.tsx': `
    /** @jsx h */
    const h = (tag: string, _props: unknown, ...children: string[]) => '<' + tag + '>' + children.join('') + '</' + tag + '>'
    Deno.serve(() => new Response(<b>bold</b>))`,
  'data/index.ts': `
    import words from './words.json' with { type: 'json' }
    ${says('words.greeting')}`,
  'data/words.json': '{ "greeting": "from json" }',
  'wasm/index.ts': `
    import { add } from './add.wasm'
    ${says('String(add(40, 2))')}`,
  'mapped/index.ts': `
    import { word } from 'words'
    ${says('word')}`,
  'mapped/deno.jsonc': '{ /* with a comment */ "imports": { "words": "../_shared/words.ts" } }',
  'own-map/index.ts': `
    import { word } from '@/words.ts'
    ${says('word')}`,
  'own-map/map.json': '{ "imports": { "@/": "../_shared/" } }',
  'elsewhere/main.ts': says(`'custom entry'`),
  'pages/index.ts': `
    Deno.serve(async () => new Response(
      (await Deno.readTextFile(new URL('./page.html', import.meta.url))) + (await Deno.readTextFile('./pages/page.html'))))`,
  'pages/page.html': '<p>',
  'options/index.ts': `Deno.serve({ port: 8000, hostname: '0.0.0.0', onListen() {} }, () => new Response('options'))`,
  'handled/index.ts': `Deno.serve({ handler: () => new Response('handler'), onError: () => new Response('own error', { status: 418 }) })`,
  'own-error/index.ts': `Deno.serve({ onError: (error) => new Response(error.message, { status: 418 }) }, () => { throw new Error('mine') })`,
  'types/index.ts': `
    import 'jsr:@supabase/functions-js/edge-runtime.d.ts'
    ${says(`'typed'`)}`,
  'nodes/index.ts': `
    import { createHash } from 'node:crypto'
    import { Buffer } from 'node:buffer'
    ${says(`createHash('md5').update(Buffer.from('a')).digest('hex')`)}`,
  'lazy/index.ts': `Deno.serve(async () => new Response((await import('../_shared/words.ts')).word))`,
  'far/index.ts': `
    import { near } from '../../../lib/near.ts'
    Deno.serve(async () => new Response(near + (await import('../../../lib/far.ts')).far))`,
  '../../lib/near.ts': `import { far } from './deep/far.ts'; export const near = far`,
  '../../lib/deep/far.ts': `export const far = 'out of '`,
  '../../lib/far.ts': `export const far = 'supabase/'`,
  'off/index.ts': says(`'never'`),
}

/** Exports `add`, of two 32-bit integers. */
const addWasm = Buffer.from('AGFzbQEAAAABBwFgAn9/AX8DAgEABwcBA2FkZAAACgkBBwAgACABags=', 'base64')

let app: FunctionsApp
beforeAll(async () => {
  app = await openFunctions(files, {
    settings: {
      each: {
        'own-map': { import_map: './functions/own-map/map.json' },
        elsewhere: { entrypoint: './functions/elsewhere/main.ts' },
        pages: { static_files: ['./functions/pages/*.html'] },
        off: { enabled: false },
      },
    },
  })
  await writeFile(join(app.project, 'supabase', 'functions', 'wasm', 'add.wasm'), addWasm)
})
afterAll(() => app.close())

test.each([
  ['plain', 200, 'javascript'],
  ['module', 200, 'module'],
  ['jsx', 200, '<b>bold</b>'],
  ['data', 200, 'from json'],
  ['wasm', 200, '42'],
  ['mapped', 200, 'shared'],
  ['own-map', 200, 'shared'],
  ['elsewhere', 200, 'custom entry'],
  ['pages', 200, '<p><p>'],
  ['options', 200, 'options'],
  ['handled', 200, 'handler'],
  ['own-error', 418, 'mine'],
  ['types', 200, 'typed'],
  ['nodes', 200, '0cc175b9c0f1b6a831c399e269772661'],
  ['lazy', 200, 'shared'],
  ['far', 200, 'out of supabase/'],
])('functions §4 %s answers %i', async (name, status, text) => {
  const answer = await app.call(`/${name}`)
  expect([answer.status, await answer.text()]).toEqual([status, text])
})

test('functions §4 a function that is turned off is not there', async () => {
  expect((await app.call('/off')).status).toBe(404)
})
