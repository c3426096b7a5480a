import type { ServiceErrorFields } from '../../../../ground/errors/service-error.ts'
import type { TransformedImage, TransformLimits, TransformPlan } from '../transform.ts'

/** The bytes of an image: a file of this machine, or what was read elsewhere. */
export type ImageBytes = { readonly path: string; readonly maxBytes: number } | { readonly bytes: Buffer }

/** One image to change, as the server sends it. */
export interface Order {
  readonly id: number
  /** The part of the file of results that is for this image; null where there is none. */
  readonly part: number | null
  readonly source: ImageBytes
  readonly plan: TransformPlan
  readonly limits: TransformLimits
}

/** Where the process of images finds the file of results: behind the three streams and the channel of messages. */
export const resultDescriptor = 4
/** A longer image is sent in a message. */
export const partBytes = 4 * 1024 * 1024

/** What becomes of an order. */
export type Outcome = { readonly kind: 'changed'; readonly image: TransformedImage } | Failure

/** What becomes of an order, as the process of images tells it. */
export type ReportedOutcome =
  | { readonly kind: 'changed'; readonly mimeType: string; readonly result: ImageResult }
  | Failure

/** A changed image: its length in the order's part of the file of results, or its bytes. */
export type ImageResult = { readonly sizeBytes: number } | { readonly bytes: Buffer }

type Failure =
  /** There is no such file: it was removed, or lies in several. */
  | { readonly kind: 'missing' }
  /** The file is longer than it may be. */
  | { readonly kind: 'tooLarge' }
  /** An error of the catalogue, by its fields: messages between processes carry no class. */
  | { readonly kind: 'refused'; readonly fields: ServiceErrorFields }
  | { readonly kind: 'failed'; readonly message: string }

/** What the process of images sends: first that it is ready, then an outcome for each order. */
export type Report = 'ready' | { readonly id: number; readonly outcome: ReportedOutcome }
