import { catalogue } from '../../ground/errors/catalogue.ts'

const useApi = 'Check the bucket, the key and the policies on storage.objects.'

/**
 * Every error of the service (storage §1). The status is the logical one, which the body names; most are answered with
 * HTTP 400. Some entries have the code of another on the wire: see `wireForms`.
 */
export const storageError = catalogue({
  NoSuchBucket: { status: 404, message: 'Bucket not found', hint: 'Check its name, and whether it is public.' },
  NoSuchKey: { status: 404, message: 'Object not found', hint: useApi },
  FileMissing: {
    status: 404,
    message: 'The resource was not found',
    hint: 'The row has no file: it was inserted by SQL, or the file was lost. Upload it again.',
  },
  NoSuchUpload: {
    status: 404,
    message: 'Upload not found',
    hint: 'Begin the upload again: it expired or was aborted.',
  },
  InvalidJWT: { status: 400, message: 'The token is invalid', hint: 'Sign a new URL.' },
  InvalidSignature: { status: 400, message: 'Invalid signature', hint: 'Sign a URL for this path and action.' },
  ExpiredToken: { status: 400, message: 'The provided token has expired.', hint: 'Sign a new URL.' },
  AccessDenied: { status: 403, message: 'Access denied', hint: 'Check the token, and the policies of the table.' },
  ServiceRoleNeeded: {
    status: 403,
    message: 'Access denied: only the service role may do this',
    hint: 'Send the secret key, or the key of the service role.',
  },
  InvalidRequest: { status: 400, message: 'The request is invalid', hint: 'The message names what is wrong.' },
  TooManyObjects: {
    status: 409,
    message: 'Unable to empty the bucket because it contains too many objects',
    hint: 'Remove objects first, or raise empty_bucket_objects of [storage].',
  },
  RelatedMissing: {
    status: 404,
    message: 'The related resource does not exist',
    hint: 'A row refers to another that is not there: most often to a bucket.',
  },
  InvalidRobotsTag: {
    status: 400,
    message: 'Invalid X-Robots-Tag header',
    hint: 'Send rules of the robots meta tag, such as noindex.',
  },
  InvalidHeaderCharacter: {
    status: 400,
    message: 'Invalid character in a header value',
    hint: 'Leave out control characters and characters beyond Latin-1.',
  },
  MissingParameter: { status: 400, message: 'Missing Required Parameter', hint: 'The message names it.' },
  InvalidParameter: { status: 400, message: 'Invalid Parameter', hint: 'The message names it.' },
  InvalidBucketName: {
    status: 400,
    message: 'Bucket name invalid',
    hint: "Use letters, digits and _!.*'() &$@=;:+,?-",
  },
  InvalidKey: { status: 400, message: 'Invalid key', hint: "Use letters, digits and /_!.*'() &$@=;:+,?-" },
  InvalidMimeType: {
    status: 415,
    message: 'Invalid Content-Type header',
    hint: 'Send one of the allowed_mime_types of the bucket.',
  },
  EntityTooLarge: {
    status: 413,
    message: 'The object exceeded the maximum allowed size',
    hint: 'Raise file_size_limit of the bucket, or of [storage].',
  },
  InvalidRange: {
    status: 416,
    message: 'invalid range provided',
    hint: 'Ask for one range that lies within the object.',
  },
  InvalidUploadId: { status: 400, message: 'Invalid upload id', hint: 'Use the address that the upload began with.' },
  KeyAlreadyExists: {
    status: 409,
    message: 'The resource already exists',
    hint: 'Send x-upsert: true to replace it.',
  },
  BucketAlreadyExists: { status: 409, message: 'The resource already exists', hint: 'Choose another name.' },
  ResourceAlreadyExists: { status: 409, message: 'The resource already exists', hint: 'Choose another key.' },
  ResourceNotEmpty: {
    status: 409,
    message: 'The bucket you tried to delete is not empty',
    hint: 'Empty the bucket first.',
  },
  ResourceReferenced: {
    status: 409,
    message: 'The resource is referenced by another, such as a pending multipart upload',
    hint: 'Abort or complete the upload first.',
  },
  ResourceLocked: { status: 423, message: 'The resource is locked', hint: 'Another request writes it: try again.' },
  LockTimeout: { status: 503, message: 'acquiring lock timeout', hint: 'Another request writes it: try again.' },
  DatabaseTimeout: {
    status: 544,
    message: 'The connection to the database timed out',
    hint: 'A policy or trigger takes long, or the database is busy.',
  },
  DatabaseReadOnly: { status: 503, message: 'The database is in read-only mode', hint: 'Try again when it is not.' },
  DatabaseTransactionAborted: {
    status: 500,
    message: 'The transaction was aborted',
    hint: 'A trigger on the table has failed before.',
  },
  DatabaseInvalidObjectDefinition: {
    status: 503,
    message: 'The schema is invalid or incompatible',
    hint: 'Check the policies: one may refer to its own table.',
  },
  DatabaseSchemaMismatch: {
    status: 503,
    message: 'The schema does not fit the service',
    hint: 'A policy or trigger names a table or column that does not exist.',
  },
  DatabaseError: { status: 500, message: 'database error', hint: 'Look up the SQLSTATE that the message names.' },
  SlowDown: { status: 429, message: 'Too many connections issued to the database', hint: 'Try again more slowly.' },
  TooManyImages: {
    status: 429,
    message: 'Too many requests for changed images',
    hint: 'Ask again later, or raise the image limits of [storage].',
  },
  Aborted: { status: 500, message: 'Request aborted', hint: 'The client closed the connection.' },
  DownloadAborted: { status: 499, message: 'Request aborted', hint: 'The client closed the connection.' },
  ChecksumMismatch: {
    status: 460,
    message: 'Checksum Mismatch',
    hint: 'Send the part again from its offset: bytes were changed on the way.',
  },
  UploadFinished: {
    status: 400,
    message: 'Cannot terminate an already completed upload',
    hint: 'Delete the object that it became.',
  },
  NotSupported: { status: 409, message: 'The feature is not supported', hint: 'The message names it.' },
  FeatureNotEnabled: { status: 409, message: 'The feature is not enabled', hint: 'Switch it on in [storage].' },
  OutOfSpace: { status: 507, message: 'The storage has no space left', hint: 'Free or add space on the disk.' },
  StoreUnavailable: {
    status: 503,
    message: 'The store of the files cannot be reached',
    hint: 'Try again later. `clew status` says what is wrong with the bucket that [storage] names.',
  },
})

