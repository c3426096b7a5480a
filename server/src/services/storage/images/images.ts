import { createLimiter } from '../../../ground/limits/limiter.ts'
import { storageError } from '../errors.ts'
import { createImageCache } from './cache.ts'
import { planFormat } from './format.ts'
import { type ImageOptions, renderTransformations } from './options.ts'
import { createSourceMemory, type ImageSource } from './source-memory.ts'
import { type TransformedImage, type TransformPlan, transformImage } from './transform.ts'

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

/** @param settings limits; images are changed some at a time, since each takes memory and a thread of the file system's */
export function createImages(settings: ImageSettings): Images {
  const limit = createLimiter({
    concurrency: settings.imageConcurrency,
    queue: settings.imageQueue,
    refuse: () => storageError('TooManyImages', { message: 'Too many images are being changed' }),
  })
  const cache = createImageCache(settings.imageCacheMib * mib)
  const maxBytes = settings.imageSourceMib * mib
  const memory = createSourceMemory()
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
          return memory.holding(source, maxBytes, (bytes) => {
            if (bytes.length > maxBytes) throw tooLarge(settings)
            return transformImage(bytes, plan, limits)
          })
        }),
      ),
    clear: cache.clear,
    cachedBytes: cache.usedBytes,
  }
}

const tooLarge = ({ imageSourceMib }: ImageSettings) =>
  storageError('InvalidRequest', { message: `The image is larger than ${imageSourceMib} MiB` })
