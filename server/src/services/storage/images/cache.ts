import { LRUCache } from 'lru-cache'
import type { TransformedImage } from './transform.ts'

/** Changed images, and those that are being changed: one that is asked for twice is changed once. */
export interface ImageCache {
  /** @param key version of the object and plan; who may see it was decided before */
  get(key: string, create: () => Promise<TransformedImage>): Promise<TransformedImage>
  /** Forgets all images. */
  clear(): void
  readonly usedBytes: () => number
}

/** @param limitBytes of the images; 0 keeps none */
export function createImageCache(limitBytes: number): ImageCache {
  const images =
    limitBytes === 0
      ? null
      : new LRUCache<string, TransformedImage>({
          maxSize: limitBytes,
          // A larger one would displace most of the others.
          maxEntrySize: Math.ceil(limitBytes / 4),
          sizeCalculation: ({ bytes }) => bytes.length + 200,
        })
  const running = new Map<string, Promise<TransformedImage>>()
  return {
    async get(key, create) {
      const known = images?.get(key) ?? running.get(key)
      if (known !== undefined) return known
      const creating = create()
      running.set(key, creating)
      try {
        const image = await creating
        images?.set(key, image)
        return image
      } finally {
        running.delete(key)
      }
    },
    clear: () => images?.clear(),
    usedBytes: () => images?.calculatedSize ?? 0,
  }
}
