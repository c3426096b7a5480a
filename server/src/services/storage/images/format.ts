import type { ImageOptions } from './options.ts'

/** What sharp writes. */
export type OutputFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

/** Formats by their media types: what an image is written in where its own format is asked for. */
const bySource: Readonly<Record<string, OutputFormat>> = {
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  heif: 'avif',
  // No browser shows it, and it may be transparent.
  tiff: 'png',
  // Drawn at the size that is asked for.
  svg: 'png',
}

/** Whether sharp's name of a source's format is one that is read. */
export const isReadable = (format: string): boolean => Object.hasOwn(bySource, format)

/** The format of the answer: the one asked for, else the first of the preferred ones that the client accepts, else its own. */
export function planFormat(
  asked: ImageOptions['format'],
  accept: string,
  preferred: readonly ('avif' | 'webp')[],
): 'avif' | 'webp' | 'origin' {
  if (asked !== null) return asked
  return preferred.find((format) => accepts(accept, `image/${format}`)) ?? 'origin'
}

/** The format to write. @param source sharp's name of the format that was read */
export const outputFormat = (planned: ReturnType<typeof planFormat>, source: string): OutputFormat =>
  planned === 'origin' ? (bySource[source] ?? 'png') : planned

/** Whether a type is named, and not with `q=0`: a pattern such as an asterisk says nothing about new formats. */
const accepts = (accept: string, type: string): boolean =>
  accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([name, ...parameters]) => name === type && !parameters.some((each) => /^q=0(?:\.0*)?$/.test(each)))
