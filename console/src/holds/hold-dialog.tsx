import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../lib/api/api.ts'
import { errorText } from '../lib/api/api-error.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { useToast } from '../ui/toast.tsx'
import { type HoldSubject, keptLongerQuery } from './queries.ts'

interface HoldDialogProps {
  /** What is held; a span of time is asked for. */
  readonly on: Exclude<HoldSubject, { kind: 'span' }> | 'span'
  readonly onClose: () => void
}

const titles = {
  session: 'Hold this session',
  person: 'Hold this person',
  user: 'Hold this user',
  span: 'Hold a span of time',
}

const abouts = {
  session: 'All that is kept of the session',
  person: 'All that is kept of the person, in all of their sessions, from now on as well',
  user: 'All that is kept of the user, in all of their sessions, from now on as well',
  span: 'All that was kept in the span, and the whole of the sessions that it touches',
}

/** Asks why, and until when, a session, a person or a span is held. */
export function HoldDialog({ on, onClose }: HoldDialogProps) {
  const kind = on === 'span' ? on : on.kind
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const queryClient = useQueryClient()
  const toast = useToast()
  const place = useMutation({
    mutationFn: () =>
      api.placeHold({
        subject: on === 'span' ? { kind: 'span', from: instantOf(from) ?? '', to: instantOf(to) } : on,
        reason: reason.trim(),
        until: instantOf(until),
      }),
    async onSuccess() {
      toast.add({ title: 'The hold is placed.' })
      await queryClient.invalidateQueries({ queryKey: keptLongerQuery.queryKey })
      onClose()
    },
  })
  return (
    <Dialog open onClose={onClose} title={titles[kind]}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          place.mutate()
        }}
      >
        <p className="text-ink-2">
          {abouts[kind]} stays until the hold ends: recordings, events, requests, row changes and errors. No clean-up
          removes it, and a person whom it concerns cannot be erased meanwhile.
        </p>
        {on === 'span' && (
          <div className="grid grid-cols-2 gap-3 max-narrow:grid-cols-1">
            <Field label="From" type="datetime-local" value={from} onChange={readInto(setFrom)} required />
            <Field
              label="To"
              hint="Empty for all that comes"
              type="datetime-local"
              value={to}
              onChange={readInto(setTo)}
            />
          </div>
        )}
        <TextArea
          label="Reason"
          look="prose"
          rows={3}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          required
        />
        <Field
          label="Until"
          hint="Empty until an owner ends it"
          type="date"
          value={until}
          onChange={readInto(setUntil)}
        />
        {place.error && (
          <p role="alert" className="text-danger">
            {errorText(place.error)}
          </p>
        )}
        <Button
          type="submit"
          look="primary"
          size="large"
          className="justify-center"
          disabled={reason.trim() === '' || (on === 'span' && from === '') || place.isPending}
        >
          Place the hold
        </Button>
      </form>
    </Dialog>
  )
}

const readInto = (set: (value: string) => void) => (event: { readonly target: { readonly value: string } }) =>
  set(event.target.value)

/** A day or a minute of this browser's time zone as an instant; null for none. */
function instantOf(text: string): string | null {
  if (text === '') return null
  return new Date(text.includes('T') ? text : `${text}T00:00`).toISOString()
}
