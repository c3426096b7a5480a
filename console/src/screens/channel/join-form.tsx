import { useState } from 'react'
import type { RealtimeCaller } from '../../lib/api/schemas.ts'
import { Dot, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import type { JoinState } from './live-channel.ts'
import { type RowChangesWish, readRowChangesWish } from './row-changes.ts'

interface JoinFormProps {
  readonly state: JoinState
  readonly onJoin: (caller: RealtimeCaller, rowChanges: RowChangesWish | null) => void
  readonly onLeave: () => void
}

const callers = [
  { value: 'anon', label: 'anon' },
  { value: 'user', label: 'a user' },
  { value: 'service_role', label: 'service_role' },
] as const

type CallerKind = (typeof callers)[number]['value']

const changes = [
  { value: 'none', label: 'no row changes' },
  { value: '*', label: 'any row change' },
  { value: 'INSERT', label: 'inserts' },
  { value: 'UPDATE', label: 'updates' },
  { value: 'DELETE', label: 'deletes' },
] as const

type Changes = (typeof changes)[number]['value']

interface TextProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly required?: boolean
  readonly mono?: boolean
}

function Text({ label, value, onChange, mono = false, ...input }: TextProps) {
  return (
    <input
      {...input}
      aria-label={label}
      maxLength={320}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`h-7 w-48 rounded-control border border-line bg-surface px-2 text-ink ${mono ? 'mono' : ''}`}
    />
  )
}

/** Chooses the caller to join as, and the row changes to listen to as that caller. The audit log names each. */
export function JoinForm({ state, onJoin, onLeave }: JoinFormProps) {
  const [kind, setKind] = useState<CallerKind>('anon')
  const [user, setUser] = useState('')
  const [change, setChange] = useState<Changes>('none')
  const [table, setTable] = useState('')
  const [filter, setFilter] = useState('')
  if (state.kind !== 'out')
    return <Standing state={state.kind} caller={kind === 'user' ? user : kind} onLeave={onLeave} />
  return (
    <form
      aria-label="Join"
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onJoin(
          kind === 'user' ? { kind, user: user.trim() } : { kind },
          change === 'none' ? null : readRowChangesWish(change, table, filter),
        )
      }}
    >
      <span aria-hidden="true" className="text-ink-2">
        Join as
      </span>
      <Select label="Join as" value={kind} options={callers} onChange={setKind} />
      {kind === 'user' && (
        <Text
          label="User (e-mail address or id)"
          placeholder="E-mail address or id"
          required
          value={user}
          onChange={setUser}
        />
      )}
      <span aria-hidden="true" className="text-ink-2">
        and hear
      </span>
      <Select label="Row changes" value={change} options={changes} onChange={setChange} />
      {change !== 'none' && (
        <>
          <Text label="Table" placeholder="public.orders" required mono value={table} onChange={setTable} />
          <Text label="Filter of rows" placeholder="status=eq.open" mono value={filter} onChange={setFilter} />
        </>
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

type StandingKind = Exclude<JoinState['kind'], 'out'>

const standings: Readonly<Record<StandingKind, { readonly tone: Tone; readonly say: (caller: string) => string }>> = {
  joining: { tone: 'quiet', say: () => 'joining …' },
  joined: { tone: 'ok', say: (caller) => `joined as ${caller}` },
  lost: { tone: 'warn', say: () => 'the connection is lost, joining again …' },
}

interface StandingProps {
  readonly state: StandingKind
  readonly caller: string
  readonly onLeave: () => void
}

function Standing({ state, caller, onLeave }: StandingProps) {
  const { tone, say } = standings[state]
  return (
    <div className="flex items-center gap-3">
      <span role="status">
        <Dot tone={tone}>{say(caller)}</Dot>
      </span>
      <Button onClick={onLeave}>Leave</Button>
    </div>
  )
}
