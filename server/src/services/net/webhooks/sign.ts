import { Webhook } from 'standardwebhooks'
import { deriveKey } from '../../../ground/ids/derive-key.ts'

/** The secret that webhooks are signed with where the settings name none: `whsec_` and Base64. */
export const webhookSecretOf = (pepper: string): string =>
  `whsec_${deriveKey(pepper, 'database webhooks').toString('base64')}`

/**
 * The headers by which a receiver verifies a webhook.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeaders(
  secret: string,
  messageId: string,
  body: Buffer | null,
  now: Date,
): Record<string, string> {
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(messageId, now, body?.toString('utf8') ?? ''),
  }
}
