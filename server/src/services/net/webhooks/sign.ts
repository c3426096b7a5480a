import { Webhook } from 'standardwebhooks'
import { deriveKey } from '../../../ground/ids/derive-key.ts'

/** The secret that webhooks are signed with where the settings name none: `whsec_` and Base64. */
export const webhookSecretOf = (root: string): string =>
  `whsec_${deriveKey(root, 'database webhooks').toString('base64')}`

/**
 * The headers by which a receiver verifies a webhook: a signature by each of the secrets, of which it knows one.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeaders(
  secrets: readonly string[],
  messageId: string,
  body: Buffer | null,
  now: Date,
): Record<string, string> {
  const text = body?.toString('utf8') ?? ''
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(messageId, now, text)).join(' '),
  }
}
