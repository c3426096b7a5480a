/** A message of a channel as the operator's own socket saw it. */
export interface ChannelMessage {
  /** Its place among all that were seen. */
  readonly id: number
  readonly at: Date
  readonly direction: 'received' | 'sent'
  readonly kind: 'broadcast' | 'presence' | 'change' | 'system'
  readonly event: string
  /** JSON of the payload; null where it is bytes. */
  readonly text: string | null
  readonly bytes: number
}

/** How many are kept; older ones are let go. */
const mostMessages = 500

const encoder = new TextEncoder()

/** What is shown of a payload. */
export function describePayload(payload: unknown): Pick<ChannelMessage, 'text' | 'bytes'> {
  if (payload instanceof ArrayBuffer) return { text: null, bytes: payload.byteLength }
  const text = JSON.stringify(payload) ?? 'null'
  return { text, bytes: encoder.encode(text).length }
}

/** Adds a message before the others. */
export const withMessage = (
  messages: readonly ChannelMessage[],
  message: Omit<ChannelMessage, 'id'>,
): readonly ChannelMessage[] => [{ ...message, id: (messages[0]?.id ?? 0) + 1 }, ...messages.slice(0, mostMessages - 1)]
