import { storageError } from '../errors.ts'

const resizeModes = ['cover', 'contain', 'fill'] as const
const imageFormats = ['origin', 'avif', 'webp'] as const
const gravities = ['no', 'so', 'ea', 'we', 'noea', 'nowe', 'soea', 'sowe', 'ce', 'sm', 'fp'] as const

/** The point that stays in the picture when it is cut, as shares of its width and height. */
export interface FocalPoint {
  readonly x: number
  readonly y: number
}

/** How an image is to be changed (storage §8). */
export interface ImageOptions {
  /** Pixels; null follows the other side. */
  readonly width: number | null
  readonly height: number | null
  readonly resize: (typeof resizeModes)[number]
  readonly quality: number
  /** Null for the best one that the client accepts. */
  readonly format: (typeof imageFormats)[number] | null
  readonly gravity: Exclude<(typeof gravities)[number], 'fp'> | FocalPoint
}

const largestSide = 2000
const defaultQuality = 80

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

/** The names of options, in the order of their text. */
const names = ['width', 'height', 'resize', 'quality', 'format', 'gravity', 'x_offset', 'y_offset'] as const

/** Options as a signed URL carries them: `width:100,resize:fill`; only those that are not the default. */
export function renderTransformations({ width, height, resize, quality, format, gravity }: ImageOptions): string {
  const isPoint = typeof gravity === 'object'
  const values: Readonly<Record<(typeof names)[number], string | number | null>> = {
    width,
    height,
    resize: resize === 'cover' ? null : resize,
    quality: quality === defaultQuality ? null : quality,
    format,
    gravity: isPoint ? 'fp' : gravity === 'ce' ? null : gravity,
    x_offset: isPoint ? gravity.x : null,
    y_offset: isPoint ? gravity.y : null,
  }
  return names.flatMap((name) => (values[name] === null ? [] : `${name}:${values[name]}`)).join(',')
}

/** Reads what `renderTransformations` has written. @throws InvalidRequest */
export function parseTransformations(text: string): ImageOptions {
  const pairs = new Map(
    text.split(',').map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
  )
  return parseImageOptions((name) => pairs.get(name))
}

function parseSide(name: string, text: string | null): number | null {
  if (text === null) return null
  const side = Number(text)
  if (!Number.isInteger(side)) throw invalid(`${name} must be a whole number`)
  return Math.min(Math.max(side, 1), largestSide)
}

function parseQuality(text: string | null): number {
  if (text === null) return defaultQuality
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

function parseGravity(text: string | null, x: string | null, y: string | null): ImageOptions['gravity'] {
  const gravity = parseChoice('gravity', text, gravities) ?? 'ce'
  if (gravity !== 'fp') return gravity
  const point = { x: Number(x ?? Number.NaN), y: Number(y ?? Number.NaN) }
  const isShare = (share: number) => share >= 0 && share <= 1
  if (!isShare(point.x) || !isShare(point.y)) throw invalid('gravity fp needs x_offset and y_offset from 0 to 1')
  return point
}

const invalid = (message: string) => storageError('InvalidRequest', { message })
