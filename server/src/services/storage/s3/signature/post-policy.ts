import { equalInConstantTime } from '../../../../ground/ids/constant-time.ts'
import { s3Error } from '../errors.ts'
import { type Credentials, parseFields, unsignedPayload } from './credentials.ts'
import { algorithm, signingKey, signText } from './sign.ts'

/** The fields of a form before its file, by their names in lower case. */
export type FormFields = ReadonlyMap<string, string>

/** The sizes that a policy allows for the file. */
export interface SizeRange {
  readonly minBytes: number
  readonly maxBytes: number
}

/**
 * Reads the signature of a form (POST policy).
 *
 * @throws AccessDenied
 */
export function parseFormCredentials(fields: FormFields): Credentials {
  const credentials = parseFields({
    credential: fields.get('x-amz-credential'),
    amzDate: fields.get('x-amz-date'),
    signedHeaders: '',
    signature: fields.get('x-amz-signature'),
  })
  if (credentials === null || fields.get('x-amz-algorithm') !== algorithm || !fields.has('policy'))
    throw s3Error('AccessDenied', { message: 'The form has no policy, or no AWS4-HMAC-SHA256 signature of it.' })
  return {
    ...credentials,
    place: { kind: 'form' },
    sessionToken: fields.get('x-amz-security-token') ?? null,
    payloadHash: unsignedPayload,
  }
}

/** Fields that need no condition: those of the signature, and the bucket, which the address names. */
const uncovered = [
  'policy',
  'file',
  'bucket',
  'x-amz-signature',
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-security-token',
]

/**
 * Verifies a form's policy: its signature, its time, and that each field meets a condition.
 *
 * @param bucket the bucket of the address, which conditions may name
 * @throws SignatureDoesNotMatch, ExpiredToken, InvalidPolicyDocument
 */
export function verifyForm(
  fields: FormFields,
  { scope, signature }: Credentials,
  secret: string,
  bucket: string,
  now: Date,
): SizeRange {
  const policy = fields.get('policy') ?? ''
  if (!equalInConstantTime(signText(signingKey(secret, scope), policy), signature))
    throw s3Error('SignatureDoesNotMatch')
  const { expiration, conditions } = parsePolicy(policy)
  if (expiration <= now) throw s3Error('ExpiredToken', { message: 'Policy expired.' })
  const given = new Map([...fields, ['bucket', bucket]])
  let range: SizeRange = { minBytes: 0, maxBytes: Number.POSITIVE_INFINITY }
  const covered = new Set(uncovered)
  for (const condition of conditions) {
    if (condition.kind === 'size') {
      range = {
        minBytes: Math.max(range.minBytes, condition.minBytes),
        maxBytes: Math.min(range.maxBytes, condition.maxBytes),
      }
      continue
    }
    const value = given.get(condition.field) ?? ''
    const isMet = condition.kind === 'equals' ? value === condition.value : value.startsWith(condition.value)
    if (!isMet) throw refused(`Policy Condition failed: ${condition.kind} $${condition.field}`)
    covered.add(condition.field)
  }
  const extra = [...fields.keys()].find((name) => !covered.has(name) && !name.startsWith('x-ignore-'))
  if (extra !== undefined) throw refused(`Extra input fields: ${extra}`)
  return range
}

type Condition =
  | { readonly kind: 'equals' | 'starts-with'; readonly field: string; readonly value: string }
  | ({ readonly kind: 'size' } & SizeRange)

function parsePolicy(base64: string): { readonly expiration: Date; readonly conditions: readonly Condition[] } {
  let policy: unknown
  try {
    policy = JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch (cause) {
    throw s3Error('InvalidPolicyDocument', { message: 'The policy is no JSON.', cause })
  }
  if (typeof policy !== 'object' || policy === null || !('expiration' in policy) || !('conditions' in policy))
    throw refused('The policy needs expiration and conditions.')
  const expiration = new Date(String(policy.expiration))
  if (Number.isNaN(expiration.getTime()) || !Array.isArray(policy.conditions))
    throw refused('The policy needs expiration and conditions.')
  return { expiration, conditions: policy.conditions.flatMap(parseCondition) }
}

function parseCondition(condition: unknown): readonly Condition[] {
  if (Array.isArray(condition)) return [parseListCondition(condition)]
  if (typeof condition !== 'object' || condition === null) throw refused('A condition of the policy has another form.')
  return Object.entries(condition).map(([name, value]) => ({
    kind: 'equals',
    field: name.toLowerCase(),
    value: String(value),
  }))
}

function parseListCondition([operator, first, second]: readonly unknown[]): Condition {
  const kind = String(operator).toLowerCase()
  if (kind === 'content-length-range') {
    const [minBytes, maxBytes] = [Number(first), Number(second)]
    if (Number.isInteger(minBytes) && Number.isInteger(maxBytes)) return { kind: 'size', minBytes, maxBytes }
  }
  const field = /^\$(.+)$/.exec(String(first))?.[1]?.toLowerCase()
  if (field !== undefined && (kind === 'eq' || kind === 'starts-with'))
    return { kind: kind === 'eq' ? 'equals' : kind, field, value: String(second) }
  throw refused('A condition of the policy has another form.')
}

const refused = (message: string) => s3Error('InvalidPolicyDocument', { message })
