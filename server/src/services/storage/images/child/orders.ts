import type { ServiceErrorFields } from '../../../../ground/errors/service-error.ts'
import type { TransformedImage, TransformLimits, TransformPlan } from '../transform.ts'

/** The bytes of an image: a file of this machine, or what was read elsewhere. */
export type ImageBytes = { readonly path: string; readonly maxBytes: number } | { readonly bytes: Buffer }

/** One image to change, as the server sends it. */
export interface Order {
  readonly id: number
  readonly source: ImageBytes
  readonly plan: TransformPlan
  readonly limits: TransformLimits
}

/** What becomes of an order, as the process of images tells it. */
export type Outcome =
  | { readonly kind: 'changed'; readonly image: TransformedImage }
  /** There is no such file: it was removed, or lies in several. */
  | { readonly kind: 'missing' }
  /** The file is longer than it may be. */
  | { readonly kind: 'tooLarge' }
  /** An error of the catalogue, by its fields: messages between processes carry no class. */
  | { readonly kind: 'refused'; readonly fields: ServiceErrorFields }
  | { readonly kind: 'failed'; readonly message: string }

/** What the process of images sends: first that it is ready, then an outcome for each order. */
export type Report = 'ready' | { readonly id: number; readonly outcome: Outcome }
