import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect } from 'vitest'
import { test, thrown } from '../../../../test/issues-world.ts'
import { parsePrintedError } from '../exception/stack-text.ts'

const source = `export function payForCart(cart: { total?: { sum: number } }) {
  return cart.total!.sum
}
export function checkOut() {
  return payForCart({})
}
export const outcome = (() => {
  try {
    return String(checkOut())
  } catch (error) {
    return (error as Error).stack
  }
})()
console.log(outcome)`

/** A bundle as a team would deploy it, and the frames of what it throws. */
async function thrownByBundle(folder: string) {
  await writeFile(join(folder, 'cart.ts'), source)
  const outfile = join(folder, 'dist', 'app.js')
  const options = { bundle: true, minify: true, sourcemap: true, write: true, format: 'iife' } as const
  await build({ ...options, entryPoints: [join(folder, 'cart.ts')], outfile, globalName: 'shop', logLevel: 'silent' })
  const lines: string[] = []
  runInNewContext(await readFile(outfile, 'utf8'), { console: { log: (line: string) => lines.push(line) } }, 'app.js')
  const { type, message, frames } = parsePrintedError(lines.join('\n'))
  const sent = frames
    .filter(({ file }) => file === 'app.js')
    .toReversed()
    .map(({ function: name, line, column }) => ({
      ...{ filename: 'https://shop.test/assets/app.js?v=2', function: name, lineno: line, colno: column, in_app: true },
    }))
  return { outfile, properties: { $exception_list: [{ type, value: message, stacktrace: { frames: sent } }] } }
}

test('frames of a minified bundle are shown, and grouped, by the source that its map tells', async ({
  world: { store, call, upload, clock },
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-bundle-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { outfile, properties } = await thrownByBundle(folder)
  const map = await readFile(`${outfile}.map`)
  await store(thrown(clock.ms - 5000, { properties }))
  const before = (await call('GET', '/errors')).body.issues[0]
  expect(before.culprit).not.toContain('cart.ts')
  const { status, body } = await upload('/error-source-maps?path=assets/app.js&release=v1', gzipSync(map))
  expect({ status, hash: body.hash }).toEqual({ status: 201, hash: createHash('sha256').update(map).digest('hex') })
  await store(thrown(clock.ms, { properties: { ...properties, $release: 'v1' } }))
  const [after] = (await call('GET', '/errors?release=v1')).body.issues
  expect(after.culprit).toBe('payForCart in cart.ts')
  for (const { id } of [before, after]) {
    const [{ frames }] = (await call('GET', `/errors/${id}/exceptions/latest`)).body.chain
    expect(frames[0]).toMatchObject({
      ...{ file: 'cart.ts', function: 'payForCart', line: 2, inApp: true },
      context: {
        before: ['export function payForCart(cart: { total?: { sum: number } }) {'],
        line: '  return cart.total!.sum',
      },
      built: { file: 'https://shop.test/assets/app.js?v=2', line: 1 },
    })
    expect(frames[1]).toMatchObject({ function: 'checkOut', line: 5 })
  }
  expect((await call('GET', '/error-source-maps')).body.releases).toMatchObject([{ release: 'v1', files: 1 }])
  expect((await call('DELETE', '/error-source-maps?release=v1')).status).toBe(204)
  expect((await call('DELETE', '/error-source-maps?release=v1')).body.code).toBe('CLEW_ISSUES_NO_RELEASE')
  const [{ frames }] = (await call('GET', `/errors/${after.id}/exceptions/latest`)).body.chain
  expect(frames[0].built).toBeNull()
})

test('what is no source map, or too large a one, is refused', async ({ world: { call, upload, open } }) => {
  const path = '/error-source-maps?path=app.js'
  const large = JSON.stringify({ version: 3, sources: [], names: [], mappings: ';'.repeat(1_100_000) })
  for (const body of [Buffer.from('x'), gzipSync('{"version":3}'), gzipSync('no json'), gzipSync(large)])
    expect((await upload(path, body)).body.code).toBe('CLEW_ISSUES_SOURCE_MAP')
  expect((await call('GET', '/error-source-maps')).body.releases).toEqual([])
  const analyst = await open('analyst')
  expect((await analyst.upload(path, gzipSync('{}'))).status).toBe(403)
  expect((await (await open('viewer')).call('GET', '/error-source-maps')).status).toBe(403)
})
