import type { TaskOutput } from '../../../../engines/threads/index.ts'
import { type BodyForm, type Payload, parseBody } from './body.ts'

/** A large body, as it moves to a thread. */
export interface BodyTask {
  readonly body: ArrayBuffer
  readonly form: BodyForm
}

/** What comes back: JSON as the bytes of its text. */
export type BodyTaskValue =
  | (Omit<Extract<Payload, { kind: 'json' }>, 'text'> & { readonly text: ArrayBuffer })
  | Extract<Payload, { kind: 'form' }>
  | { readonly kind: 'raw'; readonly bytes: ArrayBuffer }

/** Reads a body in a thread. @throws what `parseBody` does */
export function run({ body, form }: BodyTask): TaskOutput {
  const bytes = Buffer.from(body)
  const payload = parseBody(bytes, form)
  if (payload.kind === 'form') return { value: payload, transfer: [] }
  if (payload.kind === 'raw') return { value: { kind: 'raw', bytes: body }, transfer: [body] }
  const { text, ...rest } = payload
  // JSON that stays the text it was goes back as the bytes that came.
  const isSame = form.type.kind === 'json' && typeof text === 'string' && text.length > 2
  const back = isSame ? body : new Uint8Array(Buffer.from(String(text))).buffer
  const value: BodyTaskValue = { ...rest, text: back }
  return { value, transfer: [back] }
}
