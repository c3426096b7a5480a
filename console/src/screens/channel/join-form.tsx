import { useState } from 'react'
import type { RealtimeCaller } from '../../lib/api/schemas.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import type { JoinState } from './live-channel.ts'

interface JoinFormProps {
  readonly state: JoinState
  readonly onJoin: (caller: RealtimeCaller) => void
  readonly onLeave: () => void
}

const callers = [
  { value: 'anon', label: 'anon' },
  { value: 'user', label: 'a user' },
  { value: 'service_role', label: 'service_role' },
] as const

type CallerKind = (typeof callers)[number]['value']

/** Chooses the caller to join as. The audit log names each. */
export function JoinForm({ state, onJoin, onLeave }: JoinFormProps) {
  const [kind, setKind] = useState<CallerKind>('anon')
  const [user, setUser] = useState('')
  if (state.kind !== 'out')
    return (
      <div className="flex items-center gap-3">
        <span role="status">
          {state.kind === 'joined' ? (
            <Dot tone="ok">joined as {kind === 'user' ? user : kind}</Dot>
          ) : (
            <Dot tone="quiet">joining …</Dot>
          )}
        </span>
        <Button onClick={onLeave}>Leave</Button>
      </div>
    )
  return (
    <form
      aria-label="Join"
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onJoin(kind === 'user' ? { kind, user: user.trim() } : { kind })
      }}
    >
      <span aria-hidden="true" className="text-ink-2">
        Join as
      </span>
      <Select label="Join as" value={kind} options={callers} onChange={setKind} />
      {kind === 'user' && (
        <input
          aria-label="User (e-mail address or id)"
          placeholder="E-mail address or id"
          required
          maxLength={320}
          autoComplete="off"
          value={user}
          onChange={(event) => setUser(event.target.value)}
          className="h-7 w-56 rounded-control border border-line bg-surface px-2 text-ink"
        />
      )}
      <Button type="submit" look="primary">
        Join
      </Button>
      {state.problem !== null && (
        <p role="alert" className="wrap-anywhere w-full text-danger">
          {state.problem}
        </p>
      )}
    </form>
  )
}
