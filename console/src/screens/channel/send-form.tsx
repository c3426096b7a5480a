import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { TextArea } from '../../ui/text-area.tsx'

interface SendFormProps {
  readonly isJoined: boolean
  /** @returns why it was not sent; null where it was */
  readonly onSend: (event: string, payload: object) => Promise<string | null>
}

/** Writes a broadcast and sends it to all who are in the channel. */
export function SendForm({ isJoined, onSend }: SendFormProps) {
  const [event, setEvent] = useState('message')
  const [text, setText] = useState('{}')
  const send = useMutation({
    mutationFn: async () => {
      const payload = readPayload(text)
      return payload === null ? 'The payload is a JSON object: {"name": "value"}.' : onSend(event, payload)
    },
  })
  return (
    <form
      aria-label="Send"
      className="grid shrink-0 gap-2 border-line border-t p-4"
      onSubmit={(submitted) => {
        submitted.preventDefault()
        send.mutate()
      }}
    >
      <div className="grid grid-cols-[minmax(0,200px)_minmax(0,1fr)_auto] items-start gap-2 max-sheet:grid-cols-[minmax(0,1fr)]">
        <Field
          label="Event"
          value={event}
          required
          maxLength={255}
          autoComplete="off"
          onChange={(changed) => setEvent(changed.target.value)}
        />
        <TextArea
          label="Payload (JSON)"
          rows={2}
          value={text}
          onChange={(changed) => setText(changed.target.value)}
          problem={send.data ?? undefined}
        />
        <Button
          type="submit"
          look={isJoined ? 'primary' : 'plain'}
          className="mt-5.5 h-8 justify-self-start max-sheet:mt-0"
          disabled={!isJoined || send.isPending}
          title={isJoined ? undefined : 'Join the channel first'}
        >
          Send
        </Button>
      </div>
    </form>
  )
}

function readPayload(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
