import { FileError } from '../errors.ts'

/** Whether an error of the SDK has one of these names: S3's codes. */
export const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof Error && names.includes(error.name)

/** What the store itself tells apart. */
const meant = ['NoSuchKey', 'NotFound', 'NoSuchUpload', 'NotImplemented']

/**
 * Middleware of the SDK's client: whatever is wrong with the server, the way to it or the keys is `Unavailable`, once the
 * SDK has tried as often as it does.
 */
export const translating =
  <Input, Output>(next: (input: Input) => Promise<Output>) =>
  (input: Input): Promise<Output> =>
    next(input).catch((error: unknown) => {
      if (isNamed(error, ...meant)) throw error
      throw new FileError(isFull(error) ? 'NoSpace' : 'Unavailable', { cause: error })
    })

const isFull = (error: unknown): boolean =>
  error instanceof Error &&
  '$metadata' in error &&
  // The SDK's own type of its errors.
  (error.$metadata as { readonly httpStatusCode?: number }).httpStatusCode === 507
