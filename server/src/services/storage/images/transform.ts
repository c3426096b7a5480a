import type { Metadata, Sharp, SharpOptions } from 'sharp'
import { storageError } from '../errors.ts'
import { isReadable, type OutputFormat, outputFormat, type planFormat } from './format.ts'
import type { Gravity, ImageOptions } from './options.ts'
import { checkSvg, mayBeSvg } from './svg.ts'

/** A changed image. */
export interface TransformedImage {
  readonly bytes: Buffer
  readonly mimeType: string
}

export interface TransformLimits {
  /** Width times height of the source. */
  readonly maxPixels: number
  readonly maxSeconds: number
}

/** Options, with the format that was chosen. */
export interface TransformPlan extends Omit<ImageOptions, 'format'> {
  readonly format: ReturnType<typeof planFormat>
}

/** The library, loaded with the first image. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // Each image is read once; what was read of it is of no use to the next.
  sharp.cache(false)
  return sharp
}

/**
 * Changes an image in libvips's own threads. Metadata, such as the place of a photograph, is left out; the orientation it
 * names is applied. Of several frames the first is taken.
 *
 * @throws InvalidRequest for what is no image, is damaged, is too large, or takes too long
 */
export async function transformImage(
  source: Buffer,
  plan: TransformPlan,
  { maxPixels, maxSeconds }: TransformLimits,
): Promise<TransformedImage> {
  const options: SharpOptions = { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true }
  try {
    if (mayBeSvg(source)) checkSvg(source)
    const sharp = await loadSharp()
    const metadata = await sharp(source, options).metadata()
    if (!isReadable(metadata.format)) throw new Error(`The format ${metadata.format} is not supported`)
    const format = outputFormat(plan.format, metadata.format)
    const image = resize(sharp(source, options).autoOrient().timeout({ seconds: maxSeconds }), metadata, plan)
    const bytes = await encode(image, format, plan.quality ?? defaultQuality).toBuffer()
    return { bytes, mimeType: `image/${format}` }
  } catch (cause) {
    throw toRefusal(cause)
  }
}

const positions = {
  no: 'north',
  so: 'south',
  ea: 'east',
  we: 'west',
  noea: 'northeast',
  nowe: 'northwest',
  soea: 'southeast',
  sowe: 'southwest',
  ce: 'centre',
} as const

const defaultQuality = 80

const fits = { cover: 'cover', contain: 'inside', fill: 'fill' } as const

function resize(image: Sharp, metadata: Metadata, { width, height, resize: mode, gravity }: TransformPlan): Sharp {
  if (width === null && height === null) return image
  const { place, x, y } = gravity
  const isPlaced = place === 'fp' || x !== 0 || y !== 0
  if (isPlaced && mode === 'cover' && width !== null && height !== null)
    return cutOut(image, metadata.autoOrient, { width, height }, gravity)
  const position = place === 'sm' ? 'attention' : place === 'fp' ? 'centre' : positions[place]
  return image.resize(width, height, { fit: fits[mode], position, withoutEnlargement: true })
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Scales an image until it covers a size, and cuts that out where its gravity says. */
function cutOut(image: Sharp, source: Size, wanted: Size, gravity: Gravity): Sharp {
  const scale = Math.min(1, Math.max(wanted.width / source.width, wanted.height / source.height))
  const scaled = {
    width: Math.max(1, Math.round(source.width * scale)),
    height: Math.max(1, Math.round(source.height * scale)),
  }
  const size = { width: Math.min(wanted.width, scaled.width), height: Math.min(wanted.height, scaled.height) }
  const { place, x, y } = gravity
  return image.resize({ ...scaled, fit: 'fill' }).extract({
    ...size,
    left: startOf(scaled.width, size.width, place === 'fp' ? 'point' : sideOf(place, 'we', 'ea'), x),
    top: startOf(scaled.height, size.height, place === 'fp' ? 'point' : sideOf(place, 'no', 'so'), y),
  })
}

const sideOf = (place: string, begin: string, end: string) =>
  place.includes(begin) ? 'begin' : place.includes(end) ? 'end' : 'middle'

/** Where a part begins: around a point, or at an offset from a side, as far as the whole allows. */
function startOf(whole: number, part: number, from: 'point' | ReturnType<typeof sideOf>, offset: number): number {
  const room = whole - part
  const distance = Math.abs(offset) < 1 ? offset * whole : offset
  const starts = {
    point: whole * offset - part / 2,
    begin: distance,
    middle: room / 2 + distance,
    end: room - distance,
  }
  return Math.round(Math.min(Math.max(starts[from], 0), room))
}

function encode(image: Sharp, format: OutputFormat, quality: number): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality })
    case 'webp':
      return image.webp({ quality })
    case 'avif':
      // More effort takes several times as long and saves a few per cent.
      return image.avif({ quality, effort: 2 })
    case 'png':
      return image.png()
    case 'gif':
      return image.gif()
  }
}

/** What libvips says of a source is the client's to read; its own names of places are not in it. */
function toRefusal(cause: unknown): unknown {
  if (!(cause instanceof Error) || 'code' in cause) return cause
  const [line = ''] = cause.message.split('\n')
  return storageError('InvalidRequest', { message: `The image cannot be changed: ${line}`, cause })
}
