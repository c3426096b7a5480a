import { catalogue } from '../../../ground/errors/catalogue.ts'

/** Errors of the S3 protocol alone; those of buckets and objects are the service's. Codes are Amazon's. */
export const s3Error = catalogue({
  AccessDenied: {
    status: 403,
    message: 'Access Denied',
    hint: 'Sign the request with an access key of this server (`clew keys`), or with a user’s session token.',
  },
  AuthorizationHeaderMalformed: {
    status: 400,
    message: 'The authorization header that you provided is not valid.',
    hint: 'Use Signature Version 4 (AWS4-HMAC-SHA256) with the service name s3.',
  },
  AuthorizationQueryParametersError: {
    status: 400,
    message: 'The query parameters of the presigned URL are not valid.',
    hint: 'Use Signature Version 4 with an X-Amz-Expires of 1 to 604800 seconds.',
  },
  EntityTooSmall: {
    status: 400,
    message: 'Your proposed upload is smaller than the minimum allowed size',
    hint: 'Send parts of 5 MiB or more, but for the last; s3_part_minimum_mib of [storage] says how much.',
  },
  ExpiredToken: {
    status: 400,
    message: 'The provided token has expired.',
    hint: 'Ask for a new presigned URL, or a new session token.',
  },
  IncompleteBody: {
    status: 400,
    message: 'You did not provide the number of bytes specified by the Content-Length HTTP header.',
    hint: 'Send as many bytes as Content-Length, or x-amz-decoded-content-length, says.',
  },
  InvalidAccessKeyId: {
    status: 403,
    message: 'The Access Key Id you provided does not exist in our records.',
    hint: '`clew keys` prints the access key of this server.',
  },
  InvalidRange: {
    status: 400,
    message: 'invalid range provided',
    hint: 'Name bytes that lie within the source of the copy, bytes=0-99 for one.',
  },
  InvalidArgument: {
    status: 400,
    message: 'Invalid Argument',
    hint: 'The message names it.',
  },
  InvalidChecksum: {
    status: 400,
    message: 'The checksum that you specified did not match what we received.',
    hint: 'Send the object again: bytes were changed on the way, or the checksum belongs to another object.',
  },
  InvalidPolicyDocument: {
    status: 403,
    message: 'The form does not meet the conditions of its policy document.',
    hint: 'Every field of the form but the file and the signature needs a condition of the policy that it meets.',
  },
  MalformedChunk: {
    status: 400,
    message: 'The aws-chunked body is not well formed.',
    hint: 'Each chunk is its length in hexadecimal, CR LF, the bytes, CR LF; the last one has the length 0.',
  },
  MalformedXML: {
    status: 400,
    message: 'The XML you provided was not well-formed or did not validate against our published schema.',
    hint: 'Send the document that the S3 reference shows for this operation.',
  },
  MissingContentLength: {
    status: 400,
    message: 'You must provide the Content-Length HTTP header.',
    hint: 'Send the length of the part, or x-amz-decoded-content-length.',
  },
  MissingPart: {
    status: 400,
    message: 'A part is missing.',
    hint: 'Upload the part that the message names, and complete the upload with the ETags that the parts were answered with.',
  },
  PreconditionFailed: {
    status: 412,
    message: 'At least one of the pre-conditions you specified did not hold',
    hint: 'The object is another one than the client knows: read it again.',
  },
  RequestTimeTooSkewed: {
    status: 403,
    message: 'The difference between the request time and the current time is too large.',
    hint: 'Correct the clock of the client: 15 minutes are allowed.',
  },
  SignatureDoesNotMatch: {
    status: 403,
    message:
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    hint: 'Check the secret key; a proxy in between must not change the path, the query or the host.',
  },
  XAmzContentSHA256Mismatch: {
    status: 400,
    message: "The provided 'x-amz-content-sha256' header does not match what was computed.",
    hint: 'Send the object again: bytes were changed on the way.',
  },
})
