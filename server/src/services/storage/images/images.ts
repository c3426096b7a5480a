import { createLimiter } from '../../../ground/limits/limiter.ts'
import { storageError } from '../errors.ts'
import { createImageCache } from './cache.ts'
import { planFormat } from './format.ts'
import type { ImageProcess } from './image-process.ts'
import { type ImageOptions, renderTransformations } from './options.ts'
import type { TransformedImage, TransformPlan } from './transform.ts'

/** The settings of images. */
export interface ImageSettings {
  readonly imageFormats: readonly ('avif' | 'webp')[]
  readonly imageConcurrency: number
  readonly imageQueue: number
  readonly imageSourceMib: number
  readonly imageMegapixels: number
  readonly imageSeconds: number
  readonly imageCacheMib: number
}

/** An object whose bytes are an image, as the caller may see it. */
export interface ImageSource {
  /** The name of its file, which is never changed. */
  readonly version: string
  /** Null where it is not known. */
  readonly sizeBytes: number | null
  /** Where the file is on this machine; null where it is elsewhere. */
  readonly path: string | null
  /** Reads its first bytes, as many as there is memory for, and resolves with their number. */
  readonly read: (memory: Buffer) => Promise<number>
}

/** Changes images for answers. */
export interface Images {
  /** The plan for a request; `key` names its result, among those of one object. */
  plan(options: ImageOptions, accept: string): { readonly plan: TransformPlan; readonly key: string }
  /** Forgets what is cached. */
  clear(): void
  /** @throws InvalidRequest, TooManyImages when too many wait */
  transform(source: ImageSource, planned: ReturnType<Images['plan']>): Promise<TransformedImage>
  readonly cachedBytes: () => number
}

const mib = 1024 * 1024

/** @param settings limits; images are changed some at a time, since each takes memory and a processor */
export function createImages(settings: ImageSettings, images: Pick<ImageProcess, 'run'>): Images {
  const limit = createLimiter({
    concurrency: settings.imageConcurrency,
    queue: settings.imageQueue,
    refuse: () => storageError('TooManyImages', { message: 'Too many images are being changed' }),
  })
  const cache = createImageCache(settings.imageCacheMib * mib)
  const maxBytes = settings.imageSourceMib * mib
  const limits = { maxPixels: settings.imageMegapixels * 1_000_000, maxSeconds: settings.imageSeconds }

  return {
    plan(options, accept) {
      const plan = { ...options, format: planFormat(options.format, accept, settings.imageFormats) }
      return { plan, key: renderTransformations(plan) }
    },
    transform: (source, { plan, key }) =>
      cache.get(`${source.version} ${key}`, () =>
        limit(async () => {
          if (source.sizeBytes !== null && source.sizeBytes > maxBytes) throw tooLarge(settings)
          const { path } = source
          const ofFile = path === null ? null : await images.run({ source: { path, maxBytes }, plan, limits })
          // Parts that were joined lie in files of their own.
          if (ofFile?.kind === 'changed') return ofFile.image
          if (ofFile?.kind === 'tooLarge') throw tooLarge(settings)
          const bytes = await readWhole(source, maxBytes)
          if (bytes.length > maxBytes) throw tooLarge(settings)
          const ofBytes = await images.run({ source: { bytes }, plan, limits })
          if (ofBytes.kind !== 'changed') throw new Error('An image was not changed, and no reason told.')
          return ofBytes.image
        }),
      ),
    clear: cache.clear,
    cachedBytes: cache.usedBytes,
  }
}

/** At most one byte beyond `maxBytes`. A row may tell another size than its file has. */
async function readWhole({ sizeBytes, read }: ImageSource, maxBytes: number): Promise<Buffer> {
  const most = maxBytes + 1
  const expected = Math.min(most, (sizeBytes ?? maxBytes) + 1)
  const memory = Buffer.allocUnsafeSlow(expected)
  const length = await read(memory)
  if (length < expected || expected === most) return memory.subarray(0, length)
  const all = Buffer.allocUnsafeSlow(most)
  return all.subarray(0, await read(all))
}

const tooLarge = ({ imageSourceMib }: ImageSettings) =>
  storageError('InvalidRequest', { message: `The image is larger than ${imageSourceMib} MiB` })
