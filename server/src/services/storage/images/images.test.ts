import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { planFormat } from './format.ts'
import { createImageProcess } from './image-process.ts'
import { createImages, type ImageSettings, type ImageSource } from './images.ts'
import {
  describeTransformations,
  type ImageOptions,
  parseImageOptions,
  parseTransformations,
  renderTransformations,
} from './options.ts'

const settings: ImageSettings = {
  imageFormats: ['webp', 'avif'],
  imageConcurrency: 1,
  imageQueue: 0,
  imageSourceMib: 1,
  imageMegapixels: 4,
  imageSeconds: 10,
  imageCacheMib: 1,
}
const quiet = { info() {}, warn() {}, error() {} }
const imageProcess = createImageProcess({ threads: 1, log: quiet })
afterAll(imageProcess.close)
const options = (query: string): ImageOptions => {
  const pairs = new URLSearchParams(query)
  return parseImageOptions((name) => pairs.get(name) ?? undefined)
}
const source = (bytes: Buffer, version = 'v1'): ImageSource & { readonly opened: () => number } => {
  let opened = 0
  return {
    version,
    sizeBytes: null,
    path: null,
    opened: () => opened,
    async read(memory) {
      opened += 1
      return bytes.copy(memory)
    },
  }
}
const transform = (bytes: Buffer, query = '', accept = '', images = createImages(settings, imageProcess)) =>
  images.transform(source(bytes), images.plan(options(query), accept))

/** 400 by 200 pixels: the left half red, the right half blue. */
const halves = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#f00' } })
  .composite([
    {
      input: { create: { width: 200, height: 200, channels: 3, background: '#00f' } },
      left: 200,
      top: 0,
    },
  ])
  .png()
  .toBuffer()
const jpeg = await sharp(halves).jpeg().toBuffer()
/** An image of one colour, small as a file. */
async function blank(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#000' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
}
const manyPixels = await blank(2100, 2000)
const longRow = await blank(50_000, 100)

const refusal = (message: RegExp) =>
  expect.objectContaining({ code: 'InvalidRequest', message: expect.stringMatching(message) })

describe('an image', () => {
  test.each([
    ['width=100', 100, 50],
    ['height=100', 200, 100],
    ['width=100&height=100', 100, 100],
    ['width=100&height=100&resize=contain', 100, 50],
    ['width=100&height=100&resize=fill', 100, 100],
    ['width=100&height=100&gravity=fp&x_offset=1&y_offset=0', 100, 100],
    ['', 400, 200],
    // None is made larger than it is.
    ['width=1000', 400, 200],
    ['width=9999&height=0', 400, 1],
  ])('with %s has %i by %i pixels', async (query, width, height) => {
    const { bytes } = await transform(halves, query)
    expect(await sharp(bytes).metadata()).toMatchObject({ width, height, format: 'png' })
  })

  test.each([
    ['gravity=we', [255, 0, 0]],
    ['gravity=ea', [0, 0, 255]],
    ['gravity=fp&x_offset=0&y_offset=0.5', [255, 0, 0]],
    ['gravity=fp&x_offset=0.9&y_offset=0.5', [0, 0, 255]],
    // From a side: as far as pixels, or a share of the width, say, and no further than there is room.
    ['gravity=we&x_offset=50', [0, 0, 255]],
    ['gravity=we&x_offset=0.2', [255, 0, 0]],
    ['gravity=noea&x_offset=0.5&y_offset=900', [255, 0, 0]],
    ['gravity=ce&x_offset=-20', [255, 0, 0]],
    ['gravity=sowe&y_offset=5', [255, 0, 0]],
  ])('is cut at the place of %s', async (query, colour) => {
    const { bytes } = await transform(halves, `width=50&height=50&${query}`)
    const middle = (25 * 50 + 25) * 3
    expect([...(await sharp(bytes).removeAlpha().raw().toBuffer()).subarray(middle, middle + 3)]).toEqual(colour)
  })

  test.each([
    ['', '', 'image/jpeg'],
    ['', '*/*', 'image/jpeg'],
    ['', 'image/avif,image/webp,*/*', 'image/webp'],
    ['', 'image/avif', 'image/avif'],
    ['', 'image/webp;q=0, image/png', 'image/jpeg'],
    ['format=origin', 'image/webp', 'image/jpeg'],
    ['format=webp', '', 'image/webp'],
    ['format=avif', 'image/webp', 'image/avif'],
  ])('asked for with %j by a client that accepts %j is %s', async (query, accept, mimeType) => {
    const image = await transform(jpeg, query, accept)
    expect(image.mimeType).toBe(mimeType)
    const { format } = await sharp(image.bytes).metadata()
    expect(`image/${format === 'heif' ? 'avif' : format}`).toBe(mimeType)
  })

  test('of lower quality is smaller', async () => {
    const noise = await sharp(randomBytes(100 * 100 * 3), { raw: { width: 100, height: 100, channels: 3 } })
      .jpeg()
      .toBuffer()
    const [low, high] = [await transform(noise, 'quality=20'), await transform(noise, 'quality=100')]
    expect(low.bytes.length).toBeLessThan(high.bytes.length / 2)
  })

  test('is turned as its camera says, and says no more of where it was', async () => {
    const turned = await sharp(jpeg)
      .withExif({ IFD0: { Make: 'box' }, IFD3: { GPSLatitude: '1/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    const { bytes } = await transform(turned, 'width=100')
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 100, height: 200 })
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
  })

  test('that is a drawing is drawn', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="#f00"/></svg>'
    const { bytes, mimeType } = await transform(Buffer.from(svg), 'width=20')
    expect([mimeType, (await sharp(bytes).metadata()).width]).toEqual(['image/png', 20])
  })
})

