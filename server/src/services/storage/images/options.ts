import { storageError } from '../errors.ts'

export const resizeModes = ['cover', 'contain', 'fill'] as const
export const imageFormats = ['origin', 'avif', 'webp'] as const
export const gravities = ['no', 'so', 'ea', 'we', 'noea', 'nowe', 'soea', 'sowe', 'ce', 'sm', 'fp'] as const

/** What stays in the picture when it is cut. */
export interface Gravity {
  /** A side or corner, the middle (`ce`), what draws the eye (`sm`), or a point (`fp`). */
  readonly place: (typeof gravities)[number]
  /** Of a point, its share of the width and height; else the distance from the place, in pixels, or as a share below 1. */
  readonly x: number
  readonly y: number
}

/** How an image is to be changed (storage §8). */
export interface ImageOptions {
  /** Pixels; null follows the other side. */
  readonly width: number | null
  readonly height: number | null
  readonly resize: (typeof resizeModes)[number]
  /** Null for the default. */
  readonly quality: number | null
  /** Null for the best one that the client accepts. */
  readonly format: (typeof imageFormats)[number] | null
  readonly gravity: Gravity
}

const largestSide = 2000
const centre: Gravity = { place: 'ce', x: 0, y: 0 }

/**
 * Reads the options of an address, or of a `transform`.
 *
 * @param value the text of an option; undefined without one
 * @throws InvalidRequest (storage §8)
 */
export function parseImageOptions(value: (name: string) => string | undefined): ImageOptions {
  const given = (name: string): string | null => value(name) || null
  return {
    width: parseSide('width', given('width')),
    height: parseSide('height', given('height')),
    resize: parseChoice('resize', given('resize'), resizeModes) ?? 'cover',
    quality: parseQuality(given('quality')),
    format: parseChoice('format', given('format'), imageFormats),
    gravity: parseGravity(given('gravity'), given('x_offset'), given('y_offset')),
  }
}

/** Options as a signed URL carries them: `height:50,width:100,resize:fill`; only those that are not the default. */
export const renderTransformations = (options: ImageOptions): string =>
  render(options, options.format, (resize) => `resize:${resize}`)

const resizingTypes = { cover: 'fill', contain: 'fit', fill: 'force' } as const

/** Options in the words of imgproxy, as `x-transformations` has them: `height:50,width:100,resizing_type:fill`. */
export const describeTransformations = (options: ImageOptions): string =>
  render(
    options,
    options.format === 'origin' ? null : options.format,
    (resize) => `resizing_type:${resizingTypes[resize]}`,
  )

function render(
  { width, height, resize, quality, gravity: { place, x, y } }: ImageOptions,
  format: ImageOptions['format'],
  renderResize: (resize: ImageOptions['resize']) => string,
): string {
  const hasOffsets = place !== 'sm' && (place === 'fp' || x !== 0 || y !== 0)
  return [
    height === null ? '' : `height:${height}`,
    width === null ? '' : `width:${width}`,
    width === null && height === null ? '' : renderResize(resize),
    quality === null ? '' : `quality:${quality}`,
    format === null ? '' : `format:${format}`,
    place === 'ce' && !hasOffsets ? '' : `gravity:${place}${hasOffsets ? `:${x}:${y}` : ''}`,
  ]
    .filter(Boolean)
    .join(',')
}

/** Reads what `renderTransformations` has written. @throws InvalidRequest */
export function parseTransformations(text: string): ImageOptions {
  const pairs = new Map(
    text.split(',').map((option) => {
      const [name = '', ...values] = option.split(':')
      return [name, values] as const
    }),
  )
  const [, x, y] = pairs.get('gravity') ?? []
  const offsets: Readonly<Record<string, string | undefined>> = { x_offset: x, y_offset: y }
  return parseImageOptions((name) => offsets[name] ?? pairs.get(name)?.[0])
}

function parseSide(name: string, text: string | null): number | null {
  if (text === null) return null
  const side = Number(text)
  if (!Number.isInteger(side)) throw invalid(`${name} must be a whole number`)
  return Math.min(Math.max(side, 1), largestSide)
}

function parseQuality(text: string | null): number | null {
  if (text === null) return null
  const quality = Number(text)
  if (!Number.isInteger(quality) || quality < 20 || quality > 100) throw invalid('quality must be from 20 to 100')
  return quality
}

function parseChoice<Choice extends string>(
  name: string,
  text: string | null,
  choices: readonly Choice[],
): Choice | null {
  if (text === null) return null
  const choice = choices.find((each) => each === text)
  if (choice === undefined) throw invalid(`${name} must be one of ${choices.join(', ')}`)
  return choice
}

function parseGravity(text: string | null, xOffset: string | null, yOffset: string | null): Gravity {
  const place = parseChoice('gravity', text, gravities)
  if (place === null) return centre
  const absent = place === 'fp' ? Number.NaN : 0
  const [x, y] = [Number(xOffset ?? absent), Number(yOffset ?? absent)]
  const isShare = (share: number) => share >= 0 && share <= 1
  if (place === 'fp' && !(isShare(x) && isShare(y))) throw invalid('gravity fp needs x_offset and y_offset from 0 to 1')
  if (!Number.isFinite(x) || !Number.isFinite(y)) throw invalid('x_offset and y_offset must be numbers')
  return place === 'sm' ? { place, x: 0, y: 0 } : { place, x, y }
}

const invalid = (message: string) => storageError('InvalidRequest', { message })
