import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Order, partBytes } from './child/orders.ts'
import { createImageProcess, type ImageProcess } from './image-process.ts'
import { transformImage } from './transform.ts'

const warnings: object[] = []
const log = { info() {}, warn: (details: object) => void warnings.push(details), error() {} }
const plan = {
  width: 10,
  height: null,
  resize: 'cover',
  gravity: { place: 'ce', x: 0, y: 0 },
  quality: null,
  format: 'origin',
} as const
const limits = { maxPixels: 50_000_000, maxSeconds: 10 }
const maxBytes = 10_000_000
const order = (source: Order['source']) => ({ source, plan, limits })

const small = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#f00' } })
  .png()
  .toBuffer()
let folder: string
let images: ImageProcess
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clew-images-'))
  warnings.length = 0
  images = createImageProcess({ threads: 2, log })
})
afterEach(async () => {
  await images.close()
  rmSync(folder, { recursive: true })
})

const file = (name: string, bytes: Buffer): { readonly path: string; readonly maxBytes: number } => {
  writeFileSync(join(folder, name), bytes)
  return { path: join(folder, name), maxBytes }
}

/** The processes of images that this one started. */
const processes = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const parent = Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
        return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('images/child/main')
      } catch {
        return false
      }
    })

const widthOf = async (outcome: Awaited<ReturnType<ImageProcess['run']>>): Promise<number | null> =>
  outcome.kind === 'changed' ? ((await sharp(outcome.image.bytes).metadata()).width ?? null) : null

test('a file and bytes are changed alike, many at once', async () => {
  const path = file('small', small)
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_each, at) => images.run(order(at % 2 === 0 ? path : { bytes: small }))),
  )
  expect(await Promise.all(outcomes.map(widthOf))).toEqual(Array.from({ length: 20 }, () => 10))
  expect(processes()).toHaveLength(1)
})

const noise = (width: number, height: number): Promise<Buffer> =>
  sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()

/** What was made of an image, in few characters: a failed comparison of bytes takes a minute to be told. */
const digestOf = (outcome: Awaited<ReturnType<ImageProcess['run']>>): string =>
  outcome.kind === 'changed' ? createHash('md5').update(outcome.image.bytes).digest('hex') : outcome.kind

test('each of many images is its own, also where more are asked for than there are threads', async () => {
  const bytes = await noise(100, 100)
  const widths = Array.from({ length: 24 }, (_, at) => 10 + at * 3)
  const outcomes = await Promise.all(
    widths.map((width) => images.run({ ...order({ bytes }), plan: { ...plan, width } })),
  )
  const expected = await Promise.all(widths.map((width) => transformImage(bytes, { ...plan, width }, limits)))
  expect(outcomes.map(digestOf)).toEqual(expected.map((image) => digestOf({ kind: 'changed', image })))
})

test('an image that is longer than its part of the file of results arrives whole', async () => {
  const bytes = await noise(1300, 1300)
  const outcome = await images.run({ ...order({ bytes }), plan: { ...plan, width: null } })
  const changed = outcome.kind === 'changed' ? outcome.image.bytes : Buffer.alloc(0)
  expect(changed.length).toBeGreaterThan(partBytes)
  expect((await sharp(changed).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true)
})

test('images are changed where no file of results can be made', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('TMPDIR', join(folder, 'none'))
  expect(await widthOf(await images.run(order({ bytes: small })))).toBe(10)
})

/** Files of results that this process has open. */
const openResults = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`)
      return path.endsWith('(deleted)') && path.includes('clew-images-') ? [path] : []
    } catch {
      return []
    }
  })

test('the file of results has no name, and is closed with its process', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('clew-images-'))
  await images.run(order({ bytes: small }))
  expect(openResults()).toHaveLength(1)
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('clew-images-'))).toEqual(before)
  await images.close()
  expect(openResults()).toEqual([])
})

test('a file that is not there, and one that is too long, are told as such', async () => {
  expect(await images.run(order({ path: join(folder, 'none'), maxBytes }))).toEqual({ kind: 'missing' })
  expect(await images.run(order({ ...file('small', small), maxBytes: 10 }))).toEqual({ kind: 'tooLarge' })
})

test('what is no image is refused with the error of the catalogue, and the process goes on', async () => {
  await expect(images.run(order({ bytes: Buffer.from('text') }))).rejects.toMatchObject({
    name: 'ServiceError',
    code: 'InvalidRequest',
    status: 400,
  })
  const before = processes()
  expect(await widthOf(await images.run(order({ bytes: small })))).toBe(10)
  expect(processes()).toEqual(before)
})

/** A file whose reader waits for a writer. */
const pipe = (name: string): { readonly path: string; readonly maxBytes: number } => {
  execFileSync('mkfifo', [join(folder, name)])
  return { path: join(folder, name), maxBytes }
}
/** Orders reach the process one after the other: when this one is done, those before it are under way. */
const earlierAreUnderWay = () => images.run(order({ bytes: small }))
const kill = (): void => {
  for (const pid of processes()) process.kill(pid, 'SIGKILL')
}

test('images under way when the process is killed are changed by the next one', async () => {
  const sources = [pipe('one'), pipe('other')]
  const running = sources.map((source) => images.run(order(source)))
  await earlierAreUnderWay()
  for (const { path } of sources) {
    rmSync(path)
    writeFileSync(path, small)
  }
  kill()
  expect(await Promise.all((await Promise.all(running)).map(widthOf))).toEqual([10, 10])
  expect(warnings).toEqual([expect.objectContaining({ reason: 'It ended by SIGKILL.', images: 2 })])
})

test('an image that ends the process twice is refused, and the next one is changed', async () => {
  const source = pipe('ending')
  const message = expect.stringMatching(/ends the process/)
  const refused = expect(images.run(order(source))).rejects.toMatchObject({ code: 'InvalidRequest', message })
  for (let time = 0; time < 2; time += 1) {
    await earlierAreUnderWay()
    kill()
    await expect.poll(() => warnings).toHaveLength(time + 1)
  }
  await refused
  expect(await widthOf(await images.run(order({ bytes: small })))).toBe(10)
})

test('a process without work ends, and so does one that is closed', async () => {
  const brief = createImageProcess({ threads: 1, log, idleMs: 0 })
  await brief.run(order({ bytes: small }))
  await expect.poll(processes).toEqual([])
  expect(await widthOf(await brief.run(order({ bytes: small })))).toBe(10)
  await brief.close()
  await images.run(order({ bytes: small }))
  expect(processes()).toHaveLength(1)
  await images.close()
  expect(processes()).toEqual([])
})