const svg = (inner: string, head = '') =>
  Buffer.from(`${head}<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inner}</svg>`)

describe('is refused:', () => {
  test.each<[string, Buffer, RegExp]>([
    ['text', Buffer.from('hello'), /unsupported image format/],
    ['nothing', Buffer.alloc(0), /./],
    ['half an image', jpeg.subarray(0, jpeg.length / 2), /premature end|VipsJpeg/i],
    ['a head alone', halves.subarray(0, 60), /./],
    ['too many pixels', manyPixels, /pixel limit/],
    ['50,000 pixels in a row', longRow, /pixel limit/],
    ['too many bytes', randomBytes(1024 * 1024 + 1), /larger than 1 MiB/],
    ['an SVG with entities', svg('', '<!DOCTYPE svg [<!ENTITY a "b">]>'), /entities/],
    ['an SVG that shows files', svg('<image href="file:///etc/passwd"/>'), /entities/],
    ['an SVG that refers outside', svg('<use href="http://127.0.0.1/a#b"/>'), /outside/],
    ['an SVG that shows images by another prefix', svg('<s:image/>'), /parts outside/],
    ['an SVG with filters', svg('<filter id="a"><feTurbulence numOctaves="1000000000"/></filter>'), /filters/],
    ['an SVG that repeats itself', svg('<use href="#a"/>'.repeat(200)), /too often/],
    ['an SVG in UTF-16', Buffer.from(svg('').toString(), 'utf16le'), /UTF-8/],
    [
      'an SVG of 50,000 pixels',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="50000" height="50000"/>'),
      /pixel limit/,
    ],
  ])('%s', async (_title, bytes, message) => {
    await expect(transform(bytes, 'width=10')).rejects.toThrow(refusal(message))
  })

  test.each([
    'width=a',
    'height=1.5',
    'quality=19',
    'quality=101',
    'resize=crop',
    'format=bmp',
    'gravity=up',
    'gravity=fp',
    'gravity=fp&x_offset=2&y_offset=0',
    'gravity=no&x_offset=a',
  ])('the option %s', (query) => {
    expect(() => options(query)).toThrow(refusal(/./))
  })
})

test('one more image than may wait is refused, and one that is changed already is not changed again', async () => {
  const images = createImages(settings, imageProcess)
  const [one, other] = [source(jpeg, 'one'), source(jpeg, 'other')]
  const planned = images.plan(options('width=10'), '')
  const first = images.transform(one, planned)
  const again = images.transform(one, planned)
  await expect(images.transform(other, planned)).rejects.toMatchObject({ code: 'TooManyImages', status: 429 })
  expect(await again).toBe(await first)
  expect(await images.transform(one, planned)).toBe(await first)
  expect(one.opened()).toBe(1)
  await images.transform(other, planned)
  await images.transform(one, images.plan(options('width=11'), ''))
  expect([one.opened(), other.opened()]).toEqual([2, 1])
  expect(images.cachedBytes()).toBeGreaterThan(0)
})

test('an image is read whole, whatever its row says of its size', async () => {
  const images = createImages({ ...settings, imageSourceMib: 8 }, imageProcess)
  const planned = images.plan(options('width=10'), '')
  const noise = { width: 1400, height: 1300, channels: 3 } as const
  const large = await sharp(randomBytes(noise.width * noise.height * noise.channels), { raw: noise })
    .png()
    .toBuffer()
  expect(large.length).toBeGreaterThan(5_000_000)
  for (const sizeBytes of [null, 1, large.length, 6_000_000]) {
    const { bytes } = await images.transform({ ...source(large, `of ${sizeBytes}`), sizeBytes }, planned)
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 10 })
  }
  // Into memory that held another image before.
  const { bytes } = await images.transform(source(jpeg), planned)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 10 })
})

test('a refused image is not cached', async () => {
  const images = createImages(settings, imageProcess)
  const planned = images.plan(options('width=10'), '')
  await expect(images.transform(source(Buffer.from('x')), planned)).rejects.toThrow()
  expect((await images.transform(source(jpeg), planned)).mimeType).toBe('image/jpeg')
})

test.each([
  '',
  'width=100',
  'width=1&height=2&resize=fill&quality=30&format=webp',
  'gravity=fp&x_offset=0.25&y_offset=1',
  'gravity=sm',
  'gravity=noea&x_offset=-4&y_offset=0.5&quality=80',
])('options %j go through a signed URL', (query) => {
  expect(parseTransformations(renderTransformations(options(query)))).toEqual(options(query))
})

test.each([
  ['', ''],
  ['width=200&height=200&quality=60', 'height:200,width:200,resizing_type:fill,quality:60'],
  ['height=9999&resize=contain&format=origin', 'height:2000,resizing_type:fit'],
  ['width=1&resize=fill&format=webp', 'width:1,resizing_type:force,format:webp'],
  ['gravity=fp&x_offset=0.25&y_offset=0.75', 'gravity:fp:0.25:0.75'],
  ['gravity=sm&x_offset=12&y_offset=-4', 'gravity:sm'],
  ['gravity=no&y_offset=12', 'gravity:no:0:12'],
])('options %j are told as %j', (query, told) => {
  expect(describeTransformations(options(query))).toBe(told)
})

test('a format without preference is the origin’s', () => {
  expect(planFormat(null, 'image/webp', [])).toBe('origin')
})