/** A code of the catalogue. */
export type StorageErrorCode = keyof typeof storageError.entries

interface WireForm {
  /** Where the code on the wire is another one. */
  readonly code?: string
  /** The member `error` of the body, where it is not the code. */
  readonly label?: string
  /** Whether the logical status is the one of HTTP as well. */
  readonly isHttpStatus?: boolean
}

/** What clients read, where it is not the catalogue's code (storage §1). */
export const wireForms: Readonly<Partial<Record<StorageErrorCode, WireForm>>> = {
  NoSuchBucket: { label: 'Bucket not found' },
  NoSuchKey: { label: 'not_found' },
  FileMissing: { code: 'NoSuchKey', label: 'Not found' },
  AccessDenied: { label: 'Unauthorized' },
  ServiceRoleNeeded: { code: 'AccessDenied', label: 'Unauthorized', isHttpStatus: true },
  TooManyObjects: { code: 'InvalidRequest' },
  RelatedMissing: { code: 'InvalidRequest' },
  InvalidRobotsTag: { code: 'InvalidRequest', label: 'invalid_x_robots_tag' },
  InvalidHeaderCharacter: { code: 'InvalidRequest', label: 'invalid_header_char' },
  InvalidBucketName: { label: 'Invalid Input' },
  InvalidMimeType: { label: 'invalid_mime_type' },
  EntityTooLarge: { label: 'Payload too large' },
  InvalidRange: { label: 'invalid_range' },
  KeyAlreadyExists: { label: 'Duplicate' },
  BucketAlreadyExists: { label: 'Duplicate' },
  ResourceAlreadyExists: { label: 'Duplicate' },
  LockTimeout: { label: 'acquiring_lock_timeout' },
  StoreUnavailable: { code: 'S3Error', isHttpStatus: true },
  DownloadAborted: { code: 'Aborted' },
  ChecksumMismatch: { code: 'TusError' },
  UploadFinished: { code: 'TusError' },
  SlowDown: { label: 'too_many_connections' },
  TooManyImages: { code: 'SlowDown', label: 'Too Many Requests' },
}
